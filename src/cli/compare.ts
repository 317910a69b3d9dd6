import { compareTables } from '../results/compare/compare-table.js'
import { compareOutcomes } from '../results/compare/compare.js'
import { outcomesOf } from '../results/compare/outcomes.js'
import type { Outcomes } from '../results/compare/outcomes.js'
import type { NamePair } from '../results/compare/pair-cells.js'
import { describeCells, describeFlips, headline, nameCell } from '../results/compare/verdict.js'
import { ShaketableError } from '../core/errors.js'
import { compareSettings, settingsOfRun } from '../results/gate/settings.js'
import { atTemperatures } from '../run/selection.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import type { OptionsOf } from './_flags.js'
import { choice, makeCommand, metrics, several, temperaturesFlag, usageError } from './_flags.js'
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

/** Tasks whose outcome changed that are named in each cell. */
const namedFlips = 5

async function compare(pathA: string, pathB: string | undefined, flags: CompareFlags): Promise<void> {
  const { metric, format, temperatures } = flags
  const runA = atTemperatures(readRun(pathA), temperatures)
  const first = outcomesOf(runA, pathA)
  const second = pathB === undefined ? first : secondOf(atTemperatures(readRun(pathB), temperatures), runA)
  const comparison = compareOutcomes(first, second, { ...pairsOf(first, second, flags), metric })
  const { cells, notes } = comparison
  if (cells.length === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected episodes that both sides have played, got none to pair. ${notes.join(' ')} Pair models of different names with --model a=b.`,
    )
  }
  const flipped = cells.filter((cell) => cell.flipped.length > 0)
  const lines = flipped.flatMap((cell) => {
    const { tasks, more } = describeFlips(cell, namedFlips)
    const left = more === 0 ? [] : [`  … and ${String(more)} more`]
    return [`${nameCell(cell)}:`, ...tasks.map((task) => `  ${task}`), ...left]
  })
  await printTables(format, {
    tables: compareTables(comparison),
    json: { ...comparison, verdict: headline(comparison) },
    sentences: [headline(comparison), ...describeCells(comparison)],
    details: lines.length === 0 ? [] : ['Tasks that flipped most:', ...lines],
    notes,
  })
}

/** The given pairs of models; without any, in one run, its only two models, or else its only two agents. */
function pairsOf(first: Outcomes, second: Outcomes, flags: CompareFlags) {
  const [models, agents] = [(flags.model ?? []).map(readPair), []]
  if (first !== second) return { models, agents }
  if (models.length > 0) return { models, agents, onlyGiven: true }
  const namesOf = (kind: 'model' | 'agent'): string[] => [...new Set(first.cells.map((cell) => cell[kind]))]
  const [ofModels, ofAgents] = [namesOf('model'), namesOf('agent')]
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

/** The second run without conditions that are another perturbation under the same name, and what else differs. */
function secondOf(run: ReadRun, other: ReadRun): Outcomes {
  const settings = compareSettings(settingsOfRun(other.plan), settingsOfRun(run.plan), other.folder)
  const outcomes = outcomesOf(run, run.folder)
  const isOther = ({ environment, condition }: Outcomes['cells'][number]): boolean =>
    settings.isOther(environment, condition)
  const left = outcomes.cells
    .filter(isOther)
    .map(
      ({ environment, condition }) =>
        `The condition ${condition} of ${environment} is left out: it is a different perturbation, or a different version of it, than in ${other.folder}.`,
    )
  const played = settings.limits.map(
    ({ words, was, is }) => `Played with at most ${String(is)} ${words}, not ${String(was)}.`,
  )
  return {
    ...outcomes,
    cells: outcomes.cells.filter((cell) => !isOther(cell)),
    notes: [...outcomes.notes, ...new Set(left), ...settings.notes, ...played],
  }
}
