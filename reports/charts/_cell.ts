import type { Aggregate, Group } from '../aggregate/aggregate.js'
import type { Difference } from '../aggregate/differences.js'
import type { Box } from './_bar.js'
import type { ChartPoint } from './chart.js'
import type { Metric, Subject } from './_points.js'
import { describeInterval, identityOf, mark, percent } from './_points.js'
import { label } from './_text.js'

/** Whether the aggregate has corrected tests, by which cells are then marked. */
export function hasHolm({ groups }: Aggregate): boolean {
  return groups.some(({ pooled }) => pooled.difference?.tests?.success.holm !== undefined)
}

/** A cell with its change in points, bold where it is more than chance, and coloured by its sign and size. */
export function drawCell(
  subject: Subject,
  group: Group,
  metric: Metric,
  holm: boolean,
  { x, y, width, height }: Box,
): { readonly marks: string; readonly point: ChartPoint } {
  const { difference } = group.pooled
  const { mean, interval } = difference?.[metric] ?? {}
  const point: ChartPoint = {
    ...identityOf(group),
    metric: `${metric}-change`,
    ...(mean !== undefined && { value: mean }),
    ...interval,
    ...(difference && { valid: difference.pairs, planned: difference.planned }),
  }
  const dagger = difference !== undefined && difference.pairs < difference.planned ? '†' : ''
  const isClear = difference !== undefined && isMoreThanChance(difference, metric, holm)
  const cell = mark(
    'rect',
    { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1, ...paintOf(mean ?? 0) },
    point,
    describe(subject, point, metric),
  )
  const figure = label(mean === undefined ? '–' : signed(mean) + dagger, {
    x: x + width / 2,
    y: y + 12.5,
    size: 10.5,
    'text-anchor': 'middle',
    'pointer-events': 'none',
    ...(isClear && { 'font-weight': 'bold' }),
  })
  return { marks: cell + figure, point }
}

/** By the root of the size, so that small changes are seen and large ones still differ; text in ink is legible on the strongest. */
function paintOf(change: number): { readonly fill: 'cell' | 'vermillion' | 'blue'; readonly 'fill-opacity'?: number } {
  if (change === 0) return { fill: 'cell' }
  return { fill: change < 0 ? 'vermillion' : 'blue', 'fill-opacity': strongest * Math.sqrt(Math.abs(change)) }
}

const strongest = 0.65

function describe(subject: Subject, point: ChartPoint, metric: Metric): string {
  const { column, environment, value, valid, planned } = point
  const change = value === undefined ? 'nothing to compare' : `${metric} ${signed(value)} points`
  const pairs = valid === undefined ? '' : `; ${String(valid)} of ${String(planned)} pairs measured`
  return `${subject.name}, ${column} on ${environment}: ${change}${describeInterval(point)}${pairs}`
}

function signed(share: number): string {
  const text = percent(share)
  return share > 0 && text !== '0.0' ? `+${text}` : text
}

function isMoreThanChance(difference: Difference, metric: Metric, holm: boolean): boolean {
  const test = difference.tests?.[metric]
  if (holm) return test !== undefined && (test.holm ?? test.p) < 0.05
  const { interval } = difference[metric]
  return interval !== undefined && (interval.low > 0 || interval.high < 0)
}
