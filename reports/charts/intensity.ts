import type { Aggregate } from '../aggregate/aggregate.js'
import type { DoseResponse } from '../aggregate/schema.js'
import { speaksOf } from '../tables/captions.js'
import type { ChartPoint, Drawing } from './chart.js'
import type { Section } from './_panels.js'
import { drawPanels } from './_panels.js'
import type { Line } from './_plot.js'
import type { Metric } from './_points.js'
import { describeRate, metrics, subjectsOf, touchedPoint } from './_points.js'
import { ticksOf } from './_scale.js'
import { styleChunks } from './_styles.js'

/** Success and progress over the intensity of each family that was played at several (dose-response). */
export function intensityDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const sections = sectionsOf(aggregate, environment)
    const points = sections.flatMap(({ panels }) => panels.flatMap(({ lines }) => lines.flatMap((line) => line.points)))
    if (points.length === 0) return []
    const to = Math.max(1, ...points.map(({ x }) => x!))
    return [
      {
        environment,
        what: 'Rates over intensity',
        notes: [
          `Mean over every seed at every temperature and every draw of a family, on tasks measured at all of its intensities; the clean twin is at intensity 0; whiskers: 95 % interval over tasks, each rate by itself. ${speaksOf.tasks}`,
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

function sectionsOf(aggregate: Aggregate, environment: string): Section[] {
  const responses = aggregate.doseResponses.filter((one) => one.environment === environment)
  const families = [...new Set(responses.map(({ family }) => family))]
  return styleChunks(subjectsOf(aggregate)).map((chunk) => ({
    key: chunk.map(({ of, style }) => ({ name: of.name, style })),
    panels: families.flatMap((family) =>
      metrics.flatMap(({ metric }) => {
        const lines: Line[] = chunk.flatMap(({ of: subject, style }) => {
          const response = responses.find(
            (one) => one.family === family && one.model === subject.model && one.agent === subject.agent,
          )
          const points = response === undefined ? [] : pointsOf(response, metric)
          const describe = (point: ChartPoint): string => describeRate(subject, point)
          return points.length === 0 ? [] : [{ name: subject.name, style, points, describe }]
        })
        return lines.length === 0 ? [] : [{ title: `${family}, ${metric}`, lines }]
      }),
    ),
  }))
}

function pointsOf({ environment, model, agent, family, ...response }: DoseResponse, metric: Metric): ChartPoint[] {
  return response[metric].levels.flatMap(({ intensity, columns, mean, overTasks, coverage, touched }) => {
    if (mean === undefined) return []
    const column = columns.length === 1 ? columns[0]! : `${family}:intensity=${String(intensity)}`
    return [
      {
        environment,
        model,
        agent,
        column,
        metric,
        x: intensity,
        value: mean,
        ...overTasks,
        ...coverage,
        ...touchedPoint(touched),
      },
    ]
  })
}
