import type { Model, World } from 'shaketable'
import { callFor } from './_calls.js'

const noSolution = 'there is no solution that I know of'

/**
 * Control model that is shown the world: it plays the planner's solution in the perturbed wording and so marks what can
 * be solved at all. Without a world in view, or where there is no solution, it says so.
 */
export function createOracle(): Model {
  return {
    name: 'oracle',
    settings: { version: 1 },
    complete: () => ({ text: noSolution, finish: 'stop' }),
    sighted: (world, phrase) => ({
      name: 'oracle',
      settings: { version: 1 },
      complete: createSolver(world, phrase),
    }),
  }
}

/** Says the next action of the plan, and plans again where the plan's next action would not be understood. */
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
    if (tools !== undefined) return { text: '', finish: 'tool', toolCalls: [callFor(action, tools)] }
    return { text: phrase(action), finish: 'stop' }
  }
}
