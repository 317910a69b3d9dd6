import type { Aggregate } from '../aggregate/aggregate.js'
import { describeExperiment } from '../tables/captions.js'

/** One fact that identifies a run: `Tasks`, `50 of household, generated`. */
export interface Identity {
  readonly name: string
  readonly value: string
}

/** What identifies a run, in the order of a caption. */
export function identityOf(aggregate: Aggregate): Identity[] {
  return describeExperiment(aggregate).map((value) => ({ name: '', value }))
}
