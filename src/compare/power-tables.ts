import type { Table } from '../tables/table.js'
import { count, listWords } from '../tables/words.js'
import type { CellColumns } from './cell-tables.js'
import { cellTables } from './cell-tables.js'
import { describePassUnchanged } from './pass-unchanged.js'
import type { PowerCell, PowerNeed, PowerPlan } from './power.js'
import { plannedPass } from './power.js'

/** A plan as tables, one for each environment: its cells at the pilot's size. */
export function powerTables(plan: PowerPlan): Table[] {
  return cellTables(plan.cells, columnsFor(plan), (environment) => {
    const { seeds, temperatures } = plan.environments.find((one) => one.environment === environment)!.noisiest
    return {
      name: 'power',
      title: `What a gate on ${environment} would see, with the ${describeSeeds(seeds, temperatures)} of this run`,
      notes: [
        `Task, repeat and change are standard deviations in points of ${plan.metric}: between tasks, between repeats of one task, and of the change from the clean column to this one between tasks. ICC: the share of the variance that lies between tasks, in percent.`,
        `Pass if unchanged: the probability that a cell passes where nothing changed${plan.baseline === undefined ? ', against a baseline like this run' : `, against ${plan.baseline}`}. Fail: that it fails at a true drop of ${points(plan.drop)} points. Detectable: the smallest true drop that fails with a probability of ${percent(plan.power)}.`,
      ],
      origin: [
        `Probabilities are for the rule of \`shaketable check\` with alpha ${String(plan.alpha)}, fails corrected for ${count(plan.cells.length, 'cell')}. Pilot: ${plan.source} (shaketable ${plan.version}).`,
      ],
    }
  })
}

function columnsFor({ metric }: PowerPlan): CellColumns<PowerCell> {
  const root = (variance: number | undefined) => (variance === undefined ? undefined : Math.sqrt(variance))
  return {
    Pilot: [
      { title: 'Tasks', shows: 'count', metric: 'tasks', of: ({ tasks }) => tasks },
      { title: 'Mean', shows: 'percent', metric, of: ({ mean }) => mean },
      { title: 'Task', shows: 'percent', metric: 'deviation-between-tasks', of: (cell) => root(cell.betweenTasks) },
      { title: 'Repeat', shows: 'percent', metric: 'deviation-within-task', of: (cell) => root(cell.withinTask) },
      { title: 'Change', shows: 'percent', metric: 'deviation-of-change', of: (cell) => root(cell.fromClean) },
      { title: 'ICC', shows: 'percent', metric: 'icc', of: ({ icc }) => icc },
    ],
    Gate: [
      {
        title: 'Pass if unchanged',
        shows: 'percent',
        metric: 'pass-unchanged',
        of: ({ passUnchanged }) => passUnchanged,
      },
      { title: 'Fail', shows: 'percent', metric: 'power-fail', of: ({ fail }) => fail },
      { title: 'Detectable', shows: 'percent', metric: 'detectable-drop', of: ({ detectable }) => detectable },
    ],
  }
}

/** The results of a plan, in sentences. */
export function describePower(plan: PowerPlan): string[] {
  return [
    describePassUnchanged(plan.passUnchanged, plan.cells.length, plan.margin),
    ...plan.environments.flatMap((need) => describeNeed(need, plan)),
    describeChange(plan),
  ]
}

function describeNeed({ environment, noisiest, needed, floor }: PowerNeed, plan: PowerPlan): string[] {
  const { tasks, seeds, temperatures, passUnchanged, fail, pairVariance, taskVariance, baselineVariance } = noisiest
  const size = `${count(tasks, 'task')} and ${describeSeeds(seeds, temperatures)}`
  const cell = `${noisiest.model} · ${noisiest.agent} · ${noisiest.column}`
  const now =
    `${environment}: with ${size} the noisiest cell (${cell}) passes unchanged in ${percent(passUnchanged)} of runs, ` +
    `and fails a drop of ${points(plan.drop)} points in ${percent(fail)}.`
  const wanted =
    `to pass unchanged in at least ${percent(plan.pass)} of runs${plan.cells.length === 1 ? '' : ', all cells together'} ` +
    `(${percent(plannedPass(plan))} by the figure above, which is too high where few tasks vary), and to fail the drop in ${percent(plan.power)}`
  if (needed.seeds !== null && needed.seeds <= seeds) return [`${now} That is enough ${wanted}.`]
  const others = [
    ...(needed.tasks === null ? [] : [`${count(needed.tasks, 'task')} with these seeds`]),
    ...(needed.margin === null || needed.margin <= plan.margin
      ? []
      : [`a margin of ${points(Math.ceil(needed.margin * 1000) / 1000)} points`]),
  ]
  if (needed.seeds !== null) return [`${now} It takes ${listOr([count(needed.seeds, 'seed'), ...others])} ${wanted}.`]
  const why =
    taskVariance > 0
      ? `a change differs between tasks (ω² = ${taskVariance.toPrecision(2)}), which leaves a standard error of ${points(floor)} points, √(ω²/${String(tasks)}), with any number of seeds`
      : baselineVariance > 0
        ? `the baseline's own seeds leave a standard error of ${points(floor)} points`
        : pairVariance > 0
          ? 'they are too few for a conclusion about other tasks'
          : 'no pair ever differed, which proves little on so few'
  const instead = others.length === 0 ? 'Choose a wider margin.' : `It takes ${listOr(others)} ${wanted}.`
  return [`${now} No number of seeds is enough on ${count(tasks, 'task')}: ${why}. ${instead}`]
}

function describeChange({ taskVariance, cells }: PowerPlan): string {
  if (taskVariance !== undefined) return 'The variance of a change between tasks (ω²) is as given.'
  const seen = cells.map(({ fromClean }) => fromClean).filter((one) => one !== undefined)
  const range = [...new Set([Math.min(...seen), Math.max(...seen)].map((one) => String(Number(one.toPrecision(2)))))]
  const hint =
    seen.length === 0
      ? ''
      : ` From the clean column to the others of this run it was ${range.join(' to ')} (the square of Change, as a share).`
  return `One run does not tell how much a change of the model differs between tasks (ω²). It is taken as 0, as if all tasks moved alike, so that the probabilities of a fail are upper bounds.${hint} Give a figure with --task-variance.`
}

function describeSeeds(seeds: number, temperatures: number): string {
  return `${count(seeds, 'seed')}${temperatures === 1 ? '' : ` at each of ${String(temperatures)} temperatures`}`
}

function listOr(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : listWords(words).replace(/ and ([^,]*)$/, ' or $1')
}

/** A share in points, with a decimal. */
function points(share: number): string {
  return (100 * share).toFixed(1)
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1)).toString()} %`
}
