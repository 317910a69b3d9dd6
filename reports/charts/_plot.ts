import type { ChartPoint } from './chart.js'
import type { Line, Panel, Plot } from './_panel.js'
import { groupOfMarks, markOfGroup } from './_points.js'
import type { Scale } from './_scale.js'
import type { LineStyle } from './_styles.js'
import { markerPaint, markerShape, strokeOf } from './_styles.js'
import { element, number } from './_svg.js'
import { label } from './_text.js'

/** The lines of a panel over their grid, without the figures along its axes. */
export function drawPlot({ lines }: Panel, plot: Plot, ticks: readonly number[]): string {
  const { across, up, left, right } = plot
  const rule = { stroke: 'grid', 'stroke-width': 0.75 } as const
  const level = (share: number): object => ({ x1: left, x2: right, y1: up(share), y2: up(share) })
  return [
    ...[0.25, 0.5, 0.75, 1].map((share) => element('line', { ...level(share), ...rule })),
    element('line', { ...level(0), ...rule, stroke: 'axis' }),
    ...ticks.map((tick) =>
      element('line', { x1: across(tick), x2: across(tick), y1: up(0), y2: up(0) + 3, ...rule, stroke: 'axis' }),
    ),
    ...lines.map((line, place) => drawLine(line, place, lines.length, plot)),
  ].join('')
}

/** The figures along the vertical axis. */
export function drawShares({ up, left }: Plot): string {
  const place = { x: left - 4, size: 10, fill: 'muted', 'text-anchor': 'end' } as const
  return [0, 0.5, 1].map((share) => label(String(100 * share), { ...place, y: up(share) + 3.5 })).join('')
}

/** The figures along the horizontal axis. */
export function drawTicks({ across, up }: Plot, ticks: readonly number[]): string {
  const place = { y: up(0) + 14, size: 10, fill: 'muted', 'text-anchor': 'middle' } as const
  return ticks.map((tick) => label(String(tick), { ...place, x: across(tick) })).join('')
}

const maxMarkers = 7
const maxCorners = 200
const sideStep = 2.2

/**
 * Lines that lie on each other are told apart by their markers, which begin at another point on each; where every point
 * has its marker, whole lines stand side by side.
 */
function drawLine({ style, points, describe }: Line, place: number, lines: number, { across, up }: Plot): string {
  const sparse = Math.max(1, Math.round(points.length / maxMarkers))
  const stride = points.length < 2 * lines ? sparse : Math.max(sparse, lines)
  const first = Math.floor((place * stride) / lines)
  const aside = stride === 1 ? sideStep * (place - (lines - 1) / 2) : 0
  const at = ({ x, value }: ChartPoint): { readonly x: number; readonly y: number } => ({
    x: across(x!) + aside,
    y: up(value!),
  })
  const marked = points.filter((_, index) => index % stride === first)
  const markers = marked.map((point) => {
    const { x, y } = at(point)
    const { name, attributes } = markerShape(style, x, y)
    return markOfGroup(name, attributes, point, describe(point))
  })
  const corners = thin(points.map(at)).map(({ x, y }) => `${number(x)} ${number(y)}`)
  return [
    element('path', { d: `M${corners.join('L')}`, ...strokeOf(style) }),
    ...marked.map((point) => drawInterval(point, at(point).x, up, style)),
    groupOfMarks(markerPaint(style), marked, markers),
  ].join('')
}

/** More corners than the page has room for show nothing more. */
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
