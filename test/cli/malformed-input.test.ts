import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkCommand } from '../../src/cli/check.js'
import { collectCommand } from '../../src/cli/collect.js'
import { exportSftCommand } from '../../src/cli/export-sft.js'
import { filterIndCommand } from '../../src/cli/filter-ind.js'
import { agreementCommand } from '../../src/cli/agreement.js'
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
const input = join(scratch, 'input')
const out = join(scratch, 'out')
const script = fixture('verify/script.json')

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

/** Runs a command in this process; an error for which main.ts would exit with 70 is thrown. */
async function run(command: Command, args: readonly string[]): Promise<string | undefined> {
  try {
    await command.exitOverride().parseAsync(args, { from: 'user' })
    return undefined
  } catch (thrown) {
    if (thrown instanceof ShaketableError) return thrown.message
    throw thrown
  }
}

/** Values of every JSON type, and names that JavaScript objects have themselves. */
const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  '',
  'x',
  '\ud800',
  'constructor',
  '__proto__',
  [],
  [null],
  [[]],
  ['x', 1],
  {},
  { x: 1 },
  { constructor: 1, toString: null, length: 3 },
]

/** Changes a JSON text in one place: a value replaced, deleted, nested or duplicated. */
function damage(text: string, random: Random): string {
  const root: { value: unknown } = { value: JSON.parse(text) }
  const places: { readonly holder: Record<string, unknown>; readonly key: string }[] = []
  const visit = (holder: object, key: string): void => {
    places.push({ holder: holder as Record<string, unknown>, key })
    const value = (holder as Record<string, unknown>)[key]
    if (typeof value === 'object' && value !== null) for (const inner of Object.keys(value)) visit(value, inner)
  }
  visit(root, 'value')
  const { holder, key } = places[random.int(places.length)]!
  const value = holder[key]
  switch (random.int(7)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else Reflect.deleteProperty(holder, key)
      break
    case 1:
      holder[key] = [value]
      break
    case 2:
      holder[key] = { [key]: value }
      break
    case 3:
      if (Array.isArray(holder)) holder.splice(Number(key), 0, value)
      else return JSON.stringify(root.value).replace(`"${key}":`, `"${key}":null,"${key}":`)
      break
    case 4:
      if (!Array.isArray(holder)) Object.defineProperty(holder, '__proto__', { value, enumerable: true })
      else holder[key] = 'deep'
      return JSON.stringify(root.value ?? null).replace('"deep"', `${'['.repeat(20_000)}${']'.repeat(20_000)}`)
    default:
      holder[key] = values[random.int(values.length)]
  }
  return JSON.stringify(root.value) ?? 'null'
}

const linesOf = (path: string): string[] => readFileSync(fixture(path), 'utf8').trim().split('\n')
const game = {
  system_msg: 'x',
  instruction: 'pick <obj> <room> <gripper>: pick it up',
  examples: ['Goal: x\nAction: y\n'],
}
const promptFiles = {
  household: {
    system_msg: 'You are in a house.',
    instruction: 'You can go to {recep}.\ngo to <recep>\ntake <obj> from <recep>\n',
    examples: Object.fromEntries(
      ['put', 'clean', 'heat', 'cool', 'puttwo', 'examine'].map((key) => [
        key,
        ['You are in a room.\nYour task is to: put a mug.\n> go to desk 1\nYou see a mug 1.\n'],
      ]),
    ),
  },
  babyai: {
    system_msg: 'x',
    instruction: '- go to <obj> <id>: go\n',
    examples: ['You see\nAction: go\nObservation: x\n'],
  },
  pddl: { gripper: game, blockworld: game, barman: game, tyreworld: game },
}

/** Runs a command repeatedly on its file with one damaged record. */
async function tryDamaged({ name, lines, command, args, path = input, rounds = 100 }: Reader): Promise<void> {
  const random = createRandom(name)
  for (let round = 0; round < rounds; round++) {
    const at = random.int(lines.length)
    const damaged = damage(lines[at]!, random.fork(String(round)))
    writeFileSync(path, `${lines.map((line, index) => (index === at ? damaged : line)).join('\n')}\n`)
    const started = performance.now()
    await run(command(), args).catch((thrown: unknown) => {
      throw new Error(`round ${String(round)} of ${name}: ${damaged.slice(0, 800)}`, { cause: thrown })
    })
    expect(performance.now() - started).toBeLessThan(20_000)
  }
  expect(said.join('')).not.toMatch(/^ +at .*:\d+:\d+\)?$/m)
}

interface Reader {
  readonly name: string
  readonly command: () => Command
  readonly args: readonly string[]
  readonly lines: readonly string[]
  /** The file that is damaged. Default: `input`. */
  readonly path?: string
  readonly rounds?: number
}

