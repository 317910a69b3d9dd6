import { sortByCodePoint } from '../pddl/code-points.js'
import type { Domain } from '../pddl/domain.js'
import { parseDomainOnce } from '../pddl/domain.js'
import type { Formula } from '../pddl/formula.js'
import { solveTask } from '../pddl/planner/index.js'
import { groundAction } from '../pddl/play.js'
import { checkMentions, parseProblem } from '../pddl/problem.js'
import { Facts } from '../pddl/tables.js'
import type { Task } from '../pddl/task.js'
import { compileTask } from '../pddl/task.js'
import type { GoalPart, Sayings } from './say.js'
import { createSayings, goalParts } from './say.js'
import type { Game, GameText, Wording } from './wording.js'

/** A game with everything that its episodes share. */
export interface CompiledGame extends Game {
  readonly sayings: Sayings
  readonly goal: readonly GoalPart[]
  readonly goalText: string
  /** What the problem declares: everything that an action can name. */
  readonly names: readonly string[]
}

/**
 * Makes a game ready to be played.
 * @throws ShaketableError `bad-input` naming file, line and column
 */
export function compileGame(text: GameText, wordingOf: (domain: Domain) => Wording): CompiledGame {
  const domain = parseDomainOnce(text.domain.text, text.domain.where)
  const problem = parseProblem(text.problem.text, domain, text.problem.where)
  checkMentions(problem)
  const task = compileTask(problem)
  const wording = wordingOf(domain)
  const sayings = createSayings(task, wording)
  const goal = goalParts(task, sayings)
  const conditions = sortByCodePoint(goal.map((part) => part.text))
  return {
    ...text,
    task,
    wording,
    sayings,
    goal,
    goalText: `The goal is to satisfy the following conditions: ${conditions.join(', ')}`,
    names: problem.objects.map(({ name }) => name),
  }
}

/** Plans in a game, with what planning needs made once. */
export type GamePlanner = (facts: Facts) => readonly string[] | undefined

/**
 * A planner for a game, in the words of its lists. Where the game offers no action whose arguments are not all
 * different, as AgentBoard's don't, no plan has one.
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
