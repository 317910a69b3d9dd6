import { pairsOf } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { familiesByHarm } from '../../src/results/families.js'
import { findProfile } from '../../src/results/find.js'
import type { FamilyProfile } from '../../src/results/schema.js'
import { speaksOf } from '../../src/results/statements.js'
import { points } from '../../src/results/summary/figures.js'
import type { Drawing } from './_svg.js'
import { chartWidth, chunks, element, label, nameRoom, subjectName, textWidth } from './_svg.js'

const size = 10.5
const titleSize = 9.5
const perBand = 6
const cellHeight = 20

/**
 * The change of both rates under each family of perturbations, the most harmful first, in every environment, with a
 * block of columns for each model. All environments are in one chart.
 */
export function heatMapDrawings(aggregate: Aggregate): Drawing[] {
  const environments = aggregate.environments.map(({ name }) => name)
  const columns = pairsOf(aggregate).flatMap(({ model, agent }) =>
    environments.map((environment) => ({ environment, model: model.name, agent: agent.name })),
  )
  const rows = familiesByHarm(aggregate.profiles)
  const rates = aggregate.profiles.flatMap(({ families }) => families.flatMap((one) => [one.success, one.progress]))
  if (rates.every((rate) => rate.mean === undefined)) return []
  const hasHeads = environments.length > 1
  const nameWidth = nameRoom(rows, size, 10, hasHeads ? 128 : 150)
  const cellWidth = Math.min(60, (chartWidth - nameWidth) / perBand)
  const marks: string[] = []
  let top = 0
  for (const metric of ['success', 'progress'] as const) {
    marks.push(label(`Change of ${metric} rate (points)`, { x: 0, y: top + 12, 'font-weight': 'bold' }))
    top += 20
    for (const band of chunks(columns, perBand)) {
      const names = band.map((subject) => titleLines(subjectName(aggregate, subject), cellWidth - 3))
      const below = top + 12 * Math.max(...names.map(({ length }) => length))
      const cellsTop = below + (hasHeads ? 20 : 6)
      const topOf = (row: number): number => cellsTop + row * cellHeight
      rows.forEach((name, row) => {
        const at = { x: nameWidth - 6, y: topOf(row) + 13.5, width: nameWidth - 8 }
        marks.push(label(name, { ...at, size, 'text-anchor': 'end' }))
      })
      band.forEach(({ environment, ...subject }, place) => {
        const left = nameWidth + place * cellWidth
        const middle = { x: left + cellWidth / 2, width: cellWidth - 3, 'text-anchor': 'middle' }
        names[place]!.toReversed().forEach((line, above) =>
          marks.push(label(line, { ...middle, y: below - 12 * above, size: titleSize })),
        )
        if (hasHeads) marks.push(label(environment, { ...middle, y: below + 14, size: 9, fill: 'muted' }))
        for (const family of findProfile(aggregate, environment, subject)?.families ?? [])
          marks.push(drawCell(family, metric, left, topOf(rows.indexOf(family.family)), cellWidth))
      })
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
        `Bold: p below 0.05, adjusted after Holm over the families of all models, agents and environments (except for those that by design change nothing). ${speaksOf.tasks}`,
      ],
      height: top,
      marks: marks.join('\n'),
    },
  ]
}

/** A name in one line, or in two that part at the sign nearest its middle. */
function titleLines(name: string, width: number): readonly string[] {
  if (textWidth(name, titleSize) <= width) return [name]
  const breaks = [...name.matchAll(/[^\p{L}\p{M}\p{N}]/gu)].map(({ index }) => index + 1)
  const middle = breaks.sort((one, other) => Math.abs(one - name.length / 2) - Math.abs(other - name.length / 2))[0]
  return middle === undefined || middle >= name.length ? [name] : [name.slice(0, middle), name.slice(middle)]
}

/** A cell with its change in points, bold where it is significant, and coloured by its sign and size. */
function drawCell(
  family: FamilyProfile,
  metric: 'success' | 'progress',
  left: number,
  top: number,
  width: number,
): string {
  const { mean } = family[metric]
  const isBold = (family.tests?.[metric].holm ?? 1) < 0.05
  const text = mean === undefined ? '–' : points(mean) + (family.pairs < family.planned ? '†' : '')
  const box = { x: left + 0.5, y: top + 0.5, width: width - 1, height: cellHeight - 1 }
  const at = { x: left + width / 2, y: top + 13.5, size, 'text-anchor': 'middle' }
  return (
    element('rect', { ...box, ...paintOf(mean ?? 0), 'data-value': mean }) +
    label(text, { ...at, ...(isBold && { 'font-weight': 'bold' }) })
  )
}

/**
 * Opacity follows the root of the size, so that small changes are visible and large ones still differ; text in ink is
 * legible on the strongest.
 */
function paintOf(change: number): { readonly fill: 'cell' | 'vermillion' | 'blue'; readonly 'fill-opacity'?: number } {
  if (change === 0) return { fill: 'cell' }
  return { fill: change < 0 ? 'vermillion' : 'blue', 'fill-opacity': 0.65 * Math.sqrt(Math.abs(change)) }
}
