import type { Domain } from '../pddl/domain.js'
import { Facts } from '../pddl/tables.js'
import type { Formula } from '../pddl/formula.js'
import { solveTask } from '../pddl/planner/index.js'
import { groundAction } from '../pddl/play.js'
import type { Task } from '../pddl/task.js'
import { compileTask } from '../pddl/task.js'
import type { CompiledGame } from './compile-game.js'

/** Plans in a game, with what planning needs made once. */
export type GamePlanner = (facts: Facts) => readonly string[] | undefined

/**
 * A planner for a game, in the words of its lists. Where the game offers no action whose arguments are not all different, as AgentBoard's don't, no plan
 * has one.
 */
export function createPlanner({ task, wording, sayings }: CompiledGame): GamePlanner {
  let made: Task | undefined
  const planning = (): Task => (made ??= wording.manner === 'plain' ? task : withDifferentArguments(task))
  return (facts) => {
    const inside = planning()
    const plan = solveTask(inside, inside === task ? facts : sameFacts(task, facts, inside))
    return plan?.map(({ action, arguments: objects }) =>
      sayings.action(groundAction(task, task.actions[action.number]!, objects)!),
    )
  }
}

/** The same task, in whose actions no object stands twice. */
function withDifferentArguments(task: Task): Task {
  const { problem } = task
  const domain: Domain = {
    ...problem.domain,
    actions: problem.domain.actions.map((schema) => {
      const differences = schema.parameters.flatMap((one, index): Formula[] =>
        schema.parameters.slice(index + 1).flatMap((other): Formula[] => {
          const [flags, members] = [task.types.flags(one.types), task.types.members(other.types)]
          if (!members.some((object) => flags[object] === 1)) return []
          return [{ kind: 'not', part: { kind: 'equal', left: one.name, right: other.name } }]
        }),
      )
      return { ...schema, precondition: { kind: 'and', parts: [schema.precondition, ...differences] } }
    }),
  }
  return compileTask({ ...problem, domain })
}

/** What holds in a state of one task as a state of another of the same objects and predicates. */
function sameFacts({ table }: Task, facts: Facts, into: Task): Facts {
  const same = new Facts()
  table.predicateOf.forEach((predicate, atom) => {
    if (facts.has(atom)) same.add(into.table.number(predicate, table.argumentsOf[atom]!))
  })
  return same
}
