import type { Aggregate, AggregateColumn } from '../aggregate/aggregate.js'
import { findGroup } from '../tables/rows.js'
import type { ChartPoint, Drawing } from './chart.js'
import { chartWidth } from './chart.js'
import type { Metric, Subject } from './_points.js'
import { describeRate, mark, metrics, pointText, ratePoint, subjectsOf, touchedNote, touchedText } from './_points.js'
import { coincidences, groupEqual, sameAs } from './_plot.js'
import { linearScale, spread } from './_scale.js'
import type { Styled } from './_styles.js'
import { chunks, drawKey, markerPaint, markerShape, strokeOf, styleChunks } from './_styles.js'
import { element } from './_svg.js'
import { label } from './_text.js'

const perRow = 4
const panelWidth = chartWidth / perRow
const headHeight = 36
const plotHeight = 104
const footHeight = 28
const [from, to] = [34, panelWidth - 34]

/**
 * A line from clean to perturbed for each model, a panel for each column: which models fall, and whether their order
 * changes. Lines that coincide are drawn once, with the names of their models below.
 */
export function slopeDrawings(aggregate: Aggregate): Drawing[] {
  const clean = aggregate.columns.find((column) => column.clean)
  const perturbed = aggregate.columns.filter((column) => !column.clean)
  if (clean === undefined || perturbed.length === 0) return []
  return aggregate.environments.flatMap(({ name: environment }) => {
    const points: ChartPoint[] = []
    const marks: string[] = []
    let top = 0
    for (const chunk of styleChunks(subjectsOf(aggregate))) {
      const key = drawKey(
        chunk.map(({ of, style }) => ({ name: of.name, style })),
        top,
      )
      marks.push(key.marks)
      top += key.height
      for (const { metric, title } of metrics) {
        marks.push(label(title, { x: 0, y: top + 12, 'font-weight': 'bold' }))
        top += 18
        for (const row of chunks(perturbed, perRow)) {
          const panels = row.map((column) => drawPanel(aggregate, environment, chunk, { clean, column, metric }, top))
          for (const [place, panel] of panels.entries()) {
            marks.push(element('g', { transform: `translate(${String(place * panelWidth)} 0)` }, panel.marks))
            points.push(...panel.points)
          }
          top += headHeight + plotHeight + footHeight + Math.max(...panels.map(({ below }) => below))
        }
      }
    }
    if (points.length === 0) return []
    return [
      {
        environment,
        what: 'From clean to perturbed',
        notes: [
          'Each line is a model: at the left its rate on the clean twin, at the right under the perturbation; means over every seed at every temperature and all tasks, ' +
            'whatever the perturbation changed of them.',
          touchedNote,
        ],
        // Each panel repeats the clean rates.
        points: [...new Map(points.map((point) => [JSON.stringify(point), point])).values()],
        height: top,
        marks: marks.join('\n'),
      },
    ]
  })
}

interface Ends {
  readonly clean: AggregateColumn
  readonly column: AggregateColumn
  readonly metric: Metric
}

function drawPanel(
  aggregate: Aggregate,
  environment: string,
  chunk: readonly Styled<Subject>[],
  { clean, column, metric }: Ends,
  top: number,
): { readonly marks: string; readonly points: readonly ChartPoint[]; readonly below: number } {
  const plotTop = top + headHeight
  const up = linearScale(0, 1, plotTop + plotHeight, plotTop)
  const pairs = chunk.flatMap(({ of: subject, style }) => {
    const [before, after] = [clean, column].map(({ label }) => {
      const group = findGroup(aggregate, environment, subject.model, subject.agent, label)
      return group && ratePoint(group, metric)
    })
    return before?.value === undefined || after?.value === undefined ? [] : [{ subject, style, before, after }]
  })
  const merged = groupEqual(pairs, ({ before, after }) => `${pointText(before)} ${pointText(after)}`)
  const lines = merged.map((equal) => {
    const { subject, style, before, after } = equal[0]!
    const same = sameAs(equal.map((pair) => pair.subject.name))
    const ends = [
      { x: from, point: before },
      { x: to, point: after },
    ].map(({ x, point }) => {
      const { name, attributes } = markerShape(style, x, up(point.value!))
      return mark(name, attributes, point, describeRate(subject, point) + same)
    })
    const line = element('line', { x1: from, x2: to, y1: up(before.value!), y2: up(after.value!), ...strokeOf(style) })
    return line + element('g', markerPaint(style), ...ends)
  })
  const figures = (['before', 'after'] as const).map((end) => {
    const distinct = groupEqual(pairs, (pair) => pointText(pair[end])).map((equal) => equal[0]!)
    const heights = spread(
      distinct.map((pair) => up(pair[end].value!)),
      10,
      plotTop - 2,
      plotTop + plotHeight + 2,
    )
    return distinct
      .map((pair, index) =>
        label(pointText(pair[end]).replace('100.0', '100'), {
          x: end === 'before' ? from - 5 : to + 5,
          y: heights[index]! + 3.5,
          size: 9.5,
          'text-anchor': end === 'before' ? 'end' : 'start',
        }),
      )
      .join('')
  })
  const axes = [from, to].map((x) =>
    element('line', { x1: x, x2: x, y1: plotTop, y2: plotTop + plotHeight, stroke: 'grid', 'stroke-width': 0.75 }),
  )
  const names = [
    label(column.label, { x: panelWidth / 2, y: top + 12, size: 10, width: panelWidth - 8, 'text-anchor': 'middle' }),
    label(touchedText(pairs.map(({ after }) => after)), {
      x: panelWidth / 2,
      y: top + 24,
      size: 9,
      fill: 'muted',
      'text-anchor': 'middle',
    }),
    label('clean', { x: from, y: plotTop + plotHeight + 17, size: 9.5, fill: 'muted', 'text-anchor': 'middle' }),
    label('perturbed', { x: to, y: plotTop + plotHeight + 17, size: 9.5, fill: 'muted', 'text-anchor': 'middle' }),
  ]
  const same = coincidences(
    merged.map((equal) => equal.map(({ subject }) => subject.name)),
    panelWidth - 10,
  )
  return {
    below: same.height,
    marks: [...axes, ...lines, ...figures, ...names, same.drawAt(4, plotTop + plotHeight + 28)].join(''),
    points: pairs.flatMap(({ before, after }) => [before, after]),
  }
}
