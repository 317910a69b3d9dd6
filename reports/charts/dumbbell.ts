import { pairsOf } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { findProfile } from '../../src/results/find.js'
import type { FamilyProfile } from '../../src/results/schema.js'
import { speaksOf } from '../../src/results/statements.js'
import { points } from '../../src/results/summary/figures.js'
import type { Colour } from './palette.js'
import type { Drawing, Scale } from './_svg.js'
import { chartWidth, element, label, linearScale, nameRoom, number, subjectName } from './_svg.js'

const size = 10.5
const figureWidth = 44
const rowHeight = 17
const headHeight = 22
const footHeight = 18

/**
 * The robustness profile: for each family a line from the clean to the perturbed success rate with the interval of the
 * change around the latter, the most harmful family first, a block for each model.
 */
export function dumbbellDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const shown = pairsOf(aggregate).flatMap(({ model, agent }) => {
      const subject = { model: model.name, agent: agent.name }
      const profile = findProfile(aggregate, environment, subject)
      const families = profile?.families.filter(({ success }) => success.mean !== undefined) ?? []
      return families.length === 0 ? [] : [{ title: subjectName(aggregate, subject), families }]
    })
    if (shown.length === 0) return []
    const names = shown.flatMap(({ families }) => families.map(({ family }) => family))
    const nameWidth = nameRoom(names, size, 12, 160)
    const scale = linearScale(0, 1, nameWidth + 6, chartWidth - figureWidth - 8)
    const marks: string[] = []
    let top = 0
    for (const { title, families } of shown) {
      marks.push(drawBlock(title, families, scale, nameWidth, top))
      top += headHeight + families.length * rowHeight + footHeight
    }
    marks.push(label('Success rate (%)', { x: scale(0.5), y: top + 4, size, 'text-anchor': 'middle' }))
    return [
      {
        environment,
        what: 'Robustness profile',
        notes: [
          'Success of each family of perturbations, the most harmful first, controls last: hollow: clean; filled: perturbed, over the same pairs of task, seed and temperature, and over the draws of the family at its highest intensity. Beside it the change in points.',
          `Bar: 95 % interval of the change, paired, with the task as the cluster, drawn around the perturbed rate. Coloured where it excludes 0: orange a drop, blue a gain; not corrected for the number of families. ${speaksOf.tasks}`,
        ],
        height: top + 10,
        marks: marks.join('\n'),
      },
    ]
  })
}

function drawBlock(
  title: string,
  families: readonly FamilyProfile[],
  scale: Scale,
  nameWidth: number,
  top: number,
): string {
  const first = top + headHeight
  const end = first + families.length * rowHeight
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = { x1: scale(share), x2: scale(share), y1: first, y2: end }
    return element('line', { ...at, stroke: share === 0 ? 'axis' : 'grid', 'stroke-width': 0.75 })
  })
  const ticks = [0, 0.5, 1].map((share) =>
    label(String(100 * share), { x: scale(share), y: end + 11, size: 10, fill: 'muted', 'text-anchor': 'middle' }),
  )
  const rows = families.map((family, place) => {
    const middle = first + (place + 0.5) * rowHeight
    const at = { x: nameWidth - 6, y: middle + 3.5, size, width: nameWidth - 8, 'text-anchor': 'end' }
    return label(family.family, { ...at, ...(family.identity && { fill: 'muted' }) }) + drawRow(family, scale, middle)
  })
  const head = label(title, { x: 0, y: top + 14, width: chartWidth, 'font-weight': 'bold' })
  return [head, ...grid, ...ticks, ...rows].join('')
}

function drawRow({ success }: FamilyProfile, scale: Scale, middle: number): string {
  const { clean, perturbed, mean: change, interval } = success
  const colour: Colour = (interval?.high ?? 0) < 0 ? 'vermillion' : (interval?.low ?? 0) > 0 ? 'blue' : 'ink'
  const line = { y1: middle, y2: middle, stroke: colour } as const
  const [low, high] = [interval?.low ?? change!, interval?.high ?? change!].map((bound) =>
    scale(Math.min(1, Math.max(0, clean! + bound))),
  ) as [number, number]
  const caps = [low, high].map((x) => `M${number(x)} ${number(middle - 3.5)}v7`).join('')
  const dot = { cy: middle, r: 3.4 }
  const hollow = { fill: 'paper', 'fill-opacity': 0.6, stroke: 'ink', 'stroke-width': 1.25 } as const
  const isSure = colour !== 'ink'
  const at = { x: chartWidth, y: middle + 3.5, size, 'text-anchor': 'end', ...(isSure && { 'font-weight': 'bold' }) }
  return [
    element('line', { ...line, x1: low, x2: high, 'stroke-width': 5, 'stroke-opacity': 0.25 }),
    element('path', { d: caps, fill: 'none', stroke: colour, 'stroke-width': 0.75 }),
    element('line', { ...line, x1: scale(clean!), x2: scale(perturbed!), 'stroke-width': 1.5 }),
    element('circle', { ...dot, cx: scale(perturbed!), fill: colour, 'data-value': perturbed }),
    element('circle', { ...dot, cx: scale(clean!), ...hollow, 'data-value': clean }),
    label(points(change!), at),
  ].join('')
}
