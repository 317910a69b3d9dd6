import { compareOutcomes } from '../results/compare/compare.js'
import { compareTables, describeCells, describeFlips, headline } from '../results/compare/describe-comparison.js'
import { type NamePair, type Outcomes, outcomesOf } from '../results/compare/outcomes.js'
import { namesOf } from '../results/compare/pair-cells.js'
import { ShaketableError } from '../core/errors.js'
import { atTemperatures } from '../run/selection.js'
import { readRun } from '../run/store/read-run.js'
import { type OptionsOf, choice, makeCommand, metrics, several, temperaturesFlag, usageError } from './_flags.js'
import { formatFlag, printTables } from './_print-tables.js'

const flags = [
  choice('--metric <name>', 'what is compared', metrics, 'success'),
  ['--model <a=b>', 'compare model b with model a; may be repeated', several],
  temperaturesFlag,
  formatFlag,
] as const

type CompareFlags = OptionsOf<typeof flags>

/** `shaketable compare RUN_A [RUN_B]`: two runs, or two models of one, compared pair by pair. */
export const compareCommand = () =>
  makeCommand({
    places: [
      ['<runA>', "a run's folder"],
      ['[runB]', 'a second run; without it two models or agents of the first are compared'],
    ],
    flags,
    below:
      'Exit codes: 0 for any result (`shaketable check` is the gate), 2 for usage errors and runs without a common task.',
    run: compare,
  })

async function compare(pathA: string, pathB: string | undefined, flags: CompareFlags): Promise<void> {
  const { metric, format, temperatures } = flags
  const read = (path: string): Outcomes => outcomesOf(atTemperatures(readRun(path), temperatures), path)
  const first = read(pathA)
  const second = pathB === undefined ? first : read(pathB)
  const comparison = compareOutcomes(first, second, { ...pairsOf(first, second, flags), metric })
  const { cells, notes } = comparison
  if (cells.length === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected episodes that both sides have played, got none to pair. ${notes.join(' ')} Pair models of different names with --model a=b.`,
    )
  }
  await printTables(format, {
    tables: compareTables(comparison),
    json: { ...comparison, verdict: headline(comparison) },
    sentences: [headline(comparison), ...describeCells(comparison)],
    details: describeFlips(comparison),
    notes,
  })
}

/** The given pairs of models; without any, in one run, its only two models, or else its only two agents. */
function pairsOf(first: Outcomes, second: Outcomes, flags: CompareFlags) {
  const [models, agents] = [(flags.model ?? []).map(readPair), []]
  if (first !== second) return { models, agents }
  if (models.length > 0) return { models, agents, onlyGiven: true }
  const [ofModels, ofAgents] = [namesOf(first, 'model'), namesOf(first, 'agent')]
  const two = ([one, other]: readonly string[]): NamePair[] => [{ first: one!, second: other! }]
  if (ofModels.length === 2) return { models: two(ofModels), agents, onlyGiven: true }
  if (ofModels.length === 1 && ofAgents.length === 2) return { models, agents: two(ofAgents), onlyGiven: true }
  throw usageError(
    `Expected a second run, or which models of ${first.source} to compare as in --model a=b. It has the models ${ofModels.join(', ')} and the agents ${ofAgents.join(', ')}.`,
  )
}

function readPair(text: string): NamePair {
  const [, first, second] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (first !== undefined && second !== undefined) return { first, second }
  throw usageError(`--model: expected two names as in old=new, got '${text.slice(0, 100)}'.`)
}
