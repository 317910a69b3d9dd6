import type { PairedDifference } from 'shaketable/statistics'
import type { Aggregate } from '../aggregate/aggregate.js'
import type { Difference } from '../aggregate/differences.js'
import type { Box } from './_bar.js'
import type { ChartPoint } from './chart.js'
import type { Metric, Subject } from './_points.js'
import { describeInterval, mark, percent } from './_points.js'
import { label } from './_text.js'

/** Whether the aggregate has corrected tests, by which cells are then marked. */
export function hasHolm({ groups }: Aggregate): boolean {
  return groups.some(({ pooled }) => pooled.difference?.tests?.success.holm !== undefined)
}

/** What a cell shows. */
interface CellContent {
  readonly subject: Subject
  readonly metric: Metric
  /** Whose change it is. */
  readonly point: ChartPoint
  readonly difference: PairedDifference | undefined
  readonly pairs: { readonly pairs: number; readonly planned?: number } | undefined
  /** Whether it is more than chance. */
  readonly isClear: boolean
}

/** A cell as it is drawn. */
export interface DrawnCell {
  readonly marks: string
  readonly point: ChartPoint
}

/** A cell with its change in points, bold where it is more than chance, and coloured by its sign and size. */
export function drawCell(
  { subject, metric, point: whose, difference, pairs, isClear }: CellContent,
  { x, y, width, height }: Box,
): DrawnCell {
  const { mean, interval } = difference ?? {}
  const planned = pairs?.planned
  const point: ChartPoint = {
    ...whose,
    ...(mean !== undefined && { value: mean }),
    ...interval,
    ...(pairs && { valid: pairs.pairs }),
    ...(planned !== undefined && { planned }),
  }
  const dagger = pairs !== undefined && planned !== undefined && pairs.pairs < planned ? '†' : ''
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

/**
 * By the root of the size, so that small changes are seen and large ones still differ; text in ink is legible on the
 * strongest.
 */
function paintOf(change: number): { readonly fill: 'cell' | 'vermillion' | 'blue'; readonly 'fill-opacity'?: number } {
  if (change === 0) return { fill: 'cell' }
  return { fill: change < 0 ? 'vermillion' : 'blue', 'fill-opacity': strongest * Math.sqrt(Math.abs(change)) }
}

const strongest = 0.65

function describe(subject: Subject, point: ChartPoint, metric: Metric): string {
  const { column, environment, kind, value, valid, planned } = point
  const change = value === undefined ? 'nothing to compare' : `${metric} ${signed(value)} points`
  const of = planned === undefined ? '' : ` of ${String(planned)}`
  const pairs = valid === undefined ? '' : `; ${String(valid)}${of} pairs measured`
  const where = kind === undefined ? environment : `${kind} of ${environment}`
  return `${subject.name}, ${column} on ${where}: ${change}${describeInterval(point)}${pairs}`
}

function signed(share: number): string {
  const text = percent(share)
  return share > 0 && text !== '0.0' ? `+${text}` : text
}

/** By the corrected test where there are some, else by the interval. */
export function isMoreThanChance(difference: Difference, metric: Metric, holm: boolean): boolean {
  const test = difference.tests?.[metric]
  if (holm) return test !== undefined && (test.holm ?? test.p) < 0.05
  const { interval } = difference[metric]
  return interval !== undefined && (interval.low > 0 || interval.high < 0)
}
