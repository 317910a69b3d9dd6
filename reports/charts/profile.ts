import type { Aggregate } from '../aggregate/aggregate.js'
import type { Drawing } from './chart.js'
import { drawCurves } from './_curves.js'
import { identityOf, percent } from './_points.js'
import { ticksOf } from './_scale.js'

/**
 * Share of runs whose progress is above τ, for each column: the whole spread of outcomes, where a mean tells one figure
 * (performance profile, rliable).
 */
export function profileDrawings(aggregate: Aggregate): Drawing[] {
  return drawCurves(aggregate, {
    name: 'profile',
    what: 'Performance profile',
    notes: [
      'Share of episodes whose progress is above a threshold; a line that lies higher is better everywhere, and lines that cross are better at one end only.',
    ],
    curvesOf: (group) => {
      const { profile, coverage } = group.pooled
      if (profile === undefined) return []
      const points = profile.map((value, place) => ({
        ...identityOf(group),
        metric: 'share-above',
        x: place / profile.length,
        value,
        ...coverage,
      }))
      return [{ points }]
    },
    describe: (point, subject) =>
      `${subject.name}, ${point.column}: ${percent(point.value!)} % of episodes with progress above ${percent(point.x!)} %`,
    axes: () => ({
      from: 0,
      to: 1,
      ticks: (most) => ticksOf(0, 1, most),
      across: 'Progress threshold τ',
      up: 'Share of episodes with progress above τ (%)',
      showsLast: false,
    }),
  })
}
