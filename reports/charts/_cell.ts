import type { PairedDifference } from '../../src/statistics/index.js'
import type { Aggregate } from '../aggregate/aggregate.js'
import type { Difference } from '../aggregate/schema.js'
import type { ChartPoint } from './chart.js'
import type { Metric, Subject } from './_points.js'
import { describeInterval, describeTouched, mark, percent, signed, touchedPoint, touchedText } from './_points.js'
import type { Attributes } from './_svg.js'
import { label } from './_text.js'

/** Whether the aggregate has corrected tests; cells are then marked by them. */
export function hasHolm({ groups }: Aggregate): boolean {
  return groups.some(({ pooled }) => pooled.difference?.tests?.success.holm !== undefined)
}

/** A rectangle in the drawing's units. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A cell's marks, and the figure that it shows. */
export interface DrawnCell {
  readonly marks: string
  readonly point: ChartPoint
}

/** The content of a cell. */
export interface CellContent {
  readonly subject: Subject
  readonly metric: Metric
  /** The cell's point without figures. */
  readonly point: ChartPoint
  readonly difference: PairedDifference | undefined
  readonly pairs: (Pick<Difference, 'pairs' | 'touched'> & { readonly planned?: number }) | undefined
  /** Whether the change is significant, and written in bold. */
  readonly isBold: boolean
}

/** A cell with its change in points, bold where it is significant, and coloured by its sign and size. */
export function drawCell(
  { subject, metric, point: unmeasured, difference, pairs, isBold }: CellContent,
  box: Box,
): DrawnCell {
  const { mean, interval } = difference ?? {}
  const planned = pairs?.planned
  const point: ChartPoint = {
    ...unmeasured,
    ...(mean !== undefined && { value: mean }),
    ...interval,
    ...(pairs && { valid: pairs.pairs }),
    ...(planned !== undefined && { planned }),
    ...touchedPoint(pairs?.touched),
  }
  const dagger = pairs !== undefined && planned !== undefined && pairs.pairs < planned ? '†' : ''
  const text = mean === undefined ? '–' : signed(mean) + dagger
  return drawBox(point, describe(subject, point, metric), box, paintOf(mean ?? 0), text, isBold)
}

/** A cell with a rate in percent, coloured by its size; `words` are its tooltip without the figure. */
export function drawRateCell(point: ChartPoint, words: string, box: Box): DrawnCell {
  const { value } = point
  const paint = value === undefined ? paintOf(0) : ({ fill: 'blue', 'fill-opacity': strongest * value } as const)
  const text = value === undefined ? '–' : percent(value)
  return drawBox(point, `${words}${value === undefined ? ' not measured' : ` with ${text} %`}`, box, paint, text, false)
}

function drawBox(
  point: ChartPoint,
  words: string,
  { x, y, width, height }: Box,
  paint: Attributes,
  text: string,
  isBold: boolean,
): DrawnCell {
  const cell = mark('rect', { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1, ...paint }, point, words)
  const figure = label(text, {
    x: x + width / 2,
    y: y + 12.5,
    size: 10.5,
    'text-anchor': 'middle',
    'pointer-events': 'none',
    ...(isBold && { 'font-weight': 'bold' }),
  })
  const shares = touchedText([point])
  const below = label(shares, {
    x: x + width / 2,
    y: y + 23.5,
    size: 9,
    'text-anchor': 'middle',
    'pointer-events': 'none',
  })
  return { marks: cell + figure + (shares === '' ? '' : below), point }
}

/**
 * Opacity follows the root of the size, so that small changes are visible and large ones still differ; text in ink is
 * legible on the strongest.
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
  return `${subject.name}, ${column} on ${where}: ${change}${describeInterval(point)}${pairs}${describeTouched(point)}`
}

/** By the test, corrected where it can be, if `holm` is set; otherwise by whether the interval excludes 0. */
export function isSignificant(difference: Difference, metric: Metric, holm: boolean): boolean {
  return holm ? (difference.tests?.[metric].holm ?? 1) < 0.05 : excludesZero(difference[metric])
}

/** Whether the 95 % interval of a difference excludes 0. */
export function excludesZero({ interval }: PairedDifference): boolean {
  return interval !== undefined && (interval.low > 0 || interval.high < 0)
}
