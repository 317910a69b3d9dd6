import type { Aggregate, AggregateColumn, Group } from '../aggregate/aggregate.js'
import { findGroup } from '../tables/rows.js'
import type { ChartPoint, Drawing } from './chart.js'
import { chartWidth } from './chart.js'
import type { Subject } from './_points.js'
import { describeRate, mark, metrics, pointText, ratePoint, subjectsOf } from './_points.js'
import { linearScale } from './_scale.js'
import { element } from './_svg.js'
import { label } from './_text.js'

const nameWidth = 116
const valueWidth = 44
const plotWidth = (chartWidth - nameWidth) / 2 - valueWidth
const rowHeight = 15
const barHeight = 9
const headHeight = 20
const tickHeight = 26

/** A bar for each column with its interval over tasks, a block for each model, success beside progress: how far each falls from its clean twin. */
export function degradationDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name }) => drawEnvironment(aggregate, name))
}

function drawEnvironment(aggregate: Aggregate, environment: string): Drawing[] {
  const points: ChartPoint[] = []
  const marks: string[] = metrics.map(({ title }, panel) =>
    label(title, { x: panelStart(panel), y: 11, 'font-weight': 'bold' }),
  )
  let top = 18
  for (const subject of subjectsOf(aggregate)) {
    const rows = aggregate.columns.flatMap((column) => {
      const group = findGroup(aggregate, environment, subject.model, subject.agent, column.label)
      return group ? [{ column, group }] : []
    })
    const height = headHeight + rows.length * rowHeight
    marks.push(label(subject.name, { x: 0, y: top + 13, width: chartWidth, 'font-weight': 'bold' }))
    marks.push(drawGrid(top + headHeight, top + height), drawReference(rows, top + headHeight, top + height))
    rows.forEach((row, place) => {
      const drawn = drawRow(subject, row.column, row.group, top + headHeight + place * rowHeight)
      marks.push(drawn.marks)
      points.push(...drawn.points)
    })
    top += height + 4
  }
  if (points.every(({ value }) => value === undefined)) return []
  return [
    {
      name: 'degradation',
      environment,
      what: 'Degradation under perturbation',
      notes: describeMarks(aggregate),
      points,
      height: top + tickHeight,
      marks: marks.join('\n') + drawTicks(top),
    },
  ]
}

function describeMarks({ columns, seeds, temperatures }: Aggregate): string[] {
  const clean = columns.some((column) => column.clean)
  const identity = columns.some((column) => column.identity && !column.clean)
  const runs = seeds.length * temperatures.length
  return [
    `Bars: ${runs === 1 ? 'one run' : `mean over ${String(runs)} runs, every seed at every temperature`}; whiskers: 95 % interval over tasks, ` +
      'each rate by itself (not of the paired difference).',
    ...(clean ? ['Grey: the clean twin, whose rate the dashed line carries on.'] : []),
    ...(identity ? ['Hatched: changes nothing by its promise, and so shows the noise.'] : []),
  ]
}

function panelStart(panel: number): number {
  return nameWidth + panel * (plotWidth + valueWidth)
}

function scaleOf(panel: number): (share: number) => number {
  return linearScale(0, 1, panelStart(panel), panelStart(panel) + plotWidth)
}

function drawGrid(top: number, bottom: number): string {
  return metrics
    .flatMap((_, panel) =>
      [0, 0.25, 0.5, 0.75, 1].map((share) => {
        const x = scaleOf(panel)(share)
        return element('line', {
          x1: x,
          x2: x,
          y1: top,
          y2: bottom,
          stroke: share === 0 ? 'axis' : 'grid',
          'stroke-width': 0.75,
        })
      }),
    )
    .join('')
}

function drawReference(
  rows: readonly { readonly column: AggregateColumn; readonly group: Group }[],
  top: number,
  bottom: number,
): string {
  const clean = rows.find(({ column }) => column.clean)
  return metrics
    .map(({ metric }, panel) => {
      const mean = clean?.group.pooled[metric].mean
      if (mean === undefined) return ''
      const x = scaleOf(panel)(mean)
      return element('line', {
        x1: x,
        x2: x,
        y1: top,
        y2: bottom,
        stroke: 'muted',
        'stroke-width': 0.75,
        'stroke-dasharray': '3 2',
      })
    })
    .join('')
}

function drawRow(
  subject: Subject,
  column: AggregateColumn,
  group: Group,
  top: number,
): { readonly marks: string; readonly points: readonly ChartPoint[] } {
  const middle = top + rowHeight / 2
  const name = label(column.label, {
    x: nameWidth - 6,
    y: middle + 3.5,
    width: nameWidth - 8,
    'text-anchor': 'end',
    size: 10.5,
  })
  const points = metrics.map(({ metric }) => ratePoint(group, metric))
  const bars = points.map((point, panel) => {
    const scale = scaleOf(panel)
    const value = label(pointText(point), {
      x: panelStart(panel) + plotWidth + 34,
      y: middle + 3.5,
      'text-anchor': 'end',
      size: 10.5,
    })
    if (point.value === undefined) return value
    const place = { x: scale(0), y: middle - barHeight / 2, width: scale(point.value) - scale(0), height: barHeight }
    const hatched = column.identity && !column.clean
    const bar = mark(
      'rect',
      {
        ...place,
        fill: column.clean ? 'clean' : hatched ? 'paper' : 'bar',
        ...(hatched && { stroke: 'muted', 'stroke-width': 0.75 }),
      },
      point,
      describeRate(subject, point),
    )
    return bar + (hatched ? hatch(place) : '') + whisker(point, scale, middle) + value
  })
  return { marks: name + bars.join(''), points }
}

/** Slanted lines across a bar. They are drawn one by one, since a pattern would need an id and not every converter knows patterns. */
function hatch({
  x,
  y,
  width,
  height,
}: {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}): string {
  let path = ''
  for (let start = -height + 4; start < width; start += 4) {
    const [from, to] = [Math.max(0, start), Math.min(width, start + height)]
    path += `M${String(Math.round(10 * (x + from)) / 10)} ${String(y + height - (from - start))}L${String(Math.round(10 * (x + to)) / 10)} ${String(Math.round(10 * (y + height - (to - start))) / 10)}`
  }
  return path === ''
    ? ''
    : element('path', { d: path, fill: 'none', stroke: 'muted', 'stroke-width': 0.75, 'pointer-events': 'none' })
}

function whisker({ low, high }: ChartPoint, scale: (share: number) => number, middle: number): string {
  if (low === undefined || high === undefined) return ''
  const [from, to] = [scale(low), scale(high)].map((x) => Math.round(100 * x) / 100) as [number, number]
  const cap = `M${String(from)} ${String(middle - 2.5)}v5M${String(to)} ${String(middle - 2.5)}v5`
  return element('path', {
    d: `M${String(from)} ${String(middle)}H${String(to)}${cap}`,
    fill: 'none',
    stroke: 'ink',
    'stroke-width': 1,
    'pointer-events': 'none',
  })
}

function drawTicks(top: number): string {
  return metrics
    .flatMap((_, panel) =>
      [0, 0.5, 1].map((share) =>
        label(String(100 * share), {
          x: scaleOf(panel)(share),
          y: top + 10,
          'text-anchor': 'middle',
          size: 10,
          fill: 'muted',
        }),
      ),
    )
    .join('')
}
