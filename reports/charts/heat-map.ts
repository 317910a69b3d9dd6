import type { Aggregate, AggregateColumn } from '../aggregate/aggregate.js'
import { findGroup } from '../tables/rows.js'
import type { ChartPoint, Drawing } from './chart.js'
import { chartWidth } from './chart.js'
import { drawCell, hasHolm } from './_cell.js'
import type { Metric, Subject } from './_points.js'
import { metrics, subjectsOf } from './_points.js'
import { chunks } from './_styles.js'
import { label, nameRoom } from './_text.js'

const size = 10.5
const perBand = 6
const cellHeight = 17

/** The change under each perturbation in every environment, a block of columns for each model: where what breaks. All environments are in one chart. */
export function heatMapDrawings(aggregate: Aggregate): Drawing[] {
  const columns = aggregate.columns.filter((column) => !column.clean)
  const environments = aggregate.environments.map(({ name }) => name)
  const nameWidth = nameRoom(
    columns.map((column) => column.label),
    size,
    10,
    environments.length > 1 ? 128 : 150,
  )
  const sheet = {
    aggregate,
    columns,
    nameWidth,
    cellWidth: Math.min(60, (chartWidth - nameWidth) / perBand),
    holm: hasHolm(aggregate),
  }
  const blocks = subjectsOf(aggregate).flatMap((subject) =>
    chunks(environments, perBand).map((names) => ({ subject, environments: names })),
  )
  const points: ChartPoint[] = []
  const marks: string[] = []
  let top = 0
  for (const { metric } of metrics) {
    marks.push(label(`Change of ${metric} rate (points)`, { x: 0, y: top + 12, 'font-weight': 'bold' }))
    top += 20
    for (const band of bandsOf(blocks)) {
      const drawn = drawBand(sheet, band, metric, top)
      marks.push(drawn.marks)
      points.push(...drawn.points)
      top += drawn.height
    }
  }
  if (points.every(({ value }) => value === undefined)) return []
  return [
    {
      name: 'heat-map',
      ...(environments.length === 1 && { environment: environments[0]! }),
      what: 'Change under perturbation',
      notes: [
        'Perturbed minus clean in percentage points, paired by task, seed and temperature, without tasks that the perturbation leaves unchanged.',
        'Orange: a drop; blue: a gain; the stronger the larger.',
        sheet.holm
          ? 'Bold: p below 0.05, adjusted after Holm over the columns of a model in an environment (columns that change nothing by promise apart).'
          : 'Bold: 95 % interval without 0, not corrected for the number of cells.',
      ],
      points,
      height: top,
      marks: marks.join('\n'),
    },
  ]
}

/** What all cells have in common. */
interface Sheet {
  readonly aggregate: Aggregate
  readonly columns: readonly AggregateColumn[]
  readonly nameWidth: number
  readonly cellWidth: number
  readonly holm: boolean
}

/** A model's columns, one for each of some environments. */
interface Block {
  readonly subject: Subject
  readonly environments: readonly string[]
}

/** As many blocks beside each other as there is room for. */
function bandsOf(blocks: readonly Block[]): Block[][] {
  const bands: Block[][] = []
  let room = 0
  for (const block of blocks) {
    if (room < block.environments.length) {
      bands.push([])
      room = perBand
    }
    bands.at(-1)!.push(block)
    room -= block.environments.length
  }
  return bands
}

function drawBand(
  { aggregate, columns, nameWidth, cellWidth, holm }: Sheet,
  band: readonly Block[],
  metric: Metric,
  top: number,
): { readonly marks: string; readonly points: readonly ChartPoint[]; readonly height: number } {
  const several = aggregate.environments.length > 1
  const cellsTop = top + (several ? 32 : 18)
  const points: ChartPoint[] = []
  const marks = columns.map(({ label: name }, row) => {
    const y = cellsTop + row * cellHeight + 12.5
    return label(name, { x: nameWidth - 6, y, size, width: nameWidth - 8, 'text-anchor': 'end' })
  })
  let left = nameWidth
  for (const { subject, environments } of band) {
    const width = environments.length * cellWidth
    marks.push(
      label(subject.name, { x: left + width / 2, y: top + 12, size, width: width - 4, 'text-anchor': 'middle' }),
    )
    for (const environment of environments) {
      const [x, y, room] = [left + cellWidth / 2, top + 26, cellWidth - 1]
      if (several)
        marks.push(label(environment, { x, y, size: 9, width: room, fill: 'muted', 'text-anchor': 'middle' }))
      columns.forEach(({ label: name }, row) => {
        const group = findGroup(aggregate, environment, subject.model, subject.agent, name)
        if (group === undefined) return
        const box = { x: left, y: cellsTop + row * cellHeight, width: cellWidth, height: cellHeight }
        const cell = drawCell(subject, group, metric, holm, box)
        marks.push(cell.marks)
        points.push(cell.point)
      })
      left += cellWidth
    }
  }
  return { marks: marks.join(''), points, height: cellsTop - top + columns.length * cellHeight + 14 }
}
