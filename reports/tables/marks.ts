import type { Aggregate, Group, Scope } from '../../src/results/aggregate.js'
import { isHeldIn } from '../../src/results/published/paper-tasks.js'
import type { Detail, NamedScope } from './rows.js'
import { rateCell } from './rows.js'
import type { Cell, Mark } from '../../src/tables/table.js'

/**
 * A rate as a cell with its marks. Rankings are over all temperatures, so a single one of several is not marked as
 * best; nor is a cell that stands under another column than its own (`isRanked` false).
 */
export function markedRate(
  aggregate: Aggregate,
  group: Group,
  scope: NamedScope,
  metric: 'success' | 'progress',
  isRanked = true,
): Cell {
  const cell = rateCell(scope.of(group), metric)
  if (cell.value === undefined) return cell
  const model = aggregate.models.find(({ name }) => name === group.model)
  const isWhole = scope.temperature === undefined || aggregate.temperatures.length === 1
  return {
    ...cell,
    ...(isRanked && isWhole && isBest(aggregate, group, metric) && { best: true }),
    ...(model && isHeldIn(model, group.environment) && { heldIn: true }),
  }
}

/** What the marks of {@link markedRate} mean. */
export function describeRateMarks({ temperatures }: Aggregate, detail: Detail): Readonly<Record<Mark, string>> {
  const where = temperatures.length > 1 && detail === 'each-temperature' ? 'in the rows named all, ' : ''
  return {
    best: `${where}those that may be the best of their column on other tasks (95 % confidence set, all compared with each other on the same tasks); no mark where that is all of them`,
    heldIn: 'the model was trained on data of that environment',
  }
}

/** Where every row may be the best, none is marked. */
function isBest({ rankings }: Aggregate, group: Group, metric: keyof Pick<Scope, 'success' | 'progress'>): boolean {
  const ranking = rankings.find(
    (one) => one.environment === group.environment && one.condition === group.condition && one.metric === metric,
  )
  if (ranking === undefined || ranking.entries.every(({ best }) => best)) return false
  return ranking.entries.some(({ model, agent, best }) => best && model === group.model && agent === group.agent)
}
