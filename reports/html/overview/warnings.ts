import type { Aggregate } from '../../aggregate/aggregate.js'
import { grouped } from '../../../src/tables/words.js'

/** What a reader has to know before any figure: notices, then what was left out. Empty for a whole and clean run. */
export function warningsOf({ notices, omitted }: Aggregate): string[] {
  return [
    ...notices.map(({ text }) => text),
    ...omitted.slice(0, maxOmitted),
    ...(omitted.length > maxOmitted
      ? [`And ${grouped(omitted.length - maxOmitted)} more; report.json has them all.`]
      : []),
  ]
}

const maxOmitted = 12
