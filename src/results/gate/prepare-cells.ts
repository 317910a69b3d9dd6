import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import { cellsByKey, keyOf } from '../compare/outcomes.js'
import type { UnchangedSpread } from '../compare/pass-unchanged.js'
import { spreadUnchanged } from '../compare/pass-unchanged.js'
import type { PairedCell, Pairing } from '../compare/pair-cells.js'
import { meansOf, pairCells, taskMeans } from '../compare/pair-cells.js'
import type { Measurements } from '../passes.js'
import { countPlanned } from '../passes.js'
import type { Cause, CheckedCell, CheckedTask, Rule, TaskScore, TaskState } from './check.js'
import type { CellDifferences, DifferenceTest } from './test-difference.js'
import { testDifference } from './test-difference.js'
import { taskMean } from '../rates.js'

/** A cell before it is judged together with the others: its test, and why it may not be judged by it. */
export interface PreparedCell {
  readonly cell: Omit<CheckedCell, 'verdict' | 'cause' | 'reason' | 'moved' | 'difference' | 'power'>
  readonly means?: { readonly baseline: number; readonly run: number }
  readonly test?: DifferenceTest
  readonly cause?: Cause
  /** Absent where neither side has repeats. */
  readonly unchanged?: UnchangedSpread
}

interface PrepareOptions {
  /** Whether the run is incomplete. */
  readonly partial?: boolean
  /** Whether a condition's perturbations are not those of the baseline. */
  readonly isOther?: (environment: string, condition: string) => boolean
}

/**
 * Pairs a run with its baseline and tests each cell that can be tested. Cells are in the baseline's order; those that
 * only the run has come last.
 * @throws ShaketableError `bad-input` where the two have no task in common.
 */
export function prepareCells(
  baseline: Outcomes,
  run: Outcomes,
  rule: Rule,
  options: PrepareOptions = {},
): { readonly prepared: readonly PreparedCell[]; readonly pairing: Pairing } {
  const pairing = pairCells(baseline, run)
  const cells = cellsByKey(pairing.second)
  const paired = pairing.cells.map((pair) =>
    prepareCell(pair, cells.get(keyOfPair(pair, 'second'))!.played.state, rule, options),
  )
  return { prepared: [...paired, ...listUnpaired(baseline, run, pairing.cells)], pairing }
}

function keyOfPair({ environment, model, agent, condition }: PairedCell, side: 'first' | 'second'): string {
  return keyOf(environment, model[side], agent[side], condition)
}

/** `state` is that of the run's measurements, at all of its temperatures. */
function prepareCell(
  pair: PairedCell,
  state: Uint8Array,
  rule: Rule,
  { partial = false, isOther = () => false }: PrepareOptions,
): PreparedCell {
  const { environment, condition, model, agent, sides, pairedBy } = pair
  const passesOf = (side: Measurements): number => countPlanned(side, [...pair.temperatures.keys()])
  const errors = pair.tasks.map(() => 0)
  state.forEach((one, slot) => (errors[slot % errors.length]! += Number(one === 1)))
  const tasks = checkTasks(pair, errors, rule)
  // What a condition left unchanged on every task does not enter the verdict.
  const { count: pairs, planned } = pair.unchanged ? { count: 0, planned: 0 } : pair.pairs
  const cell = {
    environment,
    model: model.second,
    agent: agent.second,
    condition,
    ...((model.first !== model.second || agent.first !== agent.second) && {
      was: { model: model.first, agent: agent.first },
    }),
    passes: passesOf(sides.second),
    ...(pairedBy === 'task' && { byTask: { baseline: passesOf(sides.first), run: passesOf(sides.second) } }),
    pairs,
    planned,
    coverage: {
      baseline: shareMeasured(sides.first, !pair.unchanged),
      run: shareMeasured(sides.second, !pair.unchanged),
    },
    errors: errors.reduce((sum, count) => sum + count, 0),
    counts: countStates(tasks),
    flaky: {
      baseline: tasks.filter((task) => isFlaky(task.baseline)).length,
      run: tasks.filter((task) => isFlaky(task.run)).length,
    },
    tasks,
  }
  const cause = partial
    ? 'partial'
    : isOther(environment, condition)
      ? 'changed'
      : findCause(cell, state.includes(2), rule)
  const isTested = cause !== 'partial' && cause !== 'changed' && !pair.unchanged
  const test = isTested ? testDifference(differencesIn(pair, rule.metric), rule) : undefined
  const means = meansOf(pair, rule.metric)
  const unchanged = test && spreadUnchanged(pair, rule.metric)
  return {
    cell,
    ...(test && means && { test, means: { baseline: means.first, run: means.second } }),
    ...(cause && { cause }),
    ...(unchanged && { unchanged }),
  }
}

