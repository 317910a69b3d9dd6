import { Command } from 'commander'
import { compareTables } from '../compare/compare-table.js'
import type { Comparison } from '../compare/compare.js'
import { compareOutcomes } from '../compare/compare.js'
import { outcomesOf } from '../compare/outcomes-of.js'
import type { Outcomes } from '../compare/outcomes.js'
import type { NamePair } from '../compare/pair-names.js'
import { headline, nameCell, describeCells, describeFlips } from '../compare/verdict.js'
import { canonicalJson } from '../core/episode.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Plan } from '../core/report.js'
import { conditionsOf, isOtherColumn } from '../gate/conditions.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { csvOf } from '../tables/csv.js'
import { markdownOf, markdownText } from '../tables/markdown.js'
import { terminalOf } from '../tables/terminal.js'
import { harmlessLine, print, printJson, wrap } from './_lines.js'

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

/** The ways in which a comparison can be printed. */
const compareFormats = ['terminal', 'markdown', 'csv', 'json'] as const
/** One of {@link compareFormats}. */
type CompareFormat = (typeof compareFormats)[number]

/** A comparison in one text; `flips` is how many flipped tasks of a cell are named, `width` that of the terminal. */
function printComparison(comparison: Comparison, format: CompareFormat, flips: number, width: number): string {
  switch (format) {
    case 'terminal':
      return compareText(comparison, flips, width)
    case 'markdown':
      return compareMarkdown(comparison, flips)
    case 'csv':
      return csvOf(compareTables(comparison))
    case 'json':
      return `${JSON.stringify(JSON.parse(canonicalJson({ ...comparison, verdict: headline(comparison) })), null, 1)}\n`
  }
}

function compareText(comparison: Comparison, most: number, width: number): string {
  const flips = flippedCells(comparison, most).flatMap(({ name, tasks, more }) => [
    `${name}:`,
    ...tasks.map((task) => `  ${task}`),
    ...(more === 0 ? [] : [`  … and ${String(more)} more`]),
  ])
  const paragraph = (lines: readonly string[]): string =>
    lines
      .flatMap((line) => wrap(harmlessLine(line), Math.max(width, 60), '  '))
      .join('\n')
      .concat('\n')
  return [
    terminalOf(compareTables(comparison), width),
    ...(flips.length === 0 ? [] : [paragraph(['Tasks that flipped most', ...flips])]),
    ...(comparison.notes.length === 0 ? [] : [paragraph(comparison.notes.map((note) => `note: ${note}`))]),
    paragraph([headline(comparison), ...describeCells(comparison)]),
  ].join('\n')
}

function compareMarkdown(comparison: Comparison, most: number): string {
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${markdownText(line)}\n`).join('')
  const flips = flippedCells(comparison, most).map(
    ({ name, tasks, more }) => `${name}: ${tasks.join('; ')}${more === 0 ? '' : `; and ${String(more)} more`}`,
  )
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}\n\n${list(lines)}`]
  return [
    `**${markdownText(headline(comparison))}**\n\n${list(describeCells(comparison))}`,
    markdownOf(compareTables(comparison)),
    ...section('Tasks that flipped most', flips),
    ...section('Notes', comparison.notes),
  ].join('\n')
}

function flippedCells({ cells }: Comparison, most: number) {
  return cells
    .filter(({ flipped }) => most > 0 && flipped.length > 0)
    .map((cell) => ({ name: nameCell(cell), ...describeFlips(cell, most) }))
}

/** What was played, and under which plan. */
interface Side {
  readonly plan: Plan
  readonly outcomes: Outcomes
}

/**
 * Leaves out of the second side the columns that are other perturbations than the first side has under the same name,
 * and adds to its notes what else the two were not played alike in.
 */
function leaveOutOthers(first: Side, second: Side): [Outcomes, Outcomes] {
  const [before, after] = [conditionsOf(first.plan), conditionsOf(second.plan)]
  const changed = (kind: 'models' | 'agents'): string[] =>
    after[kind]
      .filter(({ name, hash }) => before[kind].some((known) => known.name === name && known.hash !== hash))
      .map(({ name }) => name)
  const others = after.columns.filter(({ environment, name }) => isOtherColumn(before, after, environment, name))
  const limits = (['stepLimit', 'maxTokens'] as const).filter((limit) => before[limit] !== after[limit])
  const words = { stepLimit: 'steps an episode', maxTokens: 'tokens a reply' }
  const notes = [
    ...others.map(
      ({ environment, name }) =>
        `The column ${name} of ${environment} is left out: it is another perturbation, or another version of it, than in ${first.outcomes.source}.`,
    ),
    ...changed('models').map((name) => `The settings of the model ${name} are not those of ${first.outcomes.source}.`),
    ...changed('agents').map((name) => `The settings of the agent ${name} are not those of ${first.outcomes.source}.`),
    ...limits.map(
      (limit) => `Played with at most ${String(after[limit])} ${words[limit]}, not ${String(before[limit])}.`,
    ),
  ]
  const { outcomes } = second
  return [
    first.outcomes,
    {
      ...outcomes,
      cells: outcomes.cells.filter(
        (cell) => !others.some(({ environment, name }) => environment === cell.environment && name === cell.column),
      ),
      notes: [...outcomes.notes, ...notes],
    },
  ]
}
