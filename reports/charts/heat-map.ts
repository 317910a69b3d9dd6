import { speaksOf } from '../../src/results/statements.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { findProfile } from '../../src/results/find.js'
import { familiesByHarm } from '../../src/results/families.js'
import type { FamilyProfile } from '../../src/results/schema.js'
import type { ChartPoint, Drawing } from './chart.js'
import { chartWidth } from './chart.js'
import type { Metric, Subject } from './_points.js'
import {
  describeInterval,
  describeTouched,
  mark,
  metrics,
  signed,
  subjectsOf,
  touchedPoint,
  touchedText,
} from './_points.js'
import { chunks } from './_styles.js'
import { label, nameRoom } from './_text.js'

const size = 10.5
const perBand = 6
const cellHeight = 28

/**
 * The change of both rates under each family of perturbations, the most harmful first, in every environment, with a
 * block of columns for each model. All environments are in one chart.
 */
export function heatMapDrawings(aggregate: Aggregate): Drawing[] {
  const environments = aggregate.environments.map(({ name }) => name)
  const blocks = subjectsOf(aggregate).flatMap((subject) =>
    chunks(environments, perBand).map((columns) => ({ subject, columns })),
  )
  const rows = familiesByHarm(aggregate.profiles)
  const rates = aggregate.profiles.flatMap(({ families }) => families.flatMap((one) => [one.success, one.progress]))
  if (rates.every((rate) => rate.mean === undefined)) return []
  const hasHeads = environments.length > 1
  const nameWidth = nameRoom(rows, size, 10, hasHeads ? 128 : 150)
  const cellWidth = Math.min(60, (chartWidth - nameWidth) / perBand)
  const marks: string[] = []
  let top = 0
  for (const metric of metrics) {
    marks.push(label(`Change of ${metric} rate (points)`, { x: 0, y: top + 12, 'font-weight': 'bold' }))
    top += 20
    for (const band of bandsOf(blocks)) {
      const cellsTop = top + (hasHeads ? 32 : 18)
      const topOf = (row: number): number => cellsTop + row * cellHeight
      rows.forEach((name, row) => {
        const at = { x: nameWidth - 6, y: topOf(row) + 12.5, width: nameWidth - 8 }
        marks.push(label(name, { ...at, size, 'text-anchor': 'end' }))
      })
      let left = nameWidth
      for (const { subject, columns } of band) {
        const width = columns.length * cellWidth
        const above = { x: left + width / 2, y: top + 12, width: width - 4 }
        marks.push(label(subject.name, { ...above, size, 'text-anchor': 'middle' }))
        for (const environment of columns) {
          const head = { x: left + cellWidth / 2, y: top + 26, width: cellWidth - 1 }
          if (hasHeads) marks.push(label(environment, { ...head, size: 9, fill: 'muted', 'text-anchor': 'middle' }))
          const { families = [] } = findProfile(aggregate, environment, subject) ?? {}
          for (const family of families) {
            const point = pointOf(family, environment, subject, metric)
            const isBold = (family.tests?.[metric].holm ?? 1) < 0.05
            marks.push(drawCell(point, subject, isBold, left, topOf(rows.indexOf(family.family)), cellWidth))
          }
          left += cellWidth
        }
      }
      top = topOf(rows.length) + 14
    }
  }
  return [
    {
      ...(!hasHeads && { environment: environments[0]! }),
      what: 'Change under perturbation',
      notes: [
        'Perturbed minus clean in percentage points, paired by task, seed and temperature; every task enters. Families are over their draws at the highest intensity, in the order of their mean change of success, controls last.',
        'Orange: a drop; blue: a gain; stronger colours are larger changes.',
        'Small figures: the share of tasks, and of steps, in which the condition changed something, in percent; it selects nothing.',
        `Bold: p below 0.05, adjusted after Holm over the families of all models, agents and environments (except for those that by design change nothing). ${speaksOf.tasks}`,
      ],
      height: top,
      marks: marks.join('\n'),
    },
  ]
}

/** A model's columns of cells. */
interface Block {
  readonly subject: Subject
  readonly columns: readonly string[]
}

/** Blocks in bands: as many beside each other as fit. */
function bandsOf(blocks: readonly Block[]): Block[][] {
  const bands: Block[][] = []
  let room = 0
  for (const block of blocks) {
    if (room < block.columns.length) {
      bands.push([])
      room = perBand
    }
    bands.at(-1)!.push(block)
    room -= block.columns.length
  }
  return bands
}

function pointOf(family: FamilyProfile, environment: string, { model, agent }: Subject, metric: Metric): ChartPoint {
  const { mean: value, interval } = family[metric]
  return {
    ...{ environment, model, agent, column: family.family, metric: `${metric}-change` },
    ...(value !== undefined && { value }),
    ...interval,
    ...{ valid: family.pairs, planned: family.planned },
    ...touchedPoint(family.touched),
  }
}

/** A cell with its change in points, bold where it is significant, and coloured by its sign and size. */
function drawCell(
  point: ChartPoint,
  subject: Subject,
  isBold: boolean,
  left: number,
  top: number,
  width: number,
): string {
  const { environment, column, metric, value, valid, planned } = point
  const change = value === undefined ? 'nothing to compare' : `${metric.replace('-change', '')} ${signed(value)} points`
  const measured = `; ${String(valid)} of ${String(planned)} pairs measured`
  const words = `${subject.name}, ${column} on ${environment}: ${change}${describeInterval(point)}${measured}${describeTouched(point)}`
  const text = value === undefined ? '–' : signed(value) + (valid! < planned! ? '†' : '')
  const box = { x: left + 0.5, y: top + 0.5, width: width - 1, height: cellHeight - 1 }
  const at = { x: left + width / 2, 'text-anchor': 'middle', 'pointer-events': 'none' }
  const shares = touchedText(point)
  return [
    mark('rect', { ...box, ...paintOf(value ?? 0) }, point, words),
    label(text, { ...at, y: top + 12.5, size, ...(isBold && { 'font-weight': 'bold' }) }),
    ...(shares === '' ? [] : [label(shares, { ...at, y: top + 23.5, size: 9 })]),
  ].join('')
}

/**
 * Opacity follows the root of the size, so that small changes are visible and large ones still differ; text in ink is
 * legible on the strongest.
 */
function paintOf(change: number): { readonly fill: 'cell' | 'vermillion' | 'blue'; readonly 'fill-opacity'?: number } {
  if (change === 0) return { fill: 'cell' }
  return { fill: change < 0 ? 'vermillion' : 'blue', 'fill-opacity': 0.65 * Math.sqrt(Math.abs(change)) }
}
