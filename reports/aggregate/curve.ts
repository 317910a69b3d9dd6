import type { Sums } from './sums.js'
import { gainUnit } from './sums.js'

/**
 * Mean progress after 0, 1, 2, … steps, an ended episode keeping its last; to 2e−9, as it is added up in whole units.
 * Undefined without a measurement, and where one does not tell when its progress was made.
 */
export function curveOf({ gains, timed }: Sums, measurements: number): number[] | undefined {
  if (measurements === 0 || timed < measurements || gains.length === 0) return undefined
  let reached = 0
  return Array.from(gains, (gain) => ((reached += gain) * gainUnit) / measurements)
}
