import { ShaketableError } from '../../core/errors.js'
import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import type { PairedCell, Pairing } from '../compare/pair-cells.js'
import { meansOf, pairCells } from '../compare/pair-cells.js'
import { passTogether, passUnchanged, spreadUnchanged } from '../compare/pass-unchanged.js'
import type { Measurements } from '../passes.js'
import { countPlanned } from '../passes.js'
import { detectableDrop } from '../../statistics/gate-planning.js'
import { count, listFirst } from '../../tables/words.js'
import { describeDrift } from './baseline.js'
import type { Baseline } from './baseline-file.js'
import type { Check, CheckedCell, CheckedTask, Rule } from './check.js'
import { explainCell, nameCheckedCell } from './describe-check.js'
import type { DifferenceTest } from './judge.js'
import { decide, judge, testDifference } from './judge.js'

/**
 * Checks a run against a baseline, cell by cell; a cell is an environment × model × agent × condition over all tasks
 * and temperatures that both have, paired by task, temperature and seed, with the task as the cluster. A cell that one
 * side does not have is `unknown`. With an `obstacle`, why the run is not whole, nothing is judged.
 * @throws ShaketableError `bad-input` where the two have no task in common or were played with different limits.
 */
export function checkRun(run: Outcomes, baseline: Baseline, rule: Rule, obstacle?: string): Check {
  const { outcomes: before, history } = baseline
  const last = history.at(-1)
  const pairing = pairCells(before, run)
  for (const { words, first, second } of pairing.limits) {
    throw new ShaketableError(
      'bad-input',
      `Expected at most ${String(first)} ${words}, as in the baseline, but the run was played with ${String(second)}. ` +
        'Play it again with the limit of the baseline, or update the baseline.',
    )
  }
  const judged = obstacle === undefined ? judgeCells(pairing, rule) : []
  const number = judged.filter(({ cell }) => cell.cause === undefined).length
  const cells = judged.map(({ cell, pair }): CheckedCell => {
    const power = pair && cell.difference && powerOfCell(pair, cell.difference, rule, number)
    return { ...cell, ...(power && { power }), reason: explainCell(cell, rule) }
  })
  const all = passTogether(cells.flatMap(({ cause, power }) => (cause === undefined ? [power?.passUnchanged] : [])))
  const decision = decide(cells, obstacle)
  return {
    schema: 3,
    ...decision,
    run: {
      ...{ source: run.source, version: run.version },
      ...(run.played !== undefined && { played: run.played }),
      ...(run.took !== undefined && { took: run.took }),
    },
    baseline: {
      ...{ source: before.source, version: before.version, why: last?.why ?? '' },
      ...(last?.played !== undefined && { played: last.played }),
    },
    rule,
    judged: number,
    ...(all !== undefined && { passUnchanged: all }),
    cells,
    notes: [
      ...run.notes,
      ...describeDrift(history),
      ...pairing.notes,
      ...cells.flatMap(describeUnpaired),
      ...(decision.verdict === 'inconclusive' ? [secondLook] : []),
    ],
  }
}

const secondLook =
  'More seeds or tasks may decide it. Adding them until a check passes more than doubles the rate of false passes: play a separate run for the second check.'

/** Tasks that did not enter the verdict of a judged cell. */
function describeUnpaired(cell: CheckedCell): string[] {
  const ids = cell.tasks.filter(({ state }) => state === 'unknown' || state === 'broken').map(({ id }) => id)
  if (cell.cause !== undefined || ids.length === 0) return []
  return [`${nameCheckedCell(cell)}: ${count(ids.length, 'task')} without a pair did not enter: ${listFirst(ids)}.`]
}

/** A cell with its verdict. `pair` is absent for a cell that one side does not have. */
export interface JudgedCell {
  readonly cell: Omit<CheckedCell, 'reason' | 'power'>
  readonly pair?: PairedCell
}

/**
 * Gives every cell its verdict: judges together the cells that can be judged; the others are unknown or broken. Cells
 * are in the baseline's order; those that only the run has come last.
 */
export function judgeCells({ cells, alone }: Pairing, rule: Rule): JudgedCell[] {
  const prepared = cells.map((pair) => prepareCell(pair, rule))
  const judgements = judge(
    prepared.flatMap(({ test, cell }) => (test !== undefined && cell.cause === undefined ? [test] : [])),
    rule,
  ).values()
  return [
    ...prepared.map(({ pair, cell, test }): JudgedCell => {
      const means = meansOf(pair, rule.metric)
      const judgement = cell.cause === undefined ? judgements.next().value : undefined
      const { verdict = cell.cause === 'errors' ? 'broken' : 'unknown', moved, adjusted = test?.p } = judgement ?? {}
      const ends = means && { baseline: means.first, run: means.second }
      return {
        pair,
        cell: {
          ...cell,
          verdict,
          ...(moved && { moved }),
          ...(test && ends && adjusted && { difference: { ...ends, ...test, adjusted } }),
        },
      }
    }),
    ...alone.first.map((cell) => aloneCell(cell, 'missing')),
    ...alone.second.map((cell) => aloneCell(cell, 'new')),
  ]
}

