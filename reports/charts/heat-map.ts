import type { Aggregate, AggregateColumn } from '../aggregate/aggregate.js'
import { mean } from '../../src/statistics/index.js'
import { familiesOf } from '../aggregate/families.js'
import type { FamilyProfile, Profile } from '../aggregate/schema.js'
import { surfaceOf } from '../dose-response.js'
import { speaksOf } from '../tables/captions.js'
import { findGroup } from '../tables/rows.js'
import type { ChartPoint, Drawing } from './chart.js'
import { chartWidth } from './chart.js'
import type { Box, CellContent, DrawnCell } from './_cell.js'
import { drawCell, drawRateCell, excludesZero, hasHolm, isSignificant } from './_cell.js'
import type { Subject } from './_points.js'
import { identityOf, metrics, subjectsOf, touchedNote } from './_points.js'
import { chunks } from './_styles.js'
import { label, nameRoom } from './_text.js'

const size = 10.5
const perBand = 6
/** Of cells; those of changes have a second line for what was touched. */
const heights = { rate: 17, change: 28 } as const

/**
 * The change under each perturbation in every environment, with a block of columns for each model. All environments are
 * in one chart.
 */
export function heatMapDrawings(aggregate: Aggregate): Drawing[] {
  const columns = perturbedColumns(aggregate)
  const environments = aggregate.environments.map(({ name }) => name)
  const holm = hasHolm(aggregate)
  const drawn = drawSheet({
    rows: columns.map((column) => column.label),
    cells: 'change',
    maxNameWidth: environments.length > 1 ? 128 : 150,
    showsHeads: environments.length > 1,
    parts: metrics.map(({ metric }) => ({
      title: `Change of ${metric} rate (points)`,
      blocks: blocksOf(aggregate, environments, (subject, environment, column) => {
        const group = findGroup(aggregate, environment, subject.model, subject.agent, column)
        if (group === undefined) return undefined
        const { difference } = group.pooled
        const point = { ...identityOf(group), metric: `${metric}-change` }
        const isBold = difference !== undefined && isSignificant(difference, metric, holm)
        return { subject, metric, point, difference: difference?.[metric], pairs: difference, isBold }
      }),
    })),
  })
  if (drawn.points.every(({ value }) => value === undefined)) return []
  return [
    {
      ...(environments.length === 1 && { environment: environments[0]! }),
      what: 'Change under perturbation',
      notes: [
        ...whatCellsAre,
        holm
          ? 'Bold: p below 0.05, adjusted after Holm over the columns of a model in an environment (except for columns that by design change nothing).'
          : 'Bold: 95 % interval without 0, not corrected for the number of cells.',
        speaksOf.tasks,
      ],
      ...drawn,
    },
  ]
}

/**
 * The change of success of each family of perturbations, a column for each model, the most harmful family first. Only
 * for a run in which some family has several conditions: otherwise the heat map has the same cells.
 */
export function familyDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const profiles = aggregate.profiles.filter((one) => one.environment === environment)
    const find = (subject: Subject, family: string): FamilyProfile | undefined =>
      profiles
        .find(({ model, agent }) => model === subject.model && agent === subject.agent)
        ?.families.find((one) => one.family === family)
    const rows = byMeanHarm(profiles)
    if (!familiesOf(aggregate.columns).some(({ columns }) => columns.length > 1)) return []
    const drawn = drawSheet({
      rows,
      cells: 'change',
      maxNameWidth: 150,
      showsHeads: false,
      parts: [
        {
          title: 'Change of success rate by family (points)',
          blocks: blocksOf(aggregate, [environment], (subject, _, name) => {
            const family = find(subject, name)
            if (family === undefined) return undefined
            const { success } = family
            const { model, agent } = subject
            const point = { environment, model, agent, column: name, metric: 'success-change' }
            const isBold = excludesZero(success)
            return { subject, metric: 'success', point, difference: success, pairs: family, isBold }
          }),
        },
      ],
    })
    if (drawn.points.every(({ value }) => value === undefined)) return []
    return [
      {
        environment,
        what: 'Change by family of perturbations',
        notes: [
          ...whatCellsAre,
          `Families are over their draws at the highest intensity, in the order of their mean change over models. Bold: 95 % interval without 0, not corrected for the number of cells. ${speaksOf.tasks}`,
        ],
        ...drawn,
      },
    ]
  })
}