/** Commands that read records from a file. */
const readers: readonly Reader[] = [
  ...(['json', 'out'] as const).map((flag) => ({
    name: `verify --${flag}`,
    lines: linesOf('verify/trajectories.jsonl'),
    command: verifyCommand,
    args: [input, '--script', script, ...(flag === 'json' ? ['--json'] : ['--profile', 'paper-literal', '--out', out])],
  })),
  {
    name: 'verify --script',
    lines: [readFileSync(script, 'utf8')],
    command: verifyCommand,
    args: [fixture('verify/trajectories.jsonl'), '--script', input],
  },
  ...['agentinstruct', 'messages'].flatMap((format) => [
    {
      name: `filter-ind of ${format}`,
      lines: linesOf(`training/${format}.jsonl`),
      command: filterIndCommand,
      args: [input, '--env', 'alfworld', '--out', out, '--force'],
      rounds: 4,
    },
    {
      name: `train of ${format}`,
      lines: linesOf(`training/${format}.jsonl`),
      command: trainCommand,
      args: [input, '--out', out, '--epochs', '1', '--force'],
    },
  ]),
  ...['training/agentinstruct', 'training/messages', 'sft/trajectories'].map((path) => ({
    name: `export-sft of ${path}`,
    lines: linesOf(`${path}.jsonl`),
    command: exportSftCommand,
    args: [input, '--out', `${out}-sft`, '--force'],
  })),
  {
    name: 'data agreement',
    lines: ['{"item":"1","a":"x","b":"y"}', '{"item":"2","a":"x","b":"x"}'],
    command: agreementCommand,
    args: [input],
  },
  ...Object.entries(promptFiles).map(([environment, lines]) => ({
    name: `play --set ${environment}.prompt`,
    lines: [JSON.stringify(lines)],
    command: playCommand,
    args: [environment, '--list', '--set', `${environment}.prompt=${input}`],
  })),
  {
    name: 'data collect --set household.prompt',
    lines: [JSON.stringify(promptFiles.household)],
    command: collectCommand,
    args: ['--out', out, '--force', '--tasks', '1', '--set', `household.prompt=${input}`],
    rounds: 30,
  },
]

describe('files with records of the wrong shape', () => {
  it.each(readers)('$name explains what is wrong', tryDamaged, 120_000)
})

describe('a run folder with records of the wrong shape', () => {
  const run = join(scratch, 'run')
  const baseline = join(scratch, 'baseline.json')
  const whole = new Map<string, readonly string[]>()
  beforeAll(async () => {
    const grid = '--env household --tasks 2 --seeds 1 --perturb agentrefine-2 --model reader'.split(' ')
    expect(await shaketable(['run', ...grid, '--agent', 'react', '--out', run], scratch)).toMatchObject({ code: 0 })
    for (const name of ['outcomes.jsonl', 'trajectories.jsonl', 'prompts.jsonl', 'plan.json']) {
      whole.set(name, readFileSync(join(run, name), 'utf8').trim().split('\n'))
    }
    const update = ['check', run, '--baseline', baseline, '--update-baseline', '--why', 'a test']
    expect(await shaketable(update, scratch)).toMatchObject({ code: 0 })
  })

  it.each([
    { file: 'trajectories.jsonl', command: 'show' },
    { file: 'prompts.jsonl', command: 'show' },
    { file: 'trajectories.jsonl', command: 'report' },
    { file: 'prompts.jsonl', command: 'report' },
    { file: 'outcomes.jsonl', command: 'report' },
    { file: 'plan.json', command: 'report' },
    { file: 'baseline', command: 'check' },
  ])(
    '$command explains what is wrong with $file',
    async ({ file, command }) => {
      for (const [name, lines] of whole) writeFileSync(join(run, name), `${lines.join('\n')}\n`)
      const perturbed = whole.get('outcomes.jsonl')!.find((line) => line.includes('"column":"agentrefine-2"'))!
      const key = /[0-9a-f]{20}/.exec(perturbed)![0]
      const commands: Record<string, Pick<Reader, 'command' | 'args'>> = {
        show: { command: showCommand, args: [run, key, '--prompt', '--twin'] },
        report: { command: reportCommand, args: [run, '--out', `${out}-report`] },
        check: { command: checkCommand, args: [run, '--baseline', baseline] },
      }
      const path = file === 'baseline' ? baseline : join(run, file)
      const lines = whole.get(file) ?? [readFileSync(path, 'utf8')]
      await tryDamaged({
        name: `${command} ${file}`,
        path,
        lines,
        ...commands[command]!,
        rounds: command === 'report' ? 25 : 100,
      })
    },
    120_000,
  )
})