function findCause(
  { pairs, planned, coverage, errors }: PreparedCell['cell'],
  isMeasured: boolean,
  { minCoverage }: Rule,
): Cause | undefined {
  if (!isMeasured && errors > 0) return 'errors'
  if (planned === 0) return 'unchanged'
  if (pairs === 0) return 'unpaired'
  return Math.min(coverage.baseline, coverage.run) < minCoverage ? 'coverage' : undefined
}

/** Differences of the tasks. A missing episode may have had any outcome from a failure to a success. */
function differencesIn({ pairs }: PairedCell, metric: Rule['metric']): CellDifferences {
  const { difference, low, high } = pairs[metric]
  const measured = [...difference]
  const isWhole = [low, high].every((bound) => bound.every((one, task) => Object.is(one, measured[task])))
  return isWhole ? { measured } : { measured, ifLost: [...low], ifGained: [...high] }
}

/** 1 where nothing was planned. */
function shareMeasured({ shape, state, planned }: Measurements, isGated: boolean): number {
  const all = isGated ? planned.reduce((sum, one) => sum + one, 0) * shape.tasks : 0
  return all === 0 ? 1 : state.reduce((sum, one) => sum + Number(one === 2), 0) / all
}

function countStates(tasks: readonly CheckedTask[]): CheckedCell['counts'] {
  const counts = { kept: 0, lost: 0, gained: 0, broken: 0, unknown: 0, unchanged: 0 }
  for (const { state } of tasks) counts[state]++
  return counts
}

/** Cells that are not in any pair, in the order of their side. */
function listUnpaired(baseline: Outcomes, run: Outcomes, pairs: readonly PairedCell[]): PreparedCell[] {
  const listSide = (outcomes: Outcomes, other: Outcomes, side: 'first' | 'second', cause: 'missing' | 'new') => {
    const known = new Set(pairs.map((pair) => keyOfPair(pair, side)))
    const others = cellsByKey(other)
    return [...cellsByKey(outcomes)].flatMap(([key, cell]) => {
      if (known.has(key)) return []
      if (!others.has(key)) return [unpairedCell(cell, cause)]
      return side === 'first' ? [unpairedCell(cell, 'unpaired')] : []
    })
  }
  return [...listSide(baseline, run, 'first', 'missing'), ...listSide(run, baseline, 'second', 'new')]
}

function unpairedCell({ environment, model, agent, condition }: OutcomeCell, cause: Cause): PreparedCell {
  const none = { baseline: 0, run: 0 }
  const counts = { passes: 0, pairs: 0, planned: 0, coverage: none, errors: 0, flaky: none, counts: countStates([]) }
  return { cell: { environment, model, agent, condition, ...counts, tasks: [] }, cause }
}

/** The state and scores of each task of a cell; `errors` are the episodes of the run that ended in one, by task. */
function checkTasks(cell: PairedCell, errors: readonly number[], rule: Rule): CheckedTask[] {
  return cell.tasks.map(({ id }, place) => {
    const [baseline, run] = [scoreOf(cell, 'first', place), scoreOf(cell, 'second', place)]
    const task = { id, baseline, run, errors: errors[place]! }
    return { ...task, state: cell.unchanged ? 'unchanged' : compareTask(cell, place, task, rule) }
  })
}

/** Whether a task has both successes and failures among its measurements. */
function isFlaky({ measured, successes }: TaskScore): boolean {
  return successes > 0 && successes < measured
}

function scoreOf({ sides, temperatures }: PairedCell, side: 'first' | 'second', task: number): TaskScore {
  const { shape, state, success, progress } = sides[side]
  let [measured, successes] = [0, 0]
  for (let slot = task; slot < state.length; slot += shape.tasks) {
    if (state[slot] !== 2) continue
    measured++
    successes += success[slot]!
  }
  return {
    measured,
    successes,
    ...(measured > 0 && { progress: taskMean(progress, sides[side], [...temperatures.keys()], task) }),
  }
}

function compareTask(
  cell: PairedCell,
  place: number,
  { run, errors }: Pick<CheckedTask, 'run' | 'errors'>,
  { metric, margin }: Rule,
): TaskState {
  const means = taskMeans(cell, metric, place)
  if (means === undefined) return run.measured === 0 && errors > 0 ? 'broken' : 'unknown'
  const { first: before, second: after } = means
  const change =
    metric === 'success'
      ? Number(after >= 0.5) - Number(before >= 0.5)
      : Math.abs(after - before) < margin
        ? 0
        : after - before
  return change < 0 ? 'lost' : change > 0 ? 'gained' : 'kept'
}
