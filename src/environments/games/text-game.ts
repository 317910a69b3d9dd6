import type { Text } from '../../core/text.js'
import { compareCodePoints, sortByCodePoint } from '../pddl/code-points.js'
import { applyAction, goalHolds, isApplicable } from '../pddl/play.js'
import type { Facts } from '../pddl/tables.js'
import type { GroundAction } from '../pddl/task.js'
import { createActionReader, isPossible, isUnderstood, listActions } from './action-reader.js'
import type { CompiledGame } from './compile-game.js'
import { checkAction, checkPhrase, lookAction } from './wording.js'

/** One answer of a game. */
export interface Answer {
  readonly text: Text
  /** AgentBoard's `action_is_valid`. */
  readonly understood: boolean
  readonly progress: number
  readonly won: boolean
}

/** A live game as AgentBoard plays it. */
export interface TextGame {
  readonly opening: string
  /** What holds now; not to be changed. */
  readonly facts: Facts
  /** What can be done now, sorted, and then the commands that help. */
  admissible(): readonly string[]
  /** Whether an action of the domain can be done with any objects; what is no such action always can. */
  isPossible(action: string): boolean
  understands(action: string): boolean
  step(action: string): Answer
  /** Answers as to a text that names no action. */
  refuse(): Answer
}

const rejection = 'The action is not valid and therefore takes no effect. '
const unread: Text = [`${rejection}Please `, { command: checkAction }, '.']
const idle: Text = [
  `${rejection}Please remember to satisfy the restriction of actions. You can also `,
  { command: checkAction },
  '.',
]

/**
 * AgentBoard's `pddl_env.py`. Progress is the largest share of the goal's conditions that held after an action which
 * changed something; what holds from the start counts only then. What the original prints in no certain order is
 * sorted.
 */
export function createTextGame(game: CompiledGame): TextGame {
  const { task, wording, sayings, goal } = game
  const facts = task.init.clone()
  const told = createTold(game, facts)
  const opening = told.everything()
  const reader = createActionReader(game, facts)
  let progress = 0
  let won = false
  let listed: readonly string[] | undefined

  const answer = (text: Text, understood: boolean): Answer => ({ text, understood, progress, won })
  const asksForHelp = (action: string, phrase: string): boolean =>
    action.includes(phrase) && reader.readExactly(action) === undefined
  const admissible = (): readonly string[] =>
    (listed ??= [
      ...sortByCodePoint(listActions(game, facts).map(sayings.action)),
      checkAction,
      ...(wording.offersLookAround ? [lookAction] : []),
    ])
  const act = (ground: GroundAction): Answer | undefined => {
    if (!isApplicable(ground, facts)) return undefined
    const { added, deleted } = applyAction(task, ground, facts)
    if (added.length + deleted.length === 0) return undefined
    listed = undefined
    told.note(added, deleted)
    const reached = goal.filter((part) => part.holds(facts)).length
    progress = Math.max(progress, goal.length === 0 ? 1 : reached / goal.length)
    won = goalHolds(task, facts)
    const said = wording.tells === 'everything' ? told.everything() : told.only(added)
    return answer([won ? `${said} The goal is satisfied.` : said], true)
  }
  return {
    opening,
    facts,
    admissible,
    isPossible(name) {
      const action = task.actions.find((one) => one.name === name)
      return action === undefined || isPossible(game, action, facts)
    },
    understands(given) {
      const action = given.toLowerCase()
      if (asksForHelp(action, checkPhrase) || asksForHelp(action, lookAction)) return true
      const ground = reader.read(action)?.ground
      return ground !== undefined && isUnderstood(game, ground, facts)
    },
    step(given) {
      const action = given.toLowerCase()
      if (asksForHelp(action, checkPhrase)) {
        return answer(['Valid actions are: ', { list: admissible() }], true)
      }
      if (asksForHelp(action, lookAction)) return answer([told.everything()], true)
      const found = reader.read(action)
      if (found === undefined) return answer(unread, false)
      return (found.ground && act(found.ground)) ?? answer(idle, false)
    },
    refuse: () => answer(unread, false),
  }
}

/** What holds in a live game, as sentences. */
export interface Told {
  /** All of it. */
  everything(): string
  /** Some of it. */
  only(atoms: readonly number[]): string
  /** Takes in what an action changed. */
  note(added: readonly number[], deleted: readonly number[]): void
}

/** Keeps the sentences of what holds in order, so that a step costs no sorting. */
function createTold({ task, sayings }: CompiledGame, facts: Facts): Told {
  const sentences: string[] = []
  for (let atom = 0; atom < task.table.predicateOf.length; atom++) {
    if (facts.has(atom)) sentences.push(sayings.sentence(atom))
  }
  sortByCodePoint(sentences)
  const placeOf = (sentence: string): number => {
    let [low, high] = [0, sentences.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareCodePoints(sentences[middle]!, sentence) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    everything: () => sentences.join(' '),
    only: (atoms) => sortByCodePoint(atoms.map(sayings.sentence)).join(' '),
    note(added, deleted) {
      // Two atoms may be worded alike, and then the sentence stands twice.
      for (const atom of deleted) sentences.splice(placeOf(sayings.sentence(atom)), 1)
      for (const atom of added) sentences.splice(placeOf(sayings.sentence(atom)), 0, sayings.sentence(atom))
    },
  }
}