/** Families by their mean change over models, controls last. */
function byMeanHarm(profiles: readonly Profile[]): string[] {
  const all = profiles.flatMap(({ families }) => families)
  const harm = (name: string): number => {
    const members = all.filter(({ family }) => family === name)
    const changes = members.map(({ success }) => success.mean).filter((change) => change !== undefined)
    return members[0]!.identity ? 3 : (mean(changes) ?? 2)
  }
  const names = [...new Set(all.map(({ family }) => family))]
  const harms = new Map(names.map((name) => [name, harm(name)]))
  return names.sort((one, other) => harms.get(one)! - harms.get(other)!)
}

/** The change of success in each kind of task, a chart for each environment that has several kinds. */
export function kindDrawings(aggregate: Aggregate): Drawing[] {
  const columns = perturbedColumns(aggregate).map((column) => column.label)
  return aggregate.environments.flatMap(({ name: environment }) => {
    const groups = aggregate.groups.filter((group) => group.environment === environment)
    const rows = groups.find(({ kinds }) => kinds !== undefined)?.kinds?.scores.map(({ kind }) => kind) ?? []
    if (rows.length === 0) return []
    const drawn = drawSheet({
      rows,
      cells: 'change',
      maxNameWidth: 150,
      showsHeads: true,
      parts: [
        {
          title: 'Change of success rate by kind of task (points)',
          blocks: blocksOf(aggregate, columns, (subject, column, kind) => {
            const group = findGroup(aggregate, environment, subject.model, subject.agent, column)
            const score = group?.kinds?.scores.find((one) => one.kind === kind)
            if (group === undefined || score?.difference === undefined) return undefined
            const { success } = score.difference
            const point = { ...identityOf(group), kind, metric: 'success-change' }
            const isBold = excludesZero(success)
            return { subject, metric: 'success', point, difference: success, pairs: score.difference, isBold }
          }),
        },
      ],
    })
    if (drawn.points.every(({ value }) => value === undefined)) return []
    return [
      {
        environment,
        what: 'Change under perturbation by kind of task',
        notes: [
          ...whatCellsAre,
          `Bold: 95 % interval without 0 with the task as the cluster, not corrected for the number of cells. ${speaksOf.tasks}`,
        ],
        ...drawn,
      },
    ]
  })
}

/**
 * The probability that k tries all succeed, over intensity and k: a part for each family, a block for each model and
 * temperature (reliability surface).
 */
export function reliabilityDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const surface = surfaceOf(aggregate, environment)
    if (surface.length === 0) return []
    const temperatures = [...new Set(surface.map(({ temperature }) => temperature))]
    const families = [...new Set(surface.map(({ family }) => family))]
    const drawn = drawSheet({
      rows: [],
      cells: 'rate',
      maxNameWidth: 150,
      showsHeads: true,
      parts: families.map((family) => {
        const ofFamily = surface.filter((row) => row.family === family)
        const most = Math.min(perBand, Math.max(...ofFamily.map(({ shares }) => shares.length)))
        return {
          title: `${family}: all of k tries succeed (%)`,
          rows: [...new Set(ofFamily.map(({ intensity }) => `intensity ${String(intensity)}`))],
          blocks: subjectsOf(aggregate).flatMap((subject) =>
            temperatures.map((temperature): Block => {
              const { model, agent } = subject
              const several = aggregate.temperatures.length > 1
              const rows = ofFamily.filter(
                (row) => row.model === model && row.agent === agent && row.temperature === temperature,
              )
              return {
                subject: several ? { ...subject, name: `${subject.name}, T = ${String(temperature)}` } : subject,
                columns: Array.from({ length: most }, (_, place) => `k = ${String(place + 1)}`),
                cellOf: (named, head, name) => {
                  const row = rows.find(({ intensity }) => `intensity ${String(intensity)}` === name)
                  if (row === undefined) return undefined
                  const k = Number(head.slice('k = '.length))
                  const value = row.shares[k - 1]
                  const point: ChartPoint = {
                    ...{ environment, model, agent, column: family, temperature },
                    ...{ metric: `pass-hat-${String(k)}`, x: row.intensity, ...row.coverage },
                    ...(value !== undefined && { value }),
                  }
                  const words = `${named.name}, ${family}, ${name}: ${head} tries all succeed`
                  return (box) => drawRateCell(point, words, box)
                },
              }
            }),
          ),
        }
      }),
    })
    return [
      {
        environment,
        what: 'Reliability over intensity and tries',
        notes: [
          'Probability in percent that k tries at a task all succeed, C(c, k)/C(n, k) of n measurements with c successes, mean over tasks; intensity 0 is the clean twin; with several draws the mean over draws. The seeds at one temperature are the tries.',
          'Stronger colours are larger shares; – where a task has fewer measurements than k.',
        ],
        ...drawn,
      },
    ]
  })
}

