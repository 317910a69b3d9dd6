import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import { cellsByKey, keyOf } from '../compare/outcomes.js'
import type { PairedCell, Pairing, Sides } from '../compare/pair-cells.js'
import { meansOf, pairCells } from '../compare/pair-cells.js'
import type { UnchangedSpread } from '../compare/pass-unchanged.js'
import { spreadUnchanged } from '../compare/pass-unchanged.js'
import type { Measurements } from '../passes.js'
import { countPlanned } from '../passes.js'
import { taskMeans } from '../rates.js'
import type { Cause, CheckedCell, CheckedTask, Rule, TaskScore, TaskState } from './check.js'
import type { DifferenceTest } from './test-difference.js'
import { testDifference } from './test-difference.js'

/** A cell before it is judged together with the others: its test, and why it may not be judged by it. */
export interface PreparedCell {
  readonly cell: Omit<CheckedCell, 'verdict' | 'cause' | 'reason' | 'moved' | 'difference' | 'power'>
  readonly means?: { readonly baseline: number; readonly run: number }
  readonly test?: DifferenceTest
  readonly cause?: Cause
  /** Absent where neither side has repeats. */
  readonly unchanged?: UnchangedSpread
}

/**
 * Pairs a run with its baseline and tests each cell that can be tested. `causeOf` tells of a condition why none of its
 * cells can be, if so. Cells are in the baseline's order; those that only the run has come last.
 * @throws ShaketableError `bad-input` where the two have no task in common.
 */
export function prepareCells(
  baseline: Outcomes,
  run: Outcomes,
  rule: Rule,
  causeOf: (environment: string, condition: string) => Cause | undefined = () => undefined,
): { readonly prepared: readonly PreparedCell[]; readonly pairing: Pairing } {
  const pairing = pairCells(baseline, run)
  const cells = cellsByKey(pairing.second)
  const paired = pairing.cells.map((pair) =>
    prepareCell(
      pair,
      cells.get(keyOfPair(pair, 'second'))!.played.state,
      rule,
      causeOf(pair.environment, pair.condition),
    ),
  )
  return { prepared: [...paired, ...listUnpaired(baseline, run, pairing.cells)], pairing }
}

function keyOfPair({ environment, model, agent, condition }: PairedCell, side: keyof Sides<unknown>): string {
  return keyOf(environment, model[side], agent[side], condition)
}

/** `state` is that of the run's measurements, at all of its temperatures. */
function prepareCell(pair: PairedCell, state: Uint8Array, rule: Rule, known: Cause | undefined): PreparedCell {
  const { environment, condition, model, agent, sides, unchanged: isUnchanged } = pair
  const errors = pair.tasks.map(() => 0)
  state.forEach((one, slot) => (errors[slot % errors.length]! += Number(one === 1)))
  const [baseline, run] = [scoresOf(sides.first), scoresOf(sides.second)]
  const tasks = pair.tasks.map(({ id }, place): CheckedTask => {
    const task = { id, baseline: baseline[place]!, run: run[place]!, errors: errors[place]! }
    return { ...task, state: stateOf(pair, place, task, rule) }
  })
  const flaky = (side: 'baseline' | 'run'): number =>
    tasks.filter((task) => task[side].successes > 0 && task[side].successes < task[side].measured).length
  // What a condition left unchanged on every task does not enter the verdict.
  const { count: pairs, planned } = isUnchanged ? { count: 0, planned: 0 } : pair.pairs
  const coverage = isUnchanged
    ? { baseline: 1, run: 1 }
    : { baseline: shareMeasured(sides.first), run: shareMeasured(sides.second) }
  const cell = {
    environment,
    model: model.second,
    agent: agent.second,
    condition,
    ...((model.first !== model.second || agent.first !== agent.second) && {
      was: { model: model.first, agent: agent.first },
    }),
    passes: countPlanned(sides.second),
    pairs,
    planned,
    coverage,
    errors: errors.reduce((sum, count) => sum + count, 0),
    counts: countStates(tasks),
    flaky: { baseline: flaky('baseline'), run: flaky('run') },
    tasks,
  }
  const cause = known ?? findCause(cell, state.includes(2), isUnchanged, rule)
  const test = known === undefined && !isUnchanged ? testDifference(pair.pairs[rule.metric], rule) : undefined
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
  { pairs, coverage, errors }: PreparedCell['cell'],
  isMeasured: boolean,
  isUnchanged: boolean,
  { minCoverage }: Rule,
): Cause | undefined {
  if (!isMeasured && errors > 0) return 'errors'
  if (isUnchanged) return 'unchanged'
  if (pairs === 0) return 'unpaired'
  return Math.min(coverage.baseline, coverage.run) < minCoverage ? 'coverage' : undefined
}

/** 1 where nothing was planned. */
function shareMeasured(side: Measurements): number {
  const all = countPlanned(side) * side.shape.tasks
  return all === 0 ? 1 : side.state.reduce((sum, one) => sum + Number(one === 2), 0) / all
}

function countStates(tasks: readonly CheckedTask[]): CheckedCell['counts'] {
  const counts = { kept: 0, lost: 0, gained: 0, broken: 0, unknown: 0, unchanged: 0 }
  for (const { state } of tasks) counts[state]++
  return counts
}

/** Cells that are not in any pair, in the order of their side. */
function listUnpaired(baseline: Outcomes, run: Outcomes, pairs: readonly PairedCell[]): PreparedCell[] {
  const listSide = (outcomes: Outcomes, other: Outcomes, side: keyof Sides<unknown>, cause: 'missing' | 'new') => {
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

/** The scores of each task. */
function scoresOf(side: Measurements): TaskScore[] {
  const { shape, state, success, progress } = side
  return Array.from(taskMeans(progress, side), (mean, task) => {
    let [measured, successes] = [0, 0]
    for (let slot = task; slot < state.length; slot += shape.tasks) {
      if (state[slot] !== 2) continue
      measured++
      successes += success[slot]!
    }
    return { measured, successes, ...(measured > 0 && { progress: mean }) }
  })
}

function stateOf(
  { pairs, unchanged }: PairedCell,
  place: number,
  { run, errors }: Pick<CheckedTask, 'run' | 'errors'>,
  { metric, margin }: Rule,
): TaskState {
  if (unchanged) return 'unchanged'
  const [before, after] = [pairs[metric].first[place]!, pairs[metric].second[place]!]
  if (Number.isNaN(before)) return run.measured === 0 && errors > 0 ? 'broken' : 'unknown'
  const isNear = metric === 'progress' && Math.abs(after - before) < margin
  const change = metric === 'success' ? Number(after >= 0.5) - Number(before >= 0.5) : isNear ? 0 : after - before
  return change < 0 ? 'lost' : change > 0 ? 'gained' : 'kept'
}
