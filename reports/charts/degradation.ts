import { countRuns, describeSeeds } from '../summary/identity.js'
import type { Aggregate, AggregateColumn, Group } from '../aggregate/aggregate.js'
import { speaksOf } from '../tables/captions.js'
import { findGroup } from '../tables/rows.js'
import type { ChartPoint, Drawing } from './chart.js'
import { chartWidth } from './chart.js'
import type { Box } from './_cell.js'
import type { Subject } from './_points.js'
import { describeRate, mark, metrics, pointText, ratePoint, subjectsOf } from './_points.js'
import type { Scale } from './_scale.js'
import { linearScale } from './_scale.js'
import { element, number } from './_svg.js'
import { label, nameRoom } from './_text.js'

const size = 10.5
const valueWidth = 44
const rowHeight = 15
const barHeight = 9
const headHeight = 20
const tickHeight = 26

/**
 * A bar for each column with its interval over tasks, a block for each model, success beside progress: how far each
 * rate falls from that of the clean twin.
 */
export function degradationDrawings(aggregate: Aggregate): Drawing[] {
  const names = aggregate.columns.map((column) => column.label)
  const layout = layOut(nameRoom(names, size, 10, 150))
  return aggregate.environments.flatMap(({ name: environment }) => {
    const drawn = drawBlocks(aggregate, environment, layout)
    if (drawn.points.every(({ value }) => value === undefined)) return []
    const what = 'Degradation under perturbation'
    return [{ environment, what, notes: describeMarks(aggregate), ...drawn }]
  })
}

/** The width of the names of columns, and the scales of both rates. */
interface Layout {
  readonly nameWidth: number
  readonly plotWidth: number
  readonly scales: readonly Scale[]
}

function layOut(nameWidth: number): Layout {
  const plotWidth = (chartWidth - nameWidth) / 2 - valueWidth
  const scales = metrics.map((_, index) => {
    const start = nameWidth + index * (plotWidth + valueWidth)
    return linearScale(0, 1, start, start + plotWidth)
  })
  return { nameWidth, plotWidth, scales }
}

interface Row {
  readonly column: AggregateColumn
  readonly group: Group
}

function drawBlocks(
  aggregate: Aggregate,
  environment: string,
  layout: Layout,
): Pick<Drawing, 'points' | 'marks' | 'height'> {
  const points: ChartPoint[] = []
  const marks = metrics.map(({ title }, place) =>
    label(title, { x: layout.scales[place]!(0), y: 11, 'font-weight': 'bold' }),
  )
  let top = 18
  for (const subject of subjectsOf(aggregate)) {
    const rows = aggregate.columns.flatMap((column) => {
      const group = findGroup(aggregate, environment, subject.model, subject.agent, column.label)
      return group ? [{ column, group }] : []
    })
    const first = top + headHeight
    const end = first + rows.length * rowHeight
    marks.push(
      label(subject.name, { x: 0, y: top + 13, width: chartWidth, 'font-weight': 'bold' }) +
        drawGrid(layout, first, end) +
        drawReference(layout, rows, first, end),
    )
    rows.forEach((row, place) => {
      const drawn = drawRow(layout, subject, row, first + place * rowHeight)
      marks.push(drawn.marks)
      points.push(...drawn.points)
    })
    top = end + 4
  }
  return { points, marks: [...marks, drawTicks(layout, top)].join('\n'), height: top + tickHeight }
}

function describeMarks({ columns, experiment }: Aggregate): string[] {
  const runs = countRuns(experiment)
  return [
    `Bars: ${runs === '1' ? 'one run' : `mean over ${runs} runs (${describeSeeds(experiment)})`}; whiskers: 95 % interval over tasks, ` +
      `each rate by itself (not of the paired difference). ${speaksOf.tasks}`,
    ...(columns.some(({ clean }) => clean) ? ['Grey: the clean twin; the dashed line continues its rate.'] : []),
    ...(columns.some(({ clean, identity }) => identity && !clean)
      ? ['Hatched: by design changes nothing, and so shows the noise.']
      : []),
  ]
}