const whatCellsAre = [
  'Perturbed minus clean in percentage points, paired by task, seed and temperature; every task enters.',
  'Orange: a drop; blue: a gain; stronger colours are larger changes.',
  touchedNote,
]

function perturbedColumns(aggregate: Aggregate): readonly AggregateColumn[] {
  return aggregate.columns.filter((column) => !column.clean)
}

/** Cells in rows that all parts share. */
interface Sheet {
  readonly rows: readonly string[]
  readonly cells: keyof typeof heights
  readonly maxNameWidth: number
  readonly showsHeads: boolean
  /** Below each other, each with its blocks, and its own rows where it does not have those of all parts. */
  readonly parts: readonly {
    readonly title: string
    readonly rows?: readonly string[]
    readonly blocks: readonly Block[]
  }[]
}

/** A model's columns of cells. */
interface Block {
  readonly subject: Subject
  readonly columns: readonly string[]
  /** Draws a cell into a box; undefined where there is none. */
  readonly cellOf: (subject: Subject, column: string, row: string) => ((box: Box) => DrawnCell) | undefined
}

function blocksOf(
  aggregate: Aggregate,
  all: readonly string[],
  contentOf: (subject: Subject, column: string, row: string) => CellContent | undefined,
): Block[] {
  const cellOf: Block['cellOf'] = (...place) => {
    const content = contentOf(...place)
    return content && ((box) => drawCell(content, box))
  }
  return subjectsOf(aggregate).flatMap((subject) =>
    chunks(all, perBand).map((columns) => ({ subject, columns, cellOf })),
  )
}

function drawSheet({
  rows,
  cells,
  maxNameWidth,
  showsHeads,
  parts,
}: Sheet): Pick<Drawing, 'points' | 'marks' | 'height'> {
  const names = parts.flatMap((part) => part.rows ?? rows)
  const nameWidth = nameRoom(names, size, 10, maxNameWidth)
  const layout = {
    showsHeads,
    nameWidth,
    cellHeight: heights[cells],
    cellWidth: Math.min(60, (chartWidth - nameWidth) / perBand),
  }
  const points: ChartPoint[] = []
  const marks: string[] = []
  let top = 0
  for (const { title, rows: own = rows, blocks } of parts) {
    marks.push(label(title, { x: 0, y: top + 12, 'font-weight': 'bold' }))
    top += 20
    for (const band of bandsOf(blocks)) {
      const drawn = drawBand({ ...layout, rows: own }, band, top)
      marks.push(drawn.marks)
      points.push(...drawn.points)
      top += drawn.height
    }
  }
  return { points, height: top, marks: marks.join('\n') }
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

function drawBand(
  {
    rows,
    showsHeads,
    nameWidth,
    cellWidth,
    cellHeight,
  }: Pick<Sheet, 'rows' | 'showsHeads'> & Readonly<Record<'nameWidth' | 'cellWidth' | 'cellHeight', number>>,
  band: readonly Block[],
  top: number,
): { readonly marks: string; readonly points: readonly ChartPoint[]; readonly height: number } {
  const cellsTop = top + (showsHeads ? 32 : 18)
  const points: ChartPoint[] = []
  const marks = rows.map((name, row) => {
    const y = cellsTop + row * cellHeight + 12.5
    return label(name, { x: nameWidth - 6, y, size, width: nameWidth - 8, 'text-anchor': 'end' })
  })
  let left = nameWidth
  for (const { subject, columns, cellOf } of band) {
    const width = columns.length * cellWidth
    marks.push(
      label(subject.name, { x: left + width / 2, y: top + 12, size, width: width - 4, 'text-anchor': 'middle' }),
    )
    for (const head of columns) {
      const [x, y, room] = [left + cellWidth / 2, top + 26, cellWidth - 1]
      if (showsHeads) marks.push(label(head, { x, y, size: 9, width: room, fill: 'muted', 'text-anchor': 'middle' }))
      rows.forEach((name, row) => {
        const draw = cellOf(subject, head, name)
        if (draw === undefined) return
        const box = { x: left, y: cellsTop + row * cellHeight, width: cellWidth, height: cellHeight }
        const cell = draw(box)
        marks.push(cell.marks)
        points.push(cell.point)
      })
      left += cellWidth
    }
  }
  return { marks: marks.join(''), points, height: cellsTop - top + rows.length * cellHeight + 14 }
}