interface PreparedCell {
  readonly pair: PairedCell
  readonly cell: Omit<CheckedCell, 'reason' | 'power' | 'verdict' | 'moved' | 'difference'>
  readonly test: DifferenceTest | undefined
}

function prepareCell(pair: PairedCell, rule: Rule): PreparedCell {
  const { environment, condition, model, agent, sides, unchanged } = pair
  // What a condition left unchanged on every task does not enter the verdict.
  const { count: pairs, planned } = unchanged ? { count: 0, planned: 0 } : pair.pairs
  const coverage = { baseline: shareMeasured(sides.first), run: shareMeasured(sides.second) }
  const hasOtherNames = model.first !== model.second || agent.first !== agent.second
  const cell = {
    ...{ environment, model: model.second, agent: agent.second, condition },
    ...(hasOtherNames && { was: { model: model.first, agent: agent.first } }),
    ...{ pairs, planned, coverage: unchanged ? { baseline: 1, run: 1 } : coverage },
    errors: sides.second.state.filter((state) => state === 1).length,
    tasks: pair.tasks.map(({ id }, place): CheckedTask => {
      const [baseline, run] = [scoreOf(sides.first, place), scoreOf(sides.second, place)]
      return { id, state: stateOf(pair, place, rule), baseline, run }
    }),
  }
  const cause = findCause(pair, cell, rule)
  const test = pair.isOther || unchanged ? undefined : testDifference(pair.pairs[rule.metric], rule)
  return { pair, cell: { ...cell, ...(cause && { cause }) }, test }
}

function findCause(
  { isOther, unchanged, sides }: PairedCell,
  { pairs, coverage, errors }: Pick<CheckedCell, 'pairs' | 'coverage' | 'errors'>,
  { minCoverage }: Rule,
): CheckedCell['cause'] {
  if (isOther) return 'changed'
  if (!sides.second.state.includes(2) && errors > 0) return 'errors'
  if (unchanged) return 'unchanged'
  if (pairs === 0) return 'unpaired'
  return Math.min(coverage.baseline, coverage.run) < minCoverage ? 'coverage' : undefined
}

/** 1 where nothing was planned. */
function shareMeasured(side: Measurements): number {
  const all = countPlanned(side) * side.shape.tasks
  return all === 0 ? 1 : side.state.filter((state) => state === 2).length / all
}

/** The places of a task's episodes. */
function slotsOf({ shape, state }: Measurements, task: number): number[] {
  return Array.from({ length: state.length / shape.tasks }, (_, pass) => pass * shape.tasks + task)
}

function scoreOf(side: Measurements, task: number): CheckedTask['run'] {
  const slots = slotsOf(side, task).filter((slot) => side.state[slot] === 2)
  return { measured: slots.length, successes: slots.filter((slot) => side.success[slot] === 1).length }
}

function stateOf(
  { pairs, unchanged, sides: { second } }: PairedCell,
  task: number,
  { metric, margin }: Rule,
): CheckedTask['state'] {
  if (unchanged) return 'unchanged'
  const [before, after] = [pairs[metric].first[task]!, pairs[metric].second[task]!]
  if (Number.isNaN(before)) {
    const states = slotsOf(second, task).map((slot) => second.state[slot])
    return states.includes(1) && !states.includes(2) ? 'broken' : 'unknown'
  }
  const isNear = metric === 'progress' && Math.abs(after - before) < margin
  const change = metric === 'success' ? Number(after >= 0.5) - Number(before >= 0.5) : isNear ? 0 : after - before
  return change < 0 ? 'lost' : change > 0 ? 'gained' : 'kept'
}

function aloneCell(
  { environment, model, agent, condition }: OutcomeCell,
  cause: Exclude<CheckedCell['cause'], undefined>,
): JudgedCell {
  const coverage = { baseline: 0, run: 0 }
  const none = { pairs: 0, planned: 0, coverage, errors: 0, tasks: [] }
  return { cell: { environment, model, agent, condition, verdict: 'unknown', cause, ...none } }
}

/**
 * The power of the gate. A pass where nothing changed is at the spread of repeats, absent where that is unknown; a fail
 * is at the spread of the tasks' differences, or of repeats where that is larger. Fails are at the most conservative
 * level of the correction, as if all other cells passed. Undefined below two tasks.
 */
function powerOfCell(
  pair: PairedCell,
  { deviation, tasks }: DifferenceTest,
  { metric, margin, alpha }: Rule,
  judged: number,
): CheckedCell['power'] {
  if (deviation === undefined) return undefined
  const spread = spreadUnchanged(pair, metric)
  const taskVariance = Math.max(deviation ** 2, spread ? spread.baseline + spread.run : 0)
  const gate = { margin, alpha: alpha / Math.max(1, judged), taskVariance, pairVariance: 0, tasks, seeds: 1 }
  const detectable = detectableDrop(gate)
  return {
    ...(spread && { passUnchanged: passUnchanged(spread, { margin, alpha })! }),
    ...(detectable !== undefined && { detectable }),
  }
}
