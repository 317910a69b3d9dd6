import { cellAt, cells } from './cells.js'
import { type Grid, maxCalls } from './grid.js'
import { replyTokens } from './model-choice.js'

/** What a condition, or a whole grid, takes at most by its step limits. */
export interface Cost {
  readonly episodes: number
  readonly calls: number
  /** Tokens of replies; how long prompts are is not known. */
  readonly replies: number
}

const add = (one: Cost, other: Cost): Cost => ({
  episodes: one.episodes + other.episodes,
  calls: one.calls + other.calls,
  replies: one.replies + other.replies,
})

/**
 * The largest cost of each condition of a grid, and of all of them.
 * @param only indices of the cells to play. Default: all
 */
export function costsOf({ plan, agents }: Grid, only?: readonly number[]) {
  const none: Cost = { episodes: 0, calls: 0, replies: 0 }
  const byCondition = new Map(plan.conditions.map(({ label }) => [label, none]))
  for (const { condition, model, agent } of only?.map((index) => cellAt(plan, index)) ?? cells(plan)) {
    const calls = maxCalls(agents.get(agent.name)!, plan.stepLimit)
    const cost = { episodes: 1, calls, replies: calls * replyTokens(model.settings, plan.maxTokens) }
    byCondition.set(condition.label, add(byCondition.get(condition.label)!, cost))
  }
  return { byCondition, total: [...byCondition.values()].reduce(add) }
}
