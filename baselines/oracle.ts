import type { Model, World } from '../src/define.js'
import { reply } from './_reply.js'

const noSolution = 'there is no solution that I know of'

/**
 * Control model with access to the world: it plays the planner's solution in the perturbed wording and so marks what
 * can be solved at all. Without that access, or where there is no solution, its reply says so.
 */
export function createOracle(): Model {
  const card = { name: 'oracle', settings: { version: 1 } }
  return {
    ...card,
    complete: () => ({ text: noSolution, finish: 'stop' }),
    withWorld: (world, phrase) => ({ ...card, complete: createSolver(world, phrase) }),
  }
}

/** Replies with the next action of the plan, and plans again where that action would not be understood. */
function createSolver(world: World, phrase: (action: string) => string): Model['complete'] {
  let plan: readonly string[] = []
  let next = 0
  return async (_, { tools }) => {
    if (next >= plan.length || (await world.understands?.(plan[next]!)) === false) {
      plan = (await world.solve?.()) ?? []
      next = 0
    }
    const action = plan[next++]
    if (action === undefined) return { text: noSolution, finish: 'stop' }
    return reply({ text: action }, undefined, phrase, tools)
  }
}
