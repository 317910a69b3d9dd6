import type { OutcomeCell } from '../compare/outcomes.js'
import type { PairedCell } from '../compare/pair-cells.js'
import { coverageOf, differencesOf, meansOf } from '../compare/pair-cells.js'
import type { Cause, CheckedCell, CheckedTask, Rule, TaskState } from './check.js'
import { checkTasks, isFlaky, isGated } from './check-tasks.js'
import type { CellDifferences, DifferenceTest } from './test-difference.js'
import { testDifference } from './test-difference.js'

/** A cell before it is judged: the test of what can be tested, and why it may not be judged by it. */
export interface PreparedCell {
  readonly cell: Omit<CheckedCell, 'verdict' | 'cause' | 'reason' | 'moved' | 'difference' | 'power'>
  readonly means?: { readonly baseline: number; readonly run: number }
  readonly test?: DifferenceTest
  readonly cause?: Cause
}

/** What {@link prepareCell} needs beside the pairs. */
interface CellCircumstances {
  /** The run's cells, one for each temperature. */
  readonly own: readonly OutcomeCell[]
  readonly rule: Rule
  readonly quarantined: ReadonlySet<string>
  /** The run is not whole. */
  readonly partial: boolean
  /** The column is not what it was in the baseline. */
  readonly changed: boolean
}

/** Pairs, counts and tests one cell; its verdict depends on the others too. */
export function prepareCell(pair: PairedCell, circumstances: CellCircumstances): PreparedCell {
  const { own, rule, quarantined } = circumstances
  const { environment, column, model, agent, passes, pairedBy } = pair
  const errors = pair.tasks.map((_, task) => own.reduce((sum, { broken }) => sum + broken[task]!, 0))
  const tasks = checkTasks(pair, { quarantined, errors, rule })
  const gated = tasks.map(isGated)
  const isIn = (task: number): boolean => gated[task]!
  const differences = differencesIn(pair, rule.metric, gated)
  const { measured: pairs, planned } = coverageOf(pair, rule.metric, isIn)
  const cell = {
    environment,
    model: model.second,
    agent: agent.second,
    column,
    ...((model.first !== model.second || agent.first !== agent.second) && {
      was: { model: model.first, agent: agent.first },
    }),
    passes: passes.second.length,
    ...(pairedBy === 'task' && { byTask: { baseline: passes.first.length, run: passes.second.length } }),
    pairs,
    planned,
    coverage: {
      baseline: shareMeasured(pair[rule.metric].first, gated),
      run: shareMeasured(pair[rule.metric].second, gated),
    },
    errors: errors.reduce((sum, count) => sum + count, 0),
    counts: countStates(tasks),
    flaky: {
      baseline: tasks.filter((task) => isFlaky(task.baseline)).length,
      run: tasks.filter((task) => isFlaky(task.run)).length,
    },
    tasks,
  }
  const cause = findCause(cell, circumstances)
  const test = cause === 'partial' || cause === 'changed' ? undefined : testDifference(differences, rule)
  const means = meansOf(pair, rule.metric, isIn)
  return {
    cell,
    ...(test && means && { test, means: { baseline: means.first, run: means.second } }),
    ...(cause && { cause }),
  }
}

/** A cell that only one side has. */
export function unpairedCell(
  { environment, model, agent, column }: OutcomeCell,
  cause: 'missing' | 'new' | 'unpaired',
): PreparedCell {
  const names = { environment, model, agent, column }
  const nothing = {
    passes: 0,
    pairs: 0,
    planned: 0,
    coverage: { baseline: 0, run: 0 },
    errors: 0,
    flaky: { baseline: 0, run: 0 },
    tasks: [],
  }
  return { cell: { ...names, ...nothing, counts: countStates([]) }, cause }
}

function findCause(
  { pairs, planned, coverage, errors, tasks }: PreparedCell['cell'],
  { own, rule, partial, changed }: CellCircumstances,
): Cause | undefined {
  if (partial) return 'partial'
  if (changed) return 'changed'
  const isMeasured = own.some(({ success }) => success.some((values) => values.some((value) => value !== null)))
  if (!isMeasured && errors > 0) return 'errors'
  if (planned === 0) return tasks.some(({ state }) => state === 'quarantined') ? 'quarantined' : 'unchanged'
  if (pairs === 0) return 'unpaired'
  return Math.min(coverage.baseline, coverage.run) < rule.minCoverage ? 'coverage' : undefined
}

type Side = readonly (readonly (number | null)[])[]

/** Differences of the tasks in the gate. A missing episode may have been anything from a failure to a success. */
function differencesIn(pair: PairedCell, metric: Rule['metric'], gated: readonly boolean[]): CellDifferences {
  const { first, second } = pair[metric] as { readonly first: Side; readonly second: Side }
  const of = (cell: PairedCell): number[][] => differencesOf(cell, metric).filter((_, task) => gated[task])
  const fill = (side: Side, score: 0 | 1) => side.map((values) => values.map((value) => value ?? score))
  const filled = (before: 0 | 1, after: 0 | 1): number[][] =>
    of({ ...pair, [metric]: { first: fill(first, before), second: fill(second, after) } })
  const measured = of(pair)
  const isWhole = [first, second].every((side) => side.every((values, task) => !gated[task] || !values.includes(null)))
  return isWhole ? { measured } : { measured, ifLost: filled(1, 0), ifGained: filled(0, 1) }
}

/** 1 where nothing was planned. */
function shareMeasured(side: Side, gated: readonly boolean[]): number {
  const values = side.filter((_, task) => gated[task]).flat()
  return values.length === 0 ? 1 : values.filter((value) => value !== null).length / values.length
}

function countStates(tasks: readonly CheckedTask[]): Record<TaskState, number> {
  const counts = { kept: 0, lost: 0, gained: 0, broken: 0, unknown: 0, unchanged: 0, quarantined: 0 }
  for (const { state } of tasks) counts[state]++
  return counts
}
