import { defined, groupBy } from '../lists.js'
import { size } from '../summary/figures.js'
import { detectableDrop, marginNeeded, seedsNeeded, tasksNeeded } from '../../statistics/gate-planning.js'
import { powerOfGate } from '../../statistics/power-of-gate.js'
import type { Table } from '../../tables/table.js'
import { count, listFirst, listWords } from '../../tables/words.js'
import { type CellColumns, cellTables } from './cell-tables.js'
import type { Outcomes } from './outcomes.js'
import { type Metric, meansOf } from './pair-cells.js'
import { describePassUnchanged, passesUnchanged, passTogether } from './pass-unchanged.js'

/** A gate and the power it should have. Shares of 1. */
export interface PowerOptions {
  readonly metric: Metric
  /** The largest drop that is tolerated. */
  readonly margin: number
  /** One-sided: the probability of a false pass of a cell, and of a false fail over all cells. */
  readonly alpha: number
  /** The wanted probability that all cells pass where nothing changed. */
  readonly pass: number
  /** The wanted probability of a fail at the drop. */
  readonly power: number
  /** The true drop to detect. */
  readonly drop: number
}

/**
 * Plans a gate whose baseline is like a pilot run, as plain JSON. It takes all tasks to move alike, so that
 * probabilities of a fail are upper bounds.
 */
export function planPower(pilot: Outcomes, options: PowerOptions) {
  const { cells, left } = measureCells(pilot, options)
  return {
    ...{ schema: 1, source: pilot.source, version: pilot.version, ...options, cells },
    environments: [...groupBy(cells, ({ environment }) => environment).values()].map((group) =>
      needOf(group, options, cells.length),
    ),
    passUnchanged: passTogether(cells.map((cell) => cell.passUnchanged)) ?? 0,
    notes: [
      ...pilot.notes,
      ...describeOnePlay(cells),
      ...(left > 0 ? [`Cells without repeats, left out: ${String(left)}.`] : []),
    ],
  }
}

export type PowerPlan = ReturnType<typeof planPower>
type PowerCell = ReturnType<typeof measureCells>['cells'][number]

/** The cells of the pilot, and the power in each of a gate of its size; how many are left out for want of repeats. */
function measureCells(pilot: Outcomes, options: PowerOptions) {
  const { metric, margin, alpha, power, drop } = options
  const all = passesUnchanged(pilot, pilot, options).cells
  const known = all.flatMap(({ cell, spread, pass }) => {
    const mean = meansOf(cell, metric)?.second
    return spread === undefined || pass === undefined || mean === undefined ? [] : [{ cell, spread, pass, mean }]
  })
  const cells = known.map(({ cell, spread, pass, mean }) => {
    const [seeds, temperatures] = [cell.seeds.length, cell.temperatures.length]
    const { tasks, varying } = spread
    const pairVariance = (spread.run + spread.baseline) * seeds * temperatures
    const variances = { taskVariance: 0, pairVariance }
    const gate = { margin, power, alpha: alpha / known.length, tasks, seeds: seeds * temperatures }
    const detectable = detectableDrop({ ...gate, ...variances })
    const { fail } = powerOfGate({ ...gate, drop, ...withDrop(variances, drop, metric) })!
    return {
      ...{ environment: cell.environment, model: cell.model.second, agent: cell.agent.second },
      // The variance is of the difference of two episodes of one task, in squared shares of 1.
      ...{ condition: cell.condition, tasks, seeds, temperatures, mean, pairVariance, varying },
      ...(cell.onePlay.second && { onePlay: true as const }),
      passUnchanged: pass,
      /** At the most conservative level of the correction for all cells. */
      fail,
      /** The smallest true drop that fails with the wanted power. */
      ...defined({ detectable }),
    }
  })
  return { cells, left: all.length - known.length }
}

/** The pilot does not show the randomness of cells whose repeats never differ. */
function describeOnePlay(cells: readonly PowerCell[]): string[] {
  const some = cells.filter(({ onePlay }) => onePlay)
  if (some.length === 0) return []
  const names = [...new Set(some.map(({ model, environment }) => `${model} on ${environment}`))]
  return [
    `1 distinct run of ${listFirst(names)}: repeats at temperature 0 are assumed to be the same again, so ` +
      'that more seeds are of no use, and an unchanged model always passes. A drop d still has a variance between tasks of at least d − d².',
  ]
}

/**
 * The probability by which a gate is planned: half of the tolerated misses are left for what `passUnchanged` assumes.
 * It is up to 5 points too high; planned so, simulated gates pass as often as wanted (`bench/pass-unchanged.ts`).
 */
function plannedPass({ pass }: Pick<PowerOptions, 'pass'>): number {
  return (1 + pass) / 2
}

/**
 * What a gate takes in an environment for the wanted probabilities of both verdicts, by its cell with the largest
 * standard error at the size of the pilot. Each with the other size as it is; null where nothing is enough.
 */
