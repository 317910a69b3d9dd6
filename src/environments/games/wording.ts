import type { ActionForm } from '../../core/form.js'
import type { Source } from '../pddl/expression.js'
import type { Task } from '../pddl/task.js'

/** AgentBoard's four games, in the order in which it plays them. */
export const gameNames = ['gripper', 'blockworld', 'barman', 'tyreworld'] as const
/** One of {@link gameNames}. */
export type GameName = (typeof gameNames)[number]

/** Which of our own games: those that stand in for the benchmark's, or others for tuning. */
export type Split = 'test' | 'train'

/** A game as PDDL says it, before it is made ready. */
export interface GameText {
  /** `gripper/0`; of the split `train`, `train/gripper/0`. */
  readonly id: string
  /** The family of games that it belongs to; for {@link GameName}s it selects the wording. */
  readonly game: string
  readonly domain: Source
  readonly problem: Source
  readonly difficulty?: 'easy' | 'hard'
}

/** A game that is ready to be played. */
export interface Game extends GameText {
  readonly task: Task
  readonly wording: Wording
}

/** How a game says what holds and what can be done. */
export interface Wording {
  /**
   * For each predicate what is said of it: `{}` stands for the next argument, and arguments without one are left
   * unsaid. A predicate that is not here reads `name argument argument`.
   */
  readonly facts: ReadonlyMap<string, string>
  /** For each action of the domain how it is said. */
  readonly actions: ReadonlyMap<string, ActionWording>
  /** What an observation tells after an action: everything that holds, or only what has begun to hold. */
  readonly tells: 'everything' | 'changes'
  /**
   * `agentboard` lists the actions whose arguments all differ, even those that would change nothing, and reads by verbs
   * alone. `plain` lists the actions that change something, and reads what is worded to the letter before all else, so
   * that objects may be called as they like.
   */
  readonly manner: 'agentboard' | 'plain'
  /** Whether a list offers to look around too, which is understood either way. */
  readonly offersLookAround: boolean
}

/** How an action is said. */
export interface ActionWording {
  /** As it is advertised and read: `Pick up {ball} at {room} with arm {gripper}`. */
  readonly template: string
  /** What stands behind it where the game itself says it: `. `. */
  readonly ending: string
  /** The word by which it is known when read: `pick`. */
  readonly verb: string
  /** Of which parameter of the domain's action each slot is, in the slots' order: usually 0, 1, 2. */
  readonly parameters: readonly number[]
  /** What it does, for an agent. */
  readonly meaning: string
}

/** Lists the actions. */
export const checkAction = 'check valid actions'
/** What is enough of it. */
export const checkPhrase = 'check'
/** Tells everything that holds; so does anything that has these words in it. */
export const lookAction = 'look around'

/** A form of action, and which action it is of: one of the domain's, or one of the above. */
export interface GameForm extends ActionForm {
  readonly action: string
}

/** Every form of action that a game advertises. */
export function formsOf({ actions }: Wording): readonly GameForm[] {
  return [
    ...Array.from(actions, ([action, { template, meaning }]) => ({ template, meaning, action })),
    { template: checkAction, meaning: 'be told every action that is possible now', action: checkAction },
    { template: lookAction, meaning: 'be told everything that holds now', action: lookAction },
  ]
}
