/** For tests of one's own, `shaketable/testing`: laws as functions, a scripted model, a store in memory. */
import type { Model } from './core/model.js'

export { type Evidence, type Finding, type Law, type Subject, checkLaws, laws } from './laws/index.js'
export type { LawDefinition, Verdict } from './laws/law.js'
export { MemoryStore } from './run/store/store.js'

/**
 * A model that says these replies one after the other, in each episode from the beginning, and the last one for ever.
 */
export function createScripted(replies: readonly [string, ...string[]], name = 'scripted'): Model {
  let calls = 0
  return {
    name,
    settings: { replies },
    complete: (_, { call }) => ({ text: replies[Math.min(call?.number ?? calls++, replies.length - 1)]! }),
  }
}
