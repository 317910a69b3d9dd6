import { figure } from '../../reports/tables/rows.js'
import type { Cell, Column, Table } from '../tables/table.js'
import { count } from '../tables/words.js'
import type { PowerCell, PowerGrid, PowerPlan } from './power.js'

/**
 * A plan as tables, two for each environment: its cells at the size they have, and the noisiest of them at other sizes.
 */
export function powerTables(plan: PowerPlan): Table[] {
  return plan.environments.flatMap((grid) => [cellTable(plan, grid), gridTable(plan, grid)])
}

function cellTable(plan: PowerPlan, { environment, noisiest }: PowerGrid): Table {
  const cells = plan.cells.filter((cell) => cell.environment === environment)
  const hasAgents = new Set(cells.map(({ agent }) => agent)).size > 1
  const { seeds, temperatures } = noisiest
  const pairs =
    temperatures === 1
      ? count(seeds, 'seed')
      : `${count(seeds, 'seed')} at each of ${String(temperatures)} temperatures`
  return {
    name: 'power',
    environment,
    title: `What a gate on ${environment} would see, with the ${pairs} of this run`,
    notes: [
      `Task, repeat and change are standard deviations in points of ${plan.metric}: how far tasks lie apart, how far repeats of one task do, and how differently tasks took the step from the clean column to this one. ICC: the share of the variance that lies between tasks, in percent.`,
      `Pass: the chance that a cell passes where nothing changed. Fail: that it fails where it truly dropped by ${points(plan.drop)} points. Detectable: the smallest true drop that fails with a chance of ${percent(plan.power)}.`,
    ],
    origin: originOf(plan),
    heads: ['Model', ...(hasAgents ? ['Agent'] : []), 'Column'],
    groups: [
      {
        title: 'Pilot',
        columns: [
          { title: 'Tasks', shows: 'count', metric: 'tasks' },
          { title: 'Mean', shows: 'percent', metric: plan.metric },
          { title: 'Task', shows: 'percent', metric: 'deviation-between-tasks' },
          { title: 'Repeat', shows: 'percent', metric: 'deviation-within-task' },
          { title: 'Change', shows: 'percent', metric: 'deviation-of-change' },
          { title: 'ICC', shows: 'percent', metric: 'icc' },
        ],
      },
      {
        title: 'Gate',
        columns: [
          { title: 'Pass', shows: 'percent', metric: 'power-pass' },
          { title: 'Fail', shows: 'percent', metric: 'power-fail' },
          { title: 'Detectable', shows: 'percent', metric: 'detectable-drop' },
        ],
      },
    ],
    rows: cells.map((cell) => ({
      heads: [cell.model, ...(hasAgents ? [cell.agent] : []), cell.column],
      model: cell.model,
      agent: cell.agent,
      label: cell.column,
      cells: cellsOf(cell),
    })),
  }
}

function cellsOf({ tasks, mean, betweenTasks, withinTask, fromClean, icc, pass, fail, detectable }: PowerCell): Cell[] {
  const deviation = (variance: number | undefined): Cell =>
    figure(variance === undefined ? undefined : Math.sqrt(variance))
  return [
    figure(tasks),
    figure(mean),
    deviation(betweenTasks),
    deviation(withinTask),
    deviation(fromClean),
    figure(icc),
    figure(pass),
    figure(fail),
    figure(detectable),
  ]
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
      `Chances of a gate with a margin of ${points(plan.margin)} points${temperatures === 1 ? '' : `, seeds at each of ${String(temperatures)} temperatures`}: to pass where nothing changed, and to fail where it truly dropped by ${points(plan.drop)} points.`,
    ],
    origin: originOf(plan),
    heads: ['Tasks'],
    groups: [
      { title: 'Pass if nothing changed', columns: columns('power-pass') },
      { title: `Fail at a drop of ${points(plan.drop)} points`, columns: columns('power-fail') },
    ],
    rows: rows.map(({ tasks, pass, fail }) => ({
      heads: [tasks === noisiest.tasks ? `${String(tasks)} (now)` : String(tasks)],
      model,
      agent,
      label: column,
      cells: [...pass, ...fail].map((chance) => figure(chance)),
    })),
  }
}

function originOf({ source, version, alpha, cells }: PowerPlan): string[] {
  return [
    `Chances are for the rule of \`shaketable check\` with alpha ${String(alpha)}, fails corrected for ${count(cells.length, 'cell')}. Pilot: ${source} (shaketable ${version}).`,
  ]
}

/** A share in points, with a decimal. */
export function points(share: number): string {
  return (100 * share).toFixed(1)
}

/** A share in percent. */
export function percent(share: number): string {
  return `${Number((100 * share).toFixed(1)).toString()} %`
}
