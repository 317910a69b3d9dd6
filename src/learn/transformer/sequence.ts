import type { Conversation } from '../conversation.js'
import { readShown } from '../shown.js'
import type { Tokenizer } from './tokenizer.js'
import { markCount, marks } from './tokenizer.js'

/** The most tokens of a sequence: older exchanges are left out of a longer conversation. */
export const maxTokens = 1024
/** The most tokens of an action. */
export const maxActionTokens = 40
/** What a token outside of actions counts. Learning to predict observations teaches to copy names early. */
const observationWeight = 0.2
/** The most characters that are read of each text. */
const maxCharacters = 8000

/** A conversation as tokens, with what is learned from each. */
export interface Sequence {
  readonly tokens: readonly number[]
  /** For each token, what it counts to predict the one after it: 1 in an action that is learned from. */
  readonly weights: readonly number[]
}

/** The number of values of {@link featuresOf}. */
export const featureCount = 8

/**
 * What is known of each token beside itself: the part of the conversation that it belongs to, and whether the goal
 * contains it. Whether an observation has what the goal names would otherwise take long to learn.
 */
export function featuresOf(tokens: readonly number[]): number[] {
  const wanted = new Set<number>()
  let part: number = marks.forms
  return tokens.map((token) => {
    if (token < markCount) part = token
    else if (part === marks.goal) wanted.add(token)
    return 2 * part + (wanted.has(token) ? 1 : 0)
  })
}

const bare = { modifiers: new Set<string>() }

/** The listed forms of action with their meaning, in one line. */
function formsOf(head: string): string {
  const listed = [...readShown(head, bare).values()].filter((form) => form.listed)
  return listed.map(({ key, words }) => (words.length === 0 ? key : `${key}: ${words.join(' ')}`)).join(';')
}

/** The texts of a conversation that are encoded. */
export function textsOf({ head, goal, opening, exchanges }: Conversation): string[] {
  const texts = [formsOf(head), goal, opening, ...exchanges.flatMap(({ action, answer }) => [action, answer])]
  return texts.map((text) => text.slice(0, maxCharacters))
}

/** Creates a function that encodes conversations. Equal texts above the goal are read once. */
export function createEncoder({ encode }: Tokenizer): (conversation: Conversation) => Sequence {
  const heads = new Map<string, readonly number[]>()
  const marked = (mark: number, text: string): number[] => [mark, ...encode(text.slice(0, maxCharacters))]
  const encodeHead = (head: string): readonly number[] => {
    const known = heads.get(head) ?? marked(marks.forms, formsOf(head))
    if (heads.size > 64) heads.clear()
    heads.set(head, known)
    return known
  }
  return ({ head, goal, opening, exchanges }) => {
    const top = [...encodeHead(head).slice(0, maxTokens / 4), ...marked(marks.goal, goal).slice(0, maxTokens / 8)]
    top.push(...marked(marks.observation, opening).slice(0, maxTokens / 4))
    const turns = exchanges.map(({ action, answer, loss }) => {
      const said = marked(marks.action, action).slice(0, maxActionTokens)
      return { said, loss, answer: marked(marks.observation, answer).slice(0, maxTokens / 4) }
    })
    // The mark of an action to come and the action itself have to fit as well.
    let room = maxTokens - maxActionTokens - 1 - top.length
    let from = turns.length
    while (from > 0 && room >= turns[from - 1]!.said.length + turns[from - 1]!.answer.length) {
      from--
      room -= turns[from]!.said.length + turns[from]!.answer.length
    }
    const tokens = [...top]
    const weights = top.map(() => observationWeight)
    for (const { said, answer, loss } of turns.slice(from)) {
      tokens.push(...said, ...answer)
      weights.push(...said.map(() => (loss ? 1 : 0)), ...answer.map(() => observationWeight))
    }
    return { tokens, weights }
  }
}
