import { speaksOf } from '../../src/results/statements.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { findProfile } from '../../src/results/find.js'
import type { FamilyProfile, Profile } from '../../src/results/schema.js'
import type { ChartPoint, Drawing } from './chart.js'
import { chartWidth } from './chart.js'
import type { Colour } from './palette.js'
import type { Subject } from './_points.js'
import { describeTouched, mark, percent, signed, subjectsOf, touchedPoint } from './_points.js'
import type { Scale } from './_scale.js'
import { linearScale } from './_scale.js'
import { element, number } from './_svg.js'
import { label, nameRoom } from './_text.js'

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
    const shown = subjectsOf(aggregate).flatMap((subject) => {
      const profile = findProfile(aggregate, environment, subject)
      const families = profile?.families.filter(({ success }) => success.mean !== undefined) ?? []
      return profile === undefined || families.length === 0 ? [] : [{ subject, profile: { ...profile, families } }]
    })
    if (shown.length === 0) return []
    const names = shown.flatMap(({ profile }) => profile.families.map(({ family }) => family))
    const nameWidth = nameRoom(names, size, 12, 160)
    const scale = linearScale(0, 1, nameWidth + 6, chartWidth - figureWidth - 8)
    const marks: string[] = []
    let top = 0
    for (const { subject, profile } of shown) {
      const drawn = drawBlock(subject, profile, scale, nameWidth, top)
      marks.push(drawn.marks)
      top = drawn.bottom
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
  subject: Subject,
  { environment, families }: Profile,
  scale: Scale,
  nameWidth: number,
  top: number,
): { readonly marks: string; readonly bottom: number } {
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
    return (
      label(family.family, { ...at, ...(family.identity && { fill: 'muted' }) }) +
      drawRow(subject, environment, family, scale, middle)
    )
  })
  const head = label(subject.name, { x: 0, y: top + 14, width: chartWidth, 'font-weight': 'bold' })
  return { marks: [head, ...grid, ...ticks, ...rows].join(''), bottom: end + footHeight }
}

function drawRow(
  subject: Subject,
  environment: string,
  { family, success, columns, touched }: FamilyProfile,
  scale: Scale,
  middle: number,
): string {
  const { clean, perturbed, mean: change, interval } = success
  const colour: Colour = (interval?.high ?? 0) < 0 ? 'vermillion' : (interval?.low ?? 0) > 0 ? 'blue' : 'ink'
  const name = { environment, model: subject.model, agent: subject.agent, column: family }
  const before: ChartPoint = { ...name, metric: 'success-clean', value: clean! }
  const after: ChartPoint = { ...name, metric: 'success-perturbed', value: perturbed! }
  const draws = columns.length > 1 ? ` over ${String(columns.length)} draws` : ''
  const words = `${subject.name}, ${family}${draws}: success ${percent(clean!)} % clean, ${percent(perturbed!)} % perturbed; change ${signed(change!)} points`
  const between = interval === undefined ? '' : `, 95 % interval ${signed(interval.low)} to ${signed(interval.high)}`
  const told = words + between + describeTouched({ ...after, ...touchedPoint(touched) })
  const line = { y1: middle, y2: middle, stroke: colour, 'pointer-events': 'none' } as const
  const [low, high] = [interval?.low ?? change!, interval?.high ?? change!].map((bound) =>
    scale(Math.min(1, Math.max(0, clean! + bound))),
  ) as [number, number]
  const caps = [low, high].map((x) => `M${number(x)} ${number(middle - 3.5)}v7`).join('')
  return [
    element('line', { ...line, x1: low, x2: high, 'stroke-width': 5, 'stroke-opacity': 0.25 }),
    element('path', { d: caps, fill: 'none', stroke: colour, 'stroke-width': 0.75, 'pointer-events': 'none' }),
    element('line', { ...line, x1: scale(clean!), x2: scale(perturbed!), 'stroke-width': 1.5 }),
    mark('circle', { cx: scale(perturbed!), cy: middle, r: 3.4, fill: colour }, after, told),
    mark(
      'circle',
      {
        cx: scale(clean!),
        cy: middle,
        r: 3.4,
        fill: 'paper',
        'fill-opacity': 0.6,
        stroke: 'ink',
        'stroke-width': 1.25,
      },
      before,
      told,
    ),
    label(signed(change!), {
      x: chartWidth,
      y: middle + 3.5,
      size,
      'text-anchor': 'end',
      ...(colour !== 'ink' && { 'font-weight': 'bold' }),
    }),
  ].join('')
}
