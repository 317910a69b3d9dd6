import type { Aggregate } from '../aggregate/aggregate.js'
import type { Drawing } from './chart.js'
import { drawCurves } from './_curves.js'
import { identityOf, percent } from './_points.js'
import { ticksOf } from './_scale.js'

/**
 * Mean progress after each step, clean and perturbed (AgentBoard's curve): whether a perturbation slows a model down or
 * stops it.
 */
export function stepsDrawings(aggregate: Aggregate): Drawing[] {
  return drawCurves(aggregate, {
    name: 'steps',
    what: 'Progress over steps',
    notes: [
      'Mean progress rate after so many steps; an episode that has ended keeps its last. A figure beside a name is the rate at the end.',
    ],
    curvesOf: (group) => {
      const { curve, coverage } = group.pooled
      if (curve === undefined) return []
      return [
        {
          points: curve.map((value, step) => ({
            ...identityOf(group),
            metric: 'progress-after',
            x: step,
            value,
            ...coverage,
          })),
        },
      ]
    },
    describe: (point, subject) =>
      `${subject.name}, ${point.column}: progress ${percent(point.value!)} % after step ${String(point.x)}`,
    axes: (points) => {
      const to = Math.max(1, ...points.map(({ x }) => x!))
      return {
        from: 0,
        to,
        ticks: (most) => ticksOf(0, to, most).filter(Number.isInteger),
        across: 'Steps',
        up: 'Progress rate (%)',
        showsLast: true,
      }
    },
  })
}
