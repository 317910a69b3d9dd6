import type { ActionForm } from '../../core/form.js'
import type { Source } from '../pddl/expression.js'

/** AgentBoard's four games, in the order in which it plays them. */
export const gameNames = ['gripper', 'blockworld', 'barman', 'tyreworld'] as const
/** One of {@link gameNames}. */
export type GameName = (typeof gameNames)[number]

/** The split of our own games: `test` in place of the benchmark's games, `train` for tuning. */
export type Split = 'test' | 'train'

/** A game as PDDL text. */
export interface GameText {
  /** `gripper/0`; of the split `train`, `train/gripper/0`. */
  readonly id: string
  readonly game: GameName
  readonly domain: Source
  readonly problem: Source
  readonly difficulty?: 'easy' | 'hard'
}

/** How a game words facts and actions. */
export interface Wording {
  /**
   * The text of each predicate: `{}` stands for the next argument; arguments without one are left out. A predicate
   * without an entry reads `name argument argument`.
   */
  readonly facts: ReadonlyMap<string, string>
  /** The wording of each action of the domain. */
  readonly actions: ReadonlyMap<string, ActionWording>
  /** What an observation reports after an action: all true facts, or only those that became true. */
  readonly reports: 'everything' | 'changes'
  /** Whether lists include `look around`, which is understood in any case. */
  readonly offersLookAround: boolean
}

/** How an action is worded. Its slots have the order of the domain's parameters. */
export interface ActionWording {
  /** As prompts show it and actions are read: `Pick up {ball} at {room} with arm {gripper}`. */
  readonly template: string
  /** Appended where the game itself writes the action: `. `. */
  readonly ending: string
  /** The word that identifies it in an action: `pick`. */
  readonly verb: string
  /** Its explanation for an agent. */
  readonly meaning: string
}

/** Lists the actions. */
export const checkAction = 'check valid actions'
/** The part of it that is enough. */
export const checkPhrase = 'check'
/** Reports all true facts; so does any text that contains these words. */
export const lookAction = 'look around'

/** An action form with the name of its action: one of the domain's, or one of the above. */
export interface GameForm extends ActionForm {
  readonly action: string
}

/** All action forms that a game advertises. */
export function formsOf({ actions }: Wording): readonly GameForm[] {
  return [
    ...Array.from(actions, ([action, { template, meaning }]) => ({ template, meaning, action })),
    { template: checkAction, meaning: 'be told every action that is possible now', action: checkAction },
    { template: lookAction, meaning: 'be told everything that holds now', action: lookAction },
  ]
}
