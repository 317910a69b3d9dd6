import { figure } from '../tables/table.js'
import type { Column, Table } from '../tables/table.js'
import { count, listWords } from '../tables/words.js'
import type { CellColumns } from './cell-tables.js'
import { cellTables } from './cell-tables.js'
import { describePassUnchanged } from './pass-unchanged.js'
import type { PowerCell, PowerGrid, PowerPlan } from './power.js'
import { plannedPass } from './power.js'

/** A plan as tables, two for each environment: its cells at the pilot's size, and the noisiest one at other sizes. */
export function powerTables(plan: PowerPlan): Table[] {
  return plan.environments.flatMap((grid) => {
    const cells = plan.cells.filter(({ environment }) => environment === grid.environment)
    const { seeds, temperatures } = grid.noisiest
    return [
      ...cellTables(cells, columnsFor(plan), (environment) => ({
        name: 'power',
        title: `What a gate on ${environment} would see, with the ${describeSeeds(seeds, temperatures)} of this run`,
        notes: [
          `Task, repeat and change are standard deviations in points of ${plan.metric}: between tasks, between repeats of one task, and of the change from the clean column to this one between tasks. ICC: the share of the variance that lies between tasks, in percent.`,
          `Pass if unchanged: the probability that a cell passes where nothing changed${plan.baseline === undefined ? ', against a baseline like this run' : `, against ${plan.baseline}`}. Fail: that it fails at a true drop of ${points(plan.drop)} points. Detectable: the smallest true drop that fails with a probability of ${percent(plan.power)}.`,
        ],
        origin: originOf(plan),
      })),
      gridTable(plan, grid),
    ]
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

function gridTable(plan: PowerPlan, { environment, noisiest, seeds, rows }: PowerGrid): Table {
  const { model, agent, column, temperatures } = noisiest
  const columns = (metric: string): Column[] =>
    seeds.map((size) => ({ title: count(size, 'seed'), shows: 'percent', metric: `${metric}-${String(size)}-seeds` }))
  return {
    name: 'power-grid',
    environment,
    title: `The same for other sizes: ${model}, ${agent}, ${column} on ${environment}, its noisiest cell`,
    notes: [
      `Probabilities that a gate with a margin of ${points(plan.margin)} points${temperatures === 1 ? '' : ` (seeds at each of ${String(temperatures)} temperatures)`} passes where ${isChange(plan) ? 'a change leaves the mean as it was' : 'nothing changed'}, and fails at a true drop of ${points(plan.drop)} points.`,
    ],
    origin: originOf(plan),
    heads: ['Tasks'],
    groups: [
      { title: isChange(plan) ? 'Pass if equal on average' : 'Pass if unchanged', columns: columns('power-pass') },
      { title: `Fail at a drop of ${points(plan.drop)} points`, columns: columns('power-fail') },
    ],
    rows: rows.map(({ tasks, pass, fail }) => ({
      heads: [tasks === noisiest.tasks ? `${String(tasks)} (now)` : String(tasks)],
      model,
      agent,
      label: column,
      cells: [...pass, ...fail].map((share) => figure(share)),
    })),
  }
}

function originOf({ source, version, alpha, cells }: PowerPlan): string[] {
  return [
    `Probabilities are for the rule of \`shaketable check\` with alpha ${String(alpha)}, fails corrected for ${count(cells.length, 'cell')}. Pilot: ${source} (shaketable ${version}).`,
  ]
}

/** Whether a change differs between tasks, so that even one that leaves the mean as it was may not pass. */
function isChange({ cells }: PowerPlan): boolean {
  return cells.some(({ taskVariance }) => taskVariance > 0)
}

/** The results of a plan, in sentences. */
export function describePower(plan: PowerPlan): string[] {
  return [
    describePassUnchanged(plan.passUnchanged, plan.cells.length, plan.margin),
    ...plan.environments.flatMap((grid) => describeGrid(grid, plan)),
    describeChange(plan),
  ]
}

function describeGrid({ environment, noisiest, needed, floor }: PowerGrid, plan: PowerPlan): string[] {
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

function describeChange({ change, cells }: PowerPlan): string {
  if (change === 'given') return 'The variance of a change between tasks (ω²) is as given.'
  if (change !== 'none')
    return `The variance of a change between tasks (ω²) was measured against ${change.source}, cell by cell.`
  const seen = cells.map(({ fromClean }) => fromClean).filter((one) => one !== undefined)
  const range = [...new Set([Math.min(...seen), Math.max(...seen)].map((one) => String(Number(one.toPrecision(2)))))]
  const hint =
    seen.length === 0
      ? ''
      : ` From the clean column to the others of this run it was ${range.join(' to ')} (the square of Change, as a share).`
  return `One run does not tell how much a change of the model differs between tasks (ω²). It is taken as 0, as if all tasks moved alike, so that the probabilities of a fail are upper bounds.${hint} Give a second run with --with, or a figure with --task-variance.`
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
