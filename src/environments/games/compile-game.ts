import { sortByCodePoint } from '../pddl/code-points.js'
import { parseDomainOnce } from '../pddl/domain.js'
import { solveTask } from '../pddl/planner/index.js'
import { areDistinct } from '../pddl/play.js'
import { parseProblem } from '../pddl/problem.js'
import type { Facts } from '../pddl/tables.js'
import { compileTask } from '../pddl/task.js'
import { agentBoardWording } from './agentboard-wording.js'
import { createTexts, goalParts } from './say.js'
import type { GameText } from './wording.js'

/**
 * Prepares a game for playing, with the data that its episodes share.
 * @throws ShaketableError `bad-input` naming file, line and column
 */
export function compileGame(text: GameText) {
  const domain = parseDomainOnce(text.domain.text, text.domain.where)
  const problem = parseProblem(text.problem.text, domain, text.problem.where)
  const task = compileTask(problem)
  const wording = agentBoardWording(text.game, domain)
  const texts = createTexts(task, wording)
  const goal = goalParts(task, texts)
  const conditions = sortByCodePoint(goal.map((part) => part.text))
  return {
    ...text,
    task,
    wording,
    texts,
    goal,
    goalText: `The goal is to satisfy the following conditions: ${conditions.join(', ')}`,
    /** The objects of the problem: everything that an action can name. */
    names: problem.objects.map(({ name }) => name),
  }
}

/** See {@link compileGame}. */
export type CompiledGame = ReturnType<typeof compileGame>

/** A plan from a state to the goal, as actions in the words of the game's lists; undefined where none was found. */
export type GamePlanner = (facts: Facts) => readonly string[] | undefined

/** A planner for a game. AgentBoard's games list only actions with different arguments, and plans have no others. */
export function createPlanner({ task, texts }: CompiledGame): GamePlanner {
  return (facts) => solveTask(task, facts, (ground) => areDistinct(ground.arguments))?.map(texts.action)
}
