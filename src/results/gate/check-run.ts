import { ShaketableError } from '../../core/errors.js'
import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import { type PairedCell, type Pairing, meansOf, pairCells } from '../compare/pair-cells.js'
import { passTogether, passUnchanged, spreadUnchanged } from '../compare/pass-unchanged.js'
import { defined } from '../lists.js'
import { type Measurements, countPlanned, placesOf } from '../passes.js'
import { eachMeasured } from '../rates.js'
import { detectableDrop } from '../../statistics/gate-planning.js'
import { count, listFirst } from '../../tables/words.js'
import { describeDrift } from './baseline.js'
import type { Baseline } from './baseline-file.js'
import type { Check, CheckedCell, CheckedTask, Rule } from './check.js'
import { explainCell, nameCheckedCell } from './describe-check.js'
import { type DifferenceTest, decide, judge, testDifference } from './judge.js'

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
    return { ...cell, ...defined({ power }), reason: explainCell(cell, rule) }
  })
  const all = passTogether(cells.flatMap(({ cause, power }) => (cause === undefined ? [power?.passUnchanged] : [])))
  const decision = decide(cells, obstacle)
  return {
    schema: 3,
    ...decision,
    run: { source: run.source, version: run.version, ...defined({ played: run.played, took: run.took }) },
    baseline: {
      ...{ source: before.source, version: before.version, why: last?.why ?? '' },
      ...defined({ played: last?.played }),
    },
    ...{ rule, judged: number, ...defined({ passUnchanged: all }), cells },
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
interface JudgedCell {
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
      const verdict = judgement?.verdict ?? (cell.cause === 'errors' ? 'broken' : 'unknown')
      const adjusted = judgement?.adjusted ?? test?.p
      const ends = means && { baseline: means.first, run: means.second }
      const difference = test && ends && adjusted && { ...ends, ...test, adjusted }
      return { pair, cell: { ...cell, verdict, ...defined({ moved: judgement?.moved, difference }) } }
    }),
    ...alone.first.map((cell) => aloneCell(cell, 'missing')),
    ...alone.second.map((cell) => aloneCell(cell, 'new')),
  ]
}

function prepareCell(pair: PairedCell, rule: Rule) {
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
  return { pair, cell: { ...cell, ...defined({ cause }) }, test }
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

function scoreOf(side: Measurements, task: number): CheckedTask['run'] {
  let [measured, successes] = [0, 0]
  eachMeasured(side, placesOf(side.shape).temperatures, task, (slot) => {
    measured++
    successes += side.success[slot]!
  })
  return { measured, successes }
}

function stateOf(
  { pairs, unchanged, sides: { second } }: PairedCell,
  task: number,
  { metric, margin }: Rule,
): CheckedTask['state'] {
  if (unchanged) return 'unchanged'
  const [before, after] = [pairs[metric].first[task]!, pairs[metric].second[task]!]
  if (Number.isNaN(before)) {
    const states = second.state.filter((_, slot) => slot % second.shape.tasks === task)
    return states.includes(1) && !states.includes(2) ? 'broken' : 'unknown'
  }
  const isNear = metric === 'progress' && Math.abs(after - before) < margin
  const change = metric === 'success' ? Number(after >= 0.5) - Number(before >= 0.5) : isNear ? 0 : after - before
  return change < 0 ? 'lost' : change > 0 ? 'gained' : 'kept'
}

function aloneCell({ environment, model, agent, condition }: OutcomeCell, cause: 'missing' | 'new'): JudgedCell {
  const none = { pairs: 0, planned: 0, coverage: { baseline: 0, run: 0 }, errors: 0, tasks: [] }
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
  return defined({
    passUnchanged: spread && passUnchanged(spread, { margin, alpha }),
    detectable: detectableDrop(gate),
  })
}
