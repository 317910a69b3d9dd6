import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkCommand } from '../../src/cli/check.js'
import { exportSftCommand } from '../../src/cli/export-sft.js'
import { filterIndCommand } from '../../src/cli/filter-ind.js'
import { playCommand } from '../../src/cli/play.js'
import { reportCommand } from '../../src/cli/report.js'
import { showCommand } from '../../src/cli/show.js'
import { trainCommand } from '../../src/cli/train.js'
import { verifyCommand } from '../../src/cli/verify.js'
import { ShaketableError } from '../../src/core/errors.js'
import type { Random } from '../../src/core/random.js'
import { createRandom } from '../../src/core/random.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const scratch = scratchFolder()
const fixture = (path: string): string => fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url))
const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trim().split('\n')
const [input, out] = [join(scratch, 'input'), join(scratch, 'out')]

let said: string[]
beforeEach(() => {
  said = []
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation(((text: string, done?: () => void) => {
      said.push(text)
      done?.()
      return true
    }) as typeof stream.write)
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

/** Values of every JSON type, and names that JavaScript objects have themselves. */
const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, '', 'x', '\ud800', 'constructor', '__proto__'],
  ...[[], [null], ['x', 1], {}, { x: 1 }, { constructor: 1, toString: null, length: 3 }],
]

/** Changes a JSON text in one place: a value is replaced, deleted or nested. */
function damage(text: string, random: Random): string {
  const root: Record<string, unknown> = { value: JSON.parse(text) }
  const places: { readonly holder: Record<string, unknown>; readonly key: string }[] = []
  const visit = (holder: Record<string, unknown>, key: string): void => {
    places.push({ holder, key })
    const value = holder[key]
    if (typeof value !== 'object' || value === null) return
    for (const inner of Object.keys(value)) visit(value as Record<string, unknown>, inner)
  }
  visit(root, 'value')
  const { holder, key } = places[random.int(places.length)]!
  const how = random.int(5)
  if (how === 0) Reflect.deleteProperty(holder, key)
  else holder[key] = how === 1 ? [holder[key]] : how === 2 ? { [key]: holder[key] } : values[random.int(values.length)]
  return JSON.stringify(root['value'] ?? null)
}

type Damaged = readonly [name: string, lines: readonly string[], command: () => Command, args: readonly string[]]

/** Runs a command again and again on its file with one damaged record; what it throws is an error for users. */
async function tryDamaged([name, lines, command, args]: Damaged, path = input): Promise<void> {
  const random = createRandom(name)
  for (let round = 0; round < 25; round++) {
    const at = random.int(lines.length)
    const damaged = damage(lines[at]!, random.fork(String(round)))
    writeFileSync(path, `${lines.map((line, index) => (index === at ? damaged : line)).join('\n')}\n`)
    await command()
      .exitOverride()
      .parseAsync(args, { from: 'user' })
      .catch((thrown: unknown) => {
        if (thrown instanceof ShaketableError) return
        throw new Error(`round ${String(round)} of ${name}: ${damaged.slice(0, 800)}`, { cause: thrown })
      })
  }
  expect(said.join('')).not.toMatch(/^ +at .*:\d+:\d+\)?$/m)
}

const game = { system_msg: 'x', instruction: 'pick <obj> <room>: pick it up', examples: ['Goal: x\nAction: y\n'] }
const prompt = JSON.stringify({ pddl: { gripper: game, blockworld: game, barman: game, tyreworld: game } })
const training = linesOf(fixture('training/agentinstruct.jsonl'))
const [script, trajectories] = [fixture('verify/script.json'), fixture('verify/trajectories.jsonl')]
const turns = linesOf(fixture('sft/trajectories.jsonl'))
const files: readonly Damaged[] = [
  ['verify', linesOf(trajectories), verifyCommand, [input, '--script', script, '--out', out]],
  ['verify --script', [readFileSync(script, 'utf8')], verifyCommand, [trajectories, '--script', input]],
  ['filter-ind', training, filterIndCommand, [input, '--env', 'jericho', '--dry-run']],
  ['train', training, trainCommand, [input, '--out', out, '--epochs', '1', '--force']],
  ['export-sft', turns, exportSftCommand, [input, '--out', `${out}-sft`, '--force']],
  ['play --set pddl.prompt', [prompt], playCommand, ['pddl', '--list', '--set', `pddl.prompt=${input}`]],
]

it.each(files)('%s explains what is wrong with a record of the wrong shape', (...file) => tryDamaged(file), 120_000)

describe('a run folder with records of the wrong shape', () => {
  const run = join(scratch, 'run')
  const baseline = join(scratch, 'baseline.json')
  const whole = new Map<string, readonly string[]>()
  let key = ''
  beforeAll(async () => {
    const grid = '--env household --tasks 2 --seeds 1 --perturb agentrefine-2 --model reader'.split(' ')
    expect(await shaketable(['run', ...grid, '--agent', 'react', '--out', run], scratch)).toMatchObject({ code: 0 })
    const update = ['check', run, '--baseline', baseline, '--update-baseline', '--why', 'a test']
    expect(await shaketable(update, scratch)).toMatchObject({ code: 0 })
    for (const name of ['outcomes.jsonl', 'trajectories.jsonl', 'prompts.jsonl', 'plan.json'])
      whole.set(join(run, name), linesOf(join(run, name)))
    whole.set(baseline, [readFileSync(baseline, 'utf8')])
    key = /"key":"([0-9a-f]{20})[^\n]*"condition":"agentrefine-2"/.exec(
      readFileSync(join(run, 'outcomes.jsonl'), 'utf8'),
    )![1]!
  })

  const report = [run, '--out', `${out}-report`]
  it.each([
    ['show', 'run/trajectories.jsonl', showCommand, () => [run, key, '--prompt', '--twin']],
    ['report', 'run/prompts.jsonl', reportCommand, () => report],
    ['report', 'run/outcomes.jsonl', reportCommand, () => report],
    ['report', 'run/plan.json', reportCommand, () => report],
    ['check', 'baseline.json', checkCommand, () => [run, '--baseline', baseline]],
  ] as const)(
    '%s explains what is wrong with %s',
    async (name, file, command, args) => {
      for (const [path, lines] of whole) writeFileSync(path, `${lines.join('\n')}\n`)
      const path = join(scratch, file)
      await tryDamaged([`${name} ${file}`, whole.get(path)!, command, args()], path)
    },
    120_000,
  )
})
