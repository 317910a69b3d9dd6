import type { TurnDefinition } from '../../define/world.js'
import type { Text } from '../../core/text.js'
import { sortByCodePoint } from '../pddl/code-points.js'
import { applyAction, goalHolds, isApplicable } from '../pddl/play.js'
import type { GroundAction } from '../pddl/task.js'
import { createActionReader, isPossible, isUnderstood, listActions } from './action-reader.js'
import type { CompiledGame } from './compile-game.js'
import { checkAction, checkPhrase, lookAction } from './wording.js'

/** The result of one action; `understood` is AgentBoard's `action_is_valid`. */
type Answer = Required<TurnDefinition> & { readonly observation: Text }

const rejection = 'The action is not valid and therefore takes no effect. '
const unread: Text = [`${rejection}Please `, { command: checkAction }, '.']
const idle: Text = [
  `${rejection}Please remember to satisfy the restriction of actions. You can also `,
  { command: checkAction },
  '.',
]

/**
 * AgentBoard's `pddl_env.py`. Progress is the largest share of the goal's conditions that held after an action that
 * changed something; conditions that hold from the start count from then on. What the original prints in no fixed
 * order is sorted.
 */
export function createTextGame(game: CompiledGame) {
  const { task, wording, texts, goal } = game
  const facts = task.init.clone()
  const say = (atoms: Iterable<number>): string => sortByCodePoint(Array.from(atoms, texts.sentence)).join(' ')
  const everything = (): string => say(facts.atoms())
  const opening = everything()
  const read = createActionReader(game, facts)
  let progress = 0
  let won = false
  let listed: readonly string[] | undefined

  const answer = (observation: Text, understood: boolean): Answer => {
    return { observation, understood, progress, ended: won && 'success' }
  }
  /** The actions that are possible now, sorted, and then the help commands. */
  const admissible = (): readonly string[] =>
    (listed ??= [
      ...sortByCodePoint(listActions(task, facts).map(texts.action)),
      checkAction,
      ...(wording.offersLookAround ? [lookAction] : []),
    ])
  const act = (ground: GroundAction): Answer | undefined => {
    if (!isApplicable(ground, facts)) return undefined
    const { added, deleted } = applyAction(task, ground, facts)
    if (added.length + deleted.length === 0) return undefined
    listed = undefined
    const reached = goal.filter((part) => part.holds(facts)).length
    progress = Math.max(progress, goal.length === 0 ? 1 : reached / goal.length)
    won = goalHolds(task, facts)
    const text = wording.reports === 'everything' ? everything() : say(added)
    return answer([won ? `${text} The goal is satisfied.` : text], true)
  }
  return {
    opening,
    /** The current state. Callers must not change it. */
    facts,
    admissible,
    /** Whether an action of the domain is possible with any objects; true for any other name. */
    isPossible(name: string): boolean {
      const action = task.actions.find((taskAction) => taskAction.name === name)
      return action === undefined || isPossible(action, facts)
    },
    understands(given: string): boolean {
      const action = given.toLowerCase()
      if (action.includes(checkPhrase) || action.includes(lookAction)) return true
      const ground = read(action)?.ground
      return ground !== undefined && isUnderstood(task, ground, facts)
    },
    step(given: string): Answer {
      const action = given.toLowerCase()
      if (action.includes(checkPhrase)) return answer(['Valid actions are: ', { list: admissible() }], true)
      if (action.includes(lookAction)) return answer([everything()], true)
      const found = read(action)
      if (found === undefined) return answer(unread, false)
      return (found.ground && act(found.ground)) ?? answer(idle, false)
    },
    /** The result of a text that names no action. */
    refuse: () => answer(unread, false),
  }
}

/** See {@link createTextGame}. */
export type TextGame = ReturnType<typeof createTextGame>