function drawGrid({ scales }: Layout, top: number, bottom: number): string {
  return scales
    .flatMap((scale) =>
      [0, 0.25, 0.5, 0.75, 1].map((share) => upright(scale(share), top, bottom, share === 0 ? 'axis' : 'grid')),
    )
    .join('')
}

function drawReference({ scales }: Layout, rows: readonly Row[], top: number, bottom: number): string {
  const clean = rows.find(({ column }) => column.clean)
  return metrics
    .map(({ metric }, place) => {
      const mean = clean?.group.pooled[metric].mean
      return mean === undefined ? '' : upright(scales[place]!(mean), top, bottom, 'muted', '3 2')
    })
    .join('')
}

function upright(x: number, y1: number, y2: number, stroke: 'axis' | 'grid' | 'muted', dashes?: string): string {
  return element('line', { x1: x, x2: x, y1, y2, stroke, 'stroke-width': 0.75, 'stroke-dasharray': dashes })
}

function drawRow(
  { nameWidth, plotWidth, scales }: Layout,
  subject: Subject,
  { column, group }: Row,
  top: number,
): { readonly marks: string; readonly points: readonly ChartPoint[] } {
  const middle = top + rowHeight / 2
  const points = metrics.map(({ metric }) => ratePoint(group, metric))
  const bars = points.map((point, place) => {
    const scale = scales[place]!
    const end = scale(0) + plotWidth + 34
    return (
      drawBar(subject, column, point, scale, middle) +
      label(pointText(point), { x: end, y: middle + 3.5, 'text-anchor': 'end', size })
    )
  })
  const name = label(column.label, {
    x: nameWidth - 6,
    y: middle + 3.5,
    width: nameWidth - 8,
    'text-anchor': 'end',
    size,
  })
  return { marks: name + bars.join(''), points }
}

function drawBar(
  subject: Subject,
  { clean, identity }: AggregateColumn,
  point: ChartPoint,
  scale: Scale,
  middle: number,
): string {
  if (point.value === undefined) return ''
  const start = scale(0)
  const box = { x: start, y: middle - barHeight / 2, width: scale(point.value) - start, height: barHeight }
  const hatched = identity && !clean
  const paint = hatched
    ? ({ fill: 'paper', stroke: 'muted', 'stroke-width': 0.75 } as const)
    : ({ fill: clean ? 'clean' : 'bar' } as const)
  return (
    mark('rect', { ...box, ...paint }, point, describeRate(subject, point)) +
    (hatched ? drawHatch(box) : '') +
    drawInterval(point, scale, middle)
  )
}

const hatchStep = 4

/**
 * Slanted lines across a bar. Each is drawn by itself, since a pattern would need an id and not every converter
 * supports patterns.
 */
function drawHatch({ x, y, width, height }: Box): string {
  const bottom = y + height
  let path = ''
  for (let start = hatchStep - height; start < width; start += hatchStep) {
    const [from, to] = [Math.max(0, start), Math.min(width, start + height)]
    path += `M${number(x + from)} ${number(bottom - from + start)}L${number(x + to)} ${number(bottom - to + start)}`
  }
  if (path === '') return ''
  return element('path', { d: path, fill: 'none', stroke: 'muted', 'stroke-width': 0.75, 'pointer-events': 'none' })
}

/** A point's interval along the scale, with a cap at each end; nothing where it has none. */
function drawInterval({ low, high }: ChartPoint, scale: Scale, middle: number): string {
  if (low === undefined || high === undefined) return ''
  const cap = (x: number): string => `M${number(x)} ${number(middle - 2.5)}v5`
  const path = `M${number(scale(low))} ${number(middle)}H${number(scale(high))}${cap(scale(low))}${cap(scale(high))}`
  return element('path', { d: path, fill: 'none', stroke: 'ink', 'stroke-width': 1, 'pointer-events': 'none' })
}

function drawTicks({ scales }: Layout, top: number): string {
  return scales
    .flatMap((scale) =>
      [0, 0.5, 1].map((share) =>
        label(String(100 * share), { x: scale(share), y: top + 10, 'text-anchor': 'middle', size: 10, fill: 'muted' }),
      ),
    )
    .join('')
}
