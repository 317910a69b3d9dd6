import { Command } from 'commander'
import { compareTables } from '../compare/compare-table.js'
import type { Comparison } from '../compare/compare.js'
import { compareOutcomes } from '../compare/compare.js'
import { outcomesOf } from '../compare/outcomes-of.js'
import type { Outcomes } from '../compare/outcomes.js'
import type { NamePair } from '../compare/pair-names.js'
import { headline, nameCell, describeCells, describeFlips } from '../compare/verdict.js'
import { canonicalJson } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import type { Plan } from '../run/plan.js'
import { conditionsOf, isOtherColumn } from '../gate/conditions.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { atTemperatures } from '../run/selection.js'
import { csvOf } from '../tables/csv.js'
import { markdownOf, markdownText } from '../tables/markdown.js'
import { terminalOf } from '../tables/terminal.js'
import type { Metric } from './_flags.js'
import { choice, metrics, several, temperaturesFlag, whole } from './_flags.js'
import { escapeLine, print, printJson, wrap } from './_lines.js'

interface CompareFlags {
  readonly metric: Metric
  readonly format: CompareFormat
  readonly model: readonly string[]
  readonly agent: readonly string[]
  readonly flips: number
  readonly temperatures?: readonly string[]
}

/** `shaketable compare RUN_A [RUN_B]`: two runs, or two models of one, compared pair by pair. */
export function compareCommand(): Command {
  return new Command('compare')
    .description(
      'Compares two runs on the tasks that both have, or two models of one run. Episodes are paired by task, temperature and, if both sides have the same seeds, seed.',
    )
    .argument('<runA>', "a run's folder")
    .argument('[runB]', 'a second run; without it two models or agents of the first are compared')
    .option(...choice('--metric <name>', 'what is compared', metrics, 'success'))
    .option('--model <a=b>', 'compare model b with model a; may be repeated', several, [])
    .option('--agent <a=b>', 'compare agent b with agent a; may be repeated', several, [])
    .option(...temperaturesFlag)
    .option(...whole('--flips <n>', 'tasks whose outcome changed that are named in each cell', 0, 999_999, 5))
    .option(...choice('--format <format>', 'output format', compareFormats, 'terminal'))
    .addHelpText(
      'after',
      '\nExit codes: 0 for any result (`shaketable check` is the gate), 2 for usage errors and runs without a common task.',
    )
    .action(compare)
}

async function compare(pathA: string, pathB: string | undefined, flags: CompareFlags): Promise<void> {
  const { metric, format, flips } = flags
  const [first, second] = pathB === undefined ? readOne(pathA, flags) : readBoth(pathA, pathB, flags)
  const pairs = pairsOf(first, second, flags)
  const comparison = compareOutcomes(first, second, { ...pairs, metric })
  if (comparison.cells.length === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected episodes that both sides have played, got none to pair. ${comparison.notes.join(' ')} Pair models and agents of different names with --model a=b and --agent a=b.`,
    )
  }
  await (format === 'json' ? printJson : print)(
    printComparison(comparison, format, flips, process.stdout.columns ?? 120),
  )
}

function readOne(path: string, { temperatures }: CompareFlags): [Outcomes, Outcomes] {
  const outcomes = outcomesOf(atTemperatures(readRun(path), temperatures), path)
  return [outcomes, outcomes]
}

function readBoth(pathA: string, pathB: string, { temperatures }: CompareFlags): [Outcomes, Outcomes] {
  const [first, second] = [pathA, pathB].map((path) => atTemperatures(readRun(path), temperatures)) as [
    ReadRun,
    ReadRun,
  ]
  return leaveOutOthers(
    { plan: first.plan, outcomes: outcomesOf(first, pathA) },
    { plan: second.plan, outcomes: outcomesOf(second, pathB) },
  )
}

/** The given pairs; without any, in one run, its only two models, or else its only two agents. */
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

/** Reads `a=b`. Names may contain =, so the text is split where both sides have the name. */
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

/** Output formats of a comparison. */
const compareFormats = ['terminal', 'markdown', 'csv', 'json'] as const
/** One of {@link compareFormats}. */
type CompareFormat = (typeof compareFormats)[number]

/** A comparison as text: at most `maxFlips` flipped tasks are named in a cell; `width` is that of the terminal. */
function printComparison(comparison: Comparison, format: CompareFormat, maxFlips: number, width: number): string {
  switch (format) {
    case 'terminal':
      return compareText(comparison, maxFlips, width)
    case 'markdown':
      return compareMarkdown(comparison, maxFlips)
    case 'csv':
      return csvOf(compareTables(comparison))
    case 'json':
      return `${JSON.stringify(JSON.parse(canonicalJson({ ...comparison, verdict: headline(comparison) })), null, 1)}\n`
  }
}

function compareText(comparison: Comparison, maxFlips: number, width: number): string {
  const flips = flippedCells(comparison, maxFlips).flatMap(({ name, tasks, more }) => [
    `${name}:`,
    ...tasks.map((task) => `  ${task}`),
    ...(more === 0 ? [] : [`  … and ${String(more)} more`]),
  ])
  const paragraph = (lines: readonly string[]): string =>
    lines
      .flatMap((line) => wrap(escapeLine(line), Math.max(width, 60), '  '))
      .join('\n')
      .concat('\n')
  return [
    terminalOf(compareTables(comparison), width),
    ...(flips.length === 0 ? [] : [paragraph(['Tasks that flipped most', ...flips])]),
    ...(comparison.notes.length === 0 ? [] : [paragraph(comparison.notes.map((note) => `note: ${note}`))]),
    paragraph([headline(comparison), ...describeCells(comparison)]),
  ].join('\n')
}

function compareMarkdown(comparison: Comparison, maxFlips: number): string {
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${markdownText(line)}\n`).join('')
  const flips = flippedCells(comparison, maxFlips).map(
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

function flippedCells({ cells }: Comparison, maxFlips: number) {
  return cells
    .filter(({ flipped }) => maxFlips > 0 && flipped.length > 0)
    .map((cell) => ({ name: nameCell(cell), ...describeFlips(cell, maxFlips) }))
}

/** One side of a comparison. */
interface Side {
  readonly plan: Plan
  readonly outcomes: Outcomes
}

/**
 * Drops columns of the second side that are a different perturbation under the same name, and adds notes on other
 * differences: settings of models and agents, limits.
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
        `The column ${name} of ${environment} is left out: it is a different perturbation, or a different version of it, than in ${first.outcomes.source}.`,
    ),
    ...changed('models').map(
      (name) => `The settings of the model ${name} differ from those of ${first.outcomes.source}.`,
    ),
    ...changed('agents').map(
      (name) => `The settings of the agent ${name} differ from those of ${first.outcomes.source}.`,
    ),
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
