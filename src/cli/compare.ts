import { compareTables } from '../results/compare/compare-table.js'
import type { Comparison } from '../results/compare/compare.js'
import { compareOutcomes } from '../results/compare/compare.js'
import { outcomesOf } from '../results/compare/outcomes.js'
import type { Outcomes } from '../results/compare/outcomes.js'
import type { NamePair } from '../results/compare/pair-cells.js'
import { namesOf } from '../results/compare/pair-cells.js'
import { describeCells, describeFlips, headline, nameCell } from '../results/compare/verdict.js'
import { ShaketableError } from '../core/errors.js'
import { compareSettings, settingsOfRun } from '../results/gate/settings.js'
import { atTemperatures } from '../run/selection.js'
import { readRun } from '../run/store/read-run.js'
import type { OptionsOf } from './_flags.js'
import { choice, makeCommand, metrics, several, temperaturesFlag, usageError, whole } from './_flags.js'
import { formatFlag, printTables } from './_print-tables.js'

const flags = [
  choice('--metric <name>', 'what is compared', metrics, 'success'),
  ['--model <a=b>', 'compare model b with model a; may be repeated', several],
  ['--agent <a=b>', 'compare agent b with agent a; may be repeated', several],
  temperaturesFlag,
  whole('--flips <n>', 'tasks whose outcome changed that are named in each cell', 0, 999_999, 5),
  formatFlag,
] as const

type CompareFlags = OptionsOf<typeof flags>

/** `shaketable compare RUN_A [RUN_B]`: two runs, or two models of one, compared pair by pair. */
export const compareCommand = () =>
  makeCommand(
    'compare',
    'Compares two runs on the tasks that both have, or two models of one run. Episodes are paired by task, temperature and seed.',
    {
      places: [
        ['<runA>', "a run's folder"],
        ['[runB]', 'a second run; without it two models or agents of the first are compared'],
      ],
      flags,
      below:
        'Exit codes: 0 for any result (`shaketable check` is the gate), 2 for usage errors and runs without a common task.',
      run: compare,
    },
  )

async function compare(pathA: string, pathB: string | undefined, flags: CompareFlags): Promise<void> {
  const { metric, format, flips, temperatures } = flags
  const runA = atTemperatures(readRun(pathA), temperatures)
  const first = outcomesOf(runA, pathA)
  let second = first
  if (pathB !== undefined) {
    const runB = atTemperatures(readRun(pathB), temperatures)
    const differ = compareSettings(settingsOfRun(runA.plan), settingsOfRun(runB.plan), pathA)
    second = leaveOutOthers(outcomesOf(runB, pathB), differ, pathA)
  }
  const comparison = compareOutcomes(first, second, { ...pairsOf(first, second, flags), metric })
  if (comparison.cells.length === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected episodes that both sides have played, got none to pair. ${comparison.notes.join(' ')} Pair models and agents of different names with --model a=b and --agent a=b.`,
    )
  }
  await printTables(format, {
    tables: compareTables(comparison),
    json: { ...comparison, verdict: headline(comparison) },
    sentences: [headline(comparison), ...describeCells(comparison)],
    details: { title: 'Tasks that flipped most', lines: flipLines(comparison, flips) },
    notes: comparison.notes,
  })
}

/** The tasks that flipped most in each cell, at most `max`. */
function flipLines({ cells }: Comparison, max: number): string[] {
  return cells
    .filter(({ flipped }) => max > 0 && flipped.length > 0)
    .flatMap((cell) => {
      const { tasks, more } = describeFlips(cell, max)
      const left = more === 0 ? [] : [`  … and ${String(more)} more`]
      return [`${nameCell(cell)}:`, ...tasks.map((task) => `  ${task}`), ...left]
    })
}

/** The given pairs; without any, in one run, its only two models, or else its only two agents. */
function pairsOf(first: Outcomes, second: Outcomes, flags: CompareFlags) {
  const given = (kind: 'model' | 'agent'): NamePair[] =>
    (flags[kind] ?? []).map((text) => readPair(kind, text, namesOf(first, kind), namesOf(second, kind)))
  const [models, agents] = [given('model'), given('agent')]
  if (first !== second) return { models, agents }
  if (models.length + agents.length > 0) return { models, agents, onlyGiven: true }
  const [ofModels, ofAgents] = [namesOf(first, 'model'), namesOf(first, 'agent')]
  const two = (names: readonly string[]): NamePair[] => [{ first: names[0]!, second: names[1]! }]
  if (ofModels.length === 2) return { models: two(ofModels), agents, onlyGiven: true }
  if (ofModels.length === 1 && ofAgents.length === 2) return { models, agents: two(ofAgents), onlyGiven: true }
  throw usageError(
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
  if (pair !== undefined) return pair
  throw usageError(`--${kind}: expected two names as in old=new, got '${text.slice(0, 100)}'.`)
}

/** Drops conditions that are another perturbation under the same name, and says what else differs. */
function leaveOutOthers(
  outcomes: Outcomes,
  { isOther, notes, limits }: ReturnType<typeof compareSettings>,
  source: string,
): Outcomes {
  const others = outcomes.cells.filter(({ environment, condition }) => isOther(environment, condition))
  const left = new Set(
    others.map(
      ({ environment, condition }) =>
        `The condition ${condition} of ${environment} is left out: it is a different perturbation, or a different version of it, than in ${source}.`,
    ),
  )
  const played = limits.map(({ words, was, is }) => `Played with at most ${String(is)} ${words}, not ${String(was)}.`)
  return {
    ...outcomes,
    cells: outcomes.cells.filter((cell) => !others.includes(cell)),
    notes: [...outcomes.notes, ...left, ...notes, ...played],
  }
}