function needOf(cells: readonly PowerCell[], options: PowerOptions, judged: number) {
  const { metric, margin, alpha, power, drop } = options
  /** Of the standard error. */
  const squareOf = (cell: PowerCell): number => cell.pairVariance / (cell.seeds * cell.temperatures) / cell.tasks
  const noisiest = cells.reduce((worst, cell) => (squareOf(cell) > squareOf(worst) ? cell : worst))
  const { tasks, seeds, temperatures, varying } = noisiest
  // By seed: each is played once at each temperature.
  const variances = { taskVariance: 0, pairVariance: noisiest.pairVariance / temperatures }
  const pass = { ...variances, varying, margin, alpha, power: plannedPass(options) ** (1 / judged) }
  const fail = { ...withDrop(variances, drop, metric), varying, margin, alpha: alpha / judged, power, drop }
  const both = (need: (one: typeof pass | typeof fail) => number | undefined): number | null => {
    const [toPass, toFail] = [need(pass), need(fail)]
    return toPass === undefined || toFail === undefined ? null : Math.max(toPass, toFail)
  }
  return {
    environment: noisiest.environment,
    noisiest,
    needed: {
      seeds: both((one) => seedsNeeded({ ...one, tasks })),
      tasks: both((one) => tasksNeeded({ ...one, seeds })),
      margin: marginNeeded({ ...pass, tasks, seeds }) ?? null,
    },
  }
}

/**
 * Raises the variances to the least that a true drop allows. Where successes are 1 or 0 a mean difference of −d has a
 * variance of at least d − d² over tasks, even if all that changes is that a share d of the tasks is lost. What repeats
 * and ω² lack of that lies between tasks, so that more seeds do not lower it. Without it a pilot at temperature 0,
 * whose repeats are copies, would have no variance. Progress may drop on all tasks alike, and has no such bound.
 */
export function withDrop(
  { taskVariance, pairVariance }: { readonly taskVariance: number; readonly pairVariance: number },
  drop: number,
  metric: Metric,
) {
  const size = Math.min(1, Math.abs(drop))
  const least = metric === 'success' ? size - size ** 2 : 0
  return { taskVariance: taskVariance + Math.max(0, least - taskVariance - pairVariance), pairVariance }
}

/** A plan as tables, one for each environment: its cells at the pilot's size. */
export function powerTables(plan: PowerPlan): Table[] {
  const columns: CellColumns<PowerCell> = {
    Pilot: [
      ['Tasks', 'count', 'tasks', ({ tasks }) => tasks],
      ['Mean', 'percent', plan.metric, ({ mean }) => mean],
    ],
    Gate: [
      ['Pass if unchanged', 'percent', 'pass-unchanged', ({ passUnchanged }) => passUnchanged],
      ['Fail', 'percent', 'power-fail', ({ fail }) => fail],
      ['Detectable', 'percent', 'detectable-drop', ({ detectable }) => detectable],
    ],
  }
  return cellTables(plan.cells, columns, (environment) => {
    const { seeds, temperatures } = plan.environments.find((one) => one.environment === environment)!.noisiest
    return {
      name: 'power',
      title: `What a gate on ${environment} would see, with the ${describeSeeds(seeds, temperatures)} of this run`,
      notes: [
        `Pass if unchanged: the probability that a cell passes where nothing changed, against a baseline like this run. Fail: that it fails at a true drop of ${size(plan.drop)} points. Detectable: the smallest true drop that fails with a probability of ${percent(plan.power)}.`,
      ],
      origin: [
        `Probabilities are for the rule of \`shaketable check\` with alpha ${String(plan.alpha)}, fails corrected for ${count(plan.cells.length, 'cell')}. Pilot: ${plan.source} (shaketable ${plan.version}).`,
      ],
    }
  })
}

/** The results of a plan, in sentences. */
export function describePower(plan: PowerPlan): string[] {
  return [
    describePassUnchanged(plan.passUnchanged, plan.cells.length, plan.margin),
    ...plan.environments.map((need) => describeNeed(need, plan)),
    'One run does not tell how much a change of the model differs between tasks. All tasks are taken to move alike, so that the probabilities of a fail are upper bounds.',
  ]
}

function describeNeed({ environment, noisiest, needed }: PowerPlan['environments'][number], plan: PowerPlan): string {
  const { tasks, seeds, temperatures, passUnchanged, fail } = noisiest
  const cell = `${noisiest.model} · ${noisiest.agent} · ${noisiest.condition}`
  const now =
    `${environment}: with ${count(tasks, 'task')} and ${describeSeeds(seeds, temperatures)} the noisiest cell (${cell}) passes unchanged in ${percent(passUnchanged)} of runs, ` +
    `and fails a drop of ${size(plan.drop)} points in ${percent(fail)}.`
  const wanted =
    `to pass unchanged in at least ${percent(plan.pass)} of runs${plan.cells.length === 1 ? '' : ', all cells together'} ` +
    `(${percent(plannedPass(plan))} by the figure above, which is too high where few tasks vary), and to fail the drop in ${percent(plan.power)}`
  if (needed.seeds !== null && needed.seeds <= seeds) return `${now} That is enough ${wanted}.`
  const margin = Math.ceil((needed.margin ?? 0) * 1000) / 1000
  const ways = [
    needed.seeds !== null && count(needed.seeds, 'seed'),
    needed.tasks !== null && `${count(needed.tasks, 'task')} with these seeds`,
    margin > plan.margin && `a margin of ${size(margin)} points`,
  ].filter((way) => way !== false)
  const none = needed.seeds === null ? ` No number of seeds is enough on ${count(tasks, 'task')}.` : ''
  const takes = listWords(ways).replace(/ and ([^,]*)$/, ' or $1')
  return `${now}${none} ${takes === '' ? 'Choose a wider margin.' : `It takes ${takes} ${wanted}.`}`
}

function describeSeeds(seeds: number, temperatures: number): string {
  return `${count(seeds, 'seed')}${temperatures === 1 ? '' : ` at each of ${String(temperatures)} temperatures`}`
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1)).toString()} %`
}
