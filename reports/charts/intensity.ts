import type { Aggregate, AggregateColumn } from '../aggregate/aggregate.js'
import { speaksOf } from '../tables/captions.js'
import { findGroup } from '../tables/rows.js'
import type { ChartPoint, Drawing } from './chart.js'
import type { Section } from './_panels.js'
import { drawPanels } from './_panels.js'
import type { Line } from './_plot.js'
import type { Metric, Subject } from './_points.js'
import { describeRate, metrics, ratePoint, subjectsOf } from './_points.js'
import { ticksOf } from './_scale.js'
import { styleChunks } from './_styles.js'

/**
 * Success and progress over the intensity of a perturbation that was played at several intensities, with the clean twin
 * at 0 (dose-response).
 */
export function intensityDrawings(aggregate: Aggregate): Drawing[] {
  const families = familiesOf(aggregate.columns)
  if (families.length === 0) return []
  return aggregate.environments.flatMap(({ name: environment }) => {
    const sections = sectionsOf(aggregate, environment, families)
    const points = sections.flatMap(({ panels }) => panels.flatMap(({ lines }) => lines.flatMap((line) => line.points)))
    if (points.length === 0) return []
    const to = Math.max(1, ...points.map(({ x }) => x!))
    return [
      {
        name: 'intensity',
        environment,
        what: 'Rates over intensity',
        notes: [
          `Mean over every seed at every temperature; the clean twin is at intensity 0; whiskers: 95 % interval over tasks, each rate by itself. ${speaksOf.tasks}`,
          'Lines that would hide each other are drawn side by side; a figure beside a name is the rate at the highest intensity.',
        ],
        points,
        ...drawPanels(sections, {
          from: 0,
          to,
          ticks: (max) => ticksOf(0, to, max),
          across: 'Intensity',
          up: 'Rate (%)',
          showsLast: true,
        }),
      },
    ]
  })
}

/** Columns of one perturbation with the same options at several intensities. */
interface Family {
  readonly name: string
  readonly columns: readonly AggregateColumn[]
}

function familiesOf(columns: readonly AggregateColumn[]): Family[] {
  const families = new Map<string, AggregateColumn[]>()
  const clean = columns.filter((column) => column.clean)
  for (const column of columns) {
    const [only] = column.perturbations
    if (only === undefined || column.intensity === undefined) continue
    const { name, scope, refuse } = only
    const options = [
      ...(scope ? [`scope=${scope.join('/')}`] : []),
      ...(refuse === undefined ? [] : [`refuse=${String(refuse)}`]),
    ]
    const key = [name, ...options].join(':')
    families.set(key, [...(families.get(key) ?? clean), column])
  }
  return [...families]
    .filter(([, members]) => new Set(members.filter((column) => !column.clean).map(intensityOf)).size > 1)
    .map(([name, members]) => ({ name, columns: members.sort((a, b) => intensityOf(a) - intensityOf(b)) }))
}

function intensityOf({ clean, intensity }: AggregateColumn): number {
  return clean ? 0 : intensity!
}

function sectionsOf(aggregate: Aggregate, environment: string, families: readonly Family[]): Section[] {
  return styleChunks(subjectsOf(aggregate)).map((chunk) => ({
    key: chunk.map(({ of, style }) => ({ name: of.name, style })),
    panels: families.flatMap((family) =>
      metrics.flatMap(({ metric }) => {
        const lines: Line[] = chunk.flatMap(({ of: subject, style }) => {
          const points = pointsOf(aggregate, environment, subject, family, metric)
          const describe = (point: ChartPoint): string => describeRate(subject, point)
          return points.length === 0 ? [] : [{ name: subject.name, style, points, describe }]
        })
        return lines.length === 0 ? [] : [{ title: `${family.name}, ${metric}`, lines }]
      }),
    ),
  }))
}

function pointsOf(
  aggregate: Aggregate,
  environment: string,
  subject: Subject,
  { columns }: Family,
  metric: Metric,
): ChartPoint[] {
  return columns.flatMap((column) => {
    const group = findGroup(aggregate, environment, subject.model, subject.agent, column.label)
    if (group?.pooled[metric].mean === undefined) return []
    return [{ ...ratePoint(group, metric), x: intensityOf(column) }]
  })
}
