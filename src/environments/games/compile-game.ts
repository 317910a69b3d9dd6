import type { Domain } from '../pddl/domain.js'
import { parseDomainOnce } from '../pddl/domain.js'
import { checkMentions, parseProblem } from '../pddl/problem.js'
import { compileTask } from '../pddl/task.js'
import { sortByCodePoint } from '../pddl/code-points.js'
import type { GoalPart } from './goal.js'
import { goalParts } from './goal.js'
import type { Sayings } from './say.js'
import { createSayings } from './say.js'
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
