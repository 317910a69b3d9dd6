import type { Aggregate } from '../aggregate/aggregate.js'
import type { Drawing } from './chart.js'
import { drawCurves } from './_curves.js'
import { identityOf, percent } from './_points.js'
import { ticksOf } from './_scale.js'

/**
 * pass^k over k (tau-bench): the chance that k tries at a task all succeed, each temperature by itself. How soon a line
 * falls says how much luck is in k = 1.
 */
export function passHatDrawings(aggregate: Aggregate): Drawing[] {
  const several = aggregate.temperatures.length > 1
  return drawCurves(aggregate, {
    name: 'pass-hat',
    what: 'pass^k over k',
    notes: [
      'Chance that k tries at a task all succeed, C(c, k)/C(n, k) of n measurements with c successes, mean over tasks; the seeds at one temperature are the tries.',
      'k goes as far as the task with the fewest measurements; a figure beside a name is the chance at that k. Lines that would hide each other stand side by side.',
    ],
    curvesOf: (group) =>
      group.temperatures.flatMap(({ temperature, trials, coverage }) => {
        if (trials?.passHatCurve === undefined) return []
        const points = trials.passHatCurve.map((value, place) => ({
          ...identityOf(group),
          temperature,
          metric: 'pass-hat',
          x: place + 1,
          value,
          ...coverage,
        }))
        return [{ ...(several && { panel: `T = ${String(temperature)}` }), points }]
      }),
    describe: (point, subject) =>
      `${subject.name}, ${point.column}, temperature ${String(point.temperature)}: all of ${String(point.x)} tries succeed with ${percent(point.value!)} %`,
    axes: (points) => {
      const to = Math.max(2, ...points.map(({ x }) => x!))
      return {
        from: 1,
        to,
        ticks: (most) => [1, ...ticksOf(1, to, most).filter((tick) => Number.isInteger(tick) && tick > 1)],
        across: 'Tries k',
        up: 'Chance that all k succeed (%)',
        showsLast: true,
      }
    },
  })
}
