import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { checkCommand } from '../../src/cli/check.js'
import { exportSftCommand } from '../../src/cli/export-sft.js'
import { filterIndCommand } from '../../src/cli/filter-ind.js'
import { playCommand } from '../../src/cli/play.js'
import { trainCommand } from '../../src/cli/train.js'
import { verifyCommand } from '../../src/cli/verify.js'
import { ShaketableError } from '../../src/core/errors.js'
import { type Random, createRandom } from '../../src/core/random.js'
import { scratchFolder } from '../scratch.js'
import { captured, linesOf, succeed } from './_command.js'

const scratch = scratchFolder()
const fixture = (path: string): string => fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url))
const [input, out] = [join(scratch, 'input'), join(scratch, 'out')]

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
    const { stdout, stderr } = await captured(() =>
      command()
        .exitOverride()
        .parseAsync(args, { from: 'user' })
        .catch((thrown: unknown) => {
          if (thrown instanceof ShaketableError) return
          throw new Error(`round ${String(round)} of ${name}: ${damaged.slice(0, 800)}`, { cause: thrown })
        }),
    )
    expect(stdout + stderr).not.toMatch(/^ +at .*:\d+:\d+\)?$/m)
  }
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

it('check explains what is wrong with baseline.json', async () => {
  const [run, baseline] = [join(scratch, 'run'), join(scratch, 'baseline.json')]
  const grid = '--env household --tasks 2 --seeds 1 --perturb agentrefine-2 --model reader --agent react'
  await succeed(`run ${grid} --out ${run}`, scratch)
  await succeed(`check ${run} --baseline ${baseline} --update-baseline --why test`, scratch)
  const whole = [readFileSync(baseline, 'utf8')]
  await tryDamaged(['check', whole, checkCommand, [run, '--baseline', baseline]], baseline)
}, 120_000)
