import { Command } from 'commander'
import { compareOutcomes } from '../compare/compare.js'
import { outcomesOf } from '../compare/outcomes-of.js'
import type { Outcomes } from '../compare/outcomes.js'
import type { NamePair } from '../compare/pair-names.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { leaveOutOthers } from './_compare-conditions.js'
import type { CompareFormat } from './_compare-text.js'
import { compareFormats, printComparison } from './_compare-text.js'
import { print, printJson } from './_lines.js'

interface CompareFlags {
  readonly metric: string
  readonly format: string
  readonly model: readonly string[]
  readonly agent: readonly string[]
  readonly flips: string
}

/**
 * `shaketable compare RUN_A [RUN_B]`: two runs, or two models of one, paired by task, temperature and, where they are
 * the same, seed.
 */
export function compareCommand(): Command {
  const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]
  return new Command('compare')
    .description(
      'Compares two runs on the tasks that both have, or two models of one run, paired by task, temperature and, where they are the same, seed.',
    )
    .argument('<runA>', "a run's folder")
    .argument('[runB]', 'the run that is compared with it; without one, models (or agents) of the first are compared')
    .option('--metric <name>', `what is compared: ${metrics.join(' or ')}`, 'success')
    .option('--model <a=b>', 'compare model b with model a; once for each pair', collect, [])
    .option('--agent <a=b>', 'compare agent b with agent a; once for each pair', collect, [])
    .option('--flips <n>', 'how many tasks that flipped are named in each cell', '5')
    .option('--format <format>', `what is printed: ${compareFormats.join(', ')}`, 'terminal')
    .addHelpText(
      'after',
      '\nExit codes: 0 whatever came of it (`shaketable check` is the gate), 2 for usage and for runs without a task in common.',
    )
    .action(compare)
}

const metrics = ['success', 'progress'] as const

async function compare(pathA: string, pathB: string | undefined, flags: CompareFlags): Promise<void> {
  const metric = metrics.find((known) => known === flags.metric)
  if (metric === undefined) throw new ShaketableError('usage', unknownName('metric', flags.metric, metrics))
  const format = compareFormats.find((known) => known === flags.format)
  if (format === undefined) throw new ShaketableError('usage', unknownName('format', flags.format, compareFormats))
  const flips = readFlips(flags.flips)
  const [first, second] = pathB === undefined ? readOne(pathA) : readBoth(pathA, pathB)
  const pairs = pairsOf(first, second, flags)
  const comparison = compareOutcomes(first, second, { ...pairs, metric })
  if (comparison.cells.length === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected something that both sides have played, got nothing to pair. ${comparison.notes.join(' ')} Pair models and agents of different names with --model a=b and --agent a=b.`,
    )
  }
  await (format === 'json' ? printJson : print)(
    printComparison(comparison, format satisfies CompareFormat, flips, process.stdout.columns ?? 120),
  )
}

function readOne(path: string): [Outcomes, Outcomes] {
  const outcomes = outcomesOf(readRun(path), path)
  return [outcomes, outcomes]
}

function readBoth(pathA: string, pathB: string): [Outcomes, Outcomes] {
  const [first, second] = [readRun(pathA), readRun(pathB)] as [ReadRun, ReadRun]
  return leaveOutOthers(
    { plan: first.plan, outcomes: outcomesOf(first, pathA) },
    { plan: second.plan, outcomes: outcomesOf(second, pathB) },
  )
}

/** The pairs that were asked for; in one run the only two models, or else the only two agents. */
function pairsOf(first: Outcomes, second: Outcomes, flags: CompareFlags) {
  const namesOf = ({ cells }: Outcomes, kind: 'model' | 'agent'): string[] => [
    ...new Set(cells.map((cell) => cell[kind])),
  ]
  const given = (kind: 'model' | 'agent'): NamePair[] =>
    flags[kind].map((text) => readPair(kind, text, namesOf(first, kind), namesOf(second, kind)))
  const [models, agents] = [given('model'), given('agent')]
  if (first !== second) return { models, agents }
  if (models.length + agents.length > 0) return { models, agents, onlyGiven: true }
  const [ofModels, ofAgents] = [namesOf(first, 'model'), namesOf(first, 'agent')]
  const two = (names: readonly string[]): NamePair[] => [{ first: names[0]!, second: names[1]! }]
  if (ofModels.length === 2) return { models: two(ofModels), agents, onlyGiven: true }
  if (ofModels.length === 1 && ofAgents.length === 2) return { models, agents: two(ofAgents), onlyGiven: true }
  throw new ShaketableError(
    'usage',
    `Expected a second run, or which models of ${first.source} to compare as in --model a=b. It has the models ${ofModels.join(', ')} and the agents ${ofAgents.join(', ')}.`,
  )
}

/** `a=b`; names may have = in them, so that the place is taken at which both sides have the name. */
function readPair(kind: string, text: string, first: readonly string[], second: readonly string[]): NamePair {
  const splits = [...text.matchAll(/=/g)].map(({ index }) => ({
    first: text.slice(0, index),
    second: text.slice(index + 1),
  }))
  const pair = splits.find((split) => first.includes(split.first) && second.includes(split.second)) ?? splits[0]
  if (pair === undefined) {
    throw new ShaketableError('usage', `--${kind}: expected two names as in old=new, got '${text.slice(0, 100)}'.`)
  }
  return pair
}

function readFlips(text: string): number {
  if (!/^\d{1,6}$/.test(text)) {
    throw new ShaketableError('usage', `--flips: expected a whole number from 0, got '${text.slice(0, 100)}'.`)
  }
  return Number(text)
}
