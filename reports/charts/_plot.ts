import type { ChartPoint } from './chart.js'
import { groupMarks, mark, pointFields } from './_points.js'
import type { Scale } from './_scale.js'
import type { LineStyle, Named } from './_styles.js'
import { markerPaint, markerShape, strokeOf } from './_styles.js'
import { element, number } from './_svg.js'
import { label, wrapText } from './_text.js'
import { listWords } from '../../src/tables/words.js'

/** Lines over one horizontal axis; the vertical one is a share from 0 to 100 %. */
export interface Panel {
  readonly title: string
  readonly lines: readonly Line[]
}

/** One line. Each point has an `x` and a `value`; they are in ascending order of `x`. */
export interface Line extends Named {
  readonly points: readonly ChartPoint[]
  /** The tooltip of a point. */
  readonly describe: (point: ChartPoint) => string
}

/** Lines that coincide, drawn once in the style of the first. */
interface MergedLine extends Line {
  /** The names of all of them. */
  readonly names: readonly string[]
}

/** Lines through the same points as one, which its tooltips say. */
export function mergeLines(lines: readonly Line[]): readonly MergedLine[] {
  return groupEqual(lines, ({ points }) =>
    points.map(({ x, value, low, high }) => [x, value, low, high].join(' ')).join(),
  ).map((equal) => {
    const [first] = equal
    const names = equal.map(({ name }) => name)
    const describe = (point: ChartPoint): string => first!.describe(point) + sameAs(names)
    return { ...first!, names, describe }
  })
}

/** Things in groups with the same key, in the order of the first of each. */
function groupEqual<Of>(all: readonly Of[], keyOf: (one: Of) => string): Of[][] {
  const groups = new Map<string, Of[]>()
  for (const one of all) {
    const key = keyOf(one)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

/** The end of a tooltip of something that is drawn once for several. */
function sameAs(names: readonly string[]): string {
  return names.length > 1 ? `; the same for ${listWords(names.slice(1))}` : ''
}

/** Which lines are drawn as one, in muted lines of text; none where all differ. */
export function coincidences(
  groups: readonly (readonly string[])[],
  width: number,
): { readonly height: number; drawAt(x: number, y: number): string } {
  const all = groups.reduce((sum, { length }) => sum + length, 0)
  const texts = groups
    .filter((names) => names.length > 1)
    .map((names) => (names.length === all ? `all ${String(all)} coincide` : names.join(' = ')))
  const lines = texts.flatMap((text) => wrapText(text, width, smallSize, maxSmallLines))
  return {
    height: lines.length * smallPitch,
    drawAt: (x, y) =>
      lines
        .map((line, place) => label(line, { x, y: y + place * smallPitch, size: smallSize, fill: 'muted' }))
        .join(''),
  }
}

const smallSize = 8.5
const smallPitch = 10
const maxSmallLines = 6

/** The plotting area of a panel, in the drawing's units. */
export interface Plot {
  readonly across: Scale
  readonly up: Scale
  readonly left: number
  readonly right: number
}

/** The lines of a panel over their grid; the figures along its axes are drawn apart. */
export function drawPlot({ lines }: Panel, plot: Plot, ticks: readonly number[]): string {
  const { across, up, left, right } = plot
  const bottom = up(0)
  const rule = { stroke: 'grid', 'stroke-width': 0.75 } as const
  const level = (share: number): object => ({ x1: left, x2: right, y1: up(share), y2: up(share) })
  return [
    ...[0.25, 0.5, 0.75, 1].map((share) => element('line', { ...level(share), ...rule })),
    element('line', { ...level(0), ...rule, stroke: 'axis' }),
    ...ticks.map((tick) =>
      element('line', { x1: across(tick), x2: across(tick), y1: bottom, y2: bottom + 3, ...rule, stroke: 'axis' }),
    ),
    ...lines.map((line, index) => drawLine(line, index, lines.length, plot)),
  ].join('')
}

/** The figures along the vertical axis. */
export function drawShares({ up, left }: Plot): string {
  const attributes = { x: left - 4, size: 10, fill: 'muted', 'text-anchor': 'end' } as const
  return [0, 0.5, 1].map((share) => label(String(100 * share), { ...attributes, y: up(share) + 3.5 })).join('')
}

/** The figures along the horizontal axis. */
export function drawTicks({ across, up }: Plot, ticks: readonly number[]): string {
  const attributes = { y: up(0) + 14, size: 10, fill: 'muted', 'text-anchor': 'middle' } as const
  return ticks.map((tick) => label(String(tick), { ...attributes, x: across(tick) })).join('')
}

const maxMarkers = 7
const maxCorners = 200
const sideStep = 2.2

/**
 * Lines that coincide can be distinguished by their markers, which start at a different point on each; where every
 * point has its marker, the lines are shifted sideways instead.
 */
function drawLine({ style, points, describe }: Line, index: number, lines: number, { across, up }: Plot): string {
  const sparse = Math.max(1, Math.round(points.length / maxMarkers))
  const stride = points.length < 2 * lines ? sparse : Math.max(sparse, lines)
  const first = Math.floor((index * stride) / lines)
  const aside = stride === 1 ? sideStep * (index - (lines - 1) / 2) : 0
  const placeOf = ({ x, value }: ChartPoint) => ({ x: across(x!) + aside, y: up(value!) })
  const marked = points.filter((_, at) => at % stride === first)
  const markers = marked.map((point) => {
    const { x, y } = placeOf(point)
    const { name, attributes } = markerShape(style, x, y)
    return mark(name, attributes, point, describe(point), pointFields.figures)
  })
  const corners = thin(points.map(placeOf)).map(({ x, y }) => `${number(x)} ${number(y)}`)
  return [
    element('path', { d: `M${corners.join('L')}`, ...strokeOf(style) }),
    ...marked.map((point) => drawInterval(point, placeOf(point).x, up, style)),
    groupMarks(markerPaint(style), marked, markers),
  ].join('')
}

/** Thins out corners that are too close to be visible; the last one stays. */
function thin<Point>(points: readonly Point[]): readonly Point[] {
  const stride = Math.ceil(points.length / maxCorners)
  return points.filter((_, index) => index % stride === 0 || index === points.length - 1)
}

function drawInterval({ low, high }: ChartPoint, x: number, up: Scale, { colour }: LineStyle): string {
  if (low === undefined || high === undefined) return ''
  const cap = (y: number): string => `M${number(x - 2)} ${number(y)}h4`
  return element('path', {
    d: `M${number(x)} ${number(up(low))}V${number(up(high))}${cap(up(low))}${cap(up(high))}`,
    fill: 'none',
    stroke: colour,
    'stroke-width': 1,
    'pointer-events': 'none',
  })
}
