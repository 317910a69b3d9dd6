import type { Random } from '../../core/random.js'
import type { Conversation } from '../conversation.js'

/** Probability that a noun of the goal changes places with another, and that items get other numbers. */
const [swapShare, numberShare] = [0.5, 0.5]
const words = /([A-Za-z]{1,40})(?:([ _-]?)(\d{1,9}))?/g

/**
 * Changes names in a conversation, everywhere alike: nouns of the goal with other nouns, and the numbers of items of a
 * kind among themselves. What is then true can only be read from the observations, not known from training.
 * @param nouns words that stand before numbers
 */
export function varyNames(conversation: Conversation, nouns: readonly string[], random: Random): Conversation {
  const { goal, opening, exchanges } = conversation
  const known = new Set(nouns.map((noun) => noun.toLowerCase()))
  const swapped = new Map<string, string>()
  for (const [word] of goal.toLowerCase().matchAll(/[a-z]{1,40}/g)) {
    if (!known.has(word) || swapped.has(word) || random.next() >= swapShare) continue
    const other = random.pick(nouns).toLowerCase()
    if (swapped.has(other)) continue
    swapped.set(word, other)
    swapped.set(other, word)
  }
  const numbers = new Map<string, Map<string, string>>()
  if (random.next() < numberShare) {
    const found = new Map<string, Set<string>>()
    for (const text of [goal, opening, ...exchanges.flatMap(({ action, answer }) => [action, answer])]) {
      for (const [, word, , number] of text.matchAll(words)) {
        const kind = word!.toLowerCase()
        if (number === undefined || !known.has(kind)) continue
        found.set(kind, (found.get(kind) ?? new Set()).add(number))
      }
    }
    for (const [kind, all] of found) {
      const shuffled = random.shuffle([...all])
      numbers.set(kind, new Map([...all].map((number, at) => [number, shuffled[at]!])))
    }
  }
  const vary = (text: string): string =>
    text.replace(words, (whole: string, word: string, gap?: string, number?: string) => {
      const kind = word.toLowerCase()
      const other = swapped.get(kind)
      if (other === undefined && number === undefined) return whole
      const isCapital = word[0] !== kind[0]
      const noun = other === undefined ? word : isCapital ? other[0]!.toUpperCase() + other.slice(1) : other
      return number === undefined ? noun : `${noun}${gap ?? ''}${numbers.get(kind)?.get(number) ?? number}`
    })
  return {
    ...conversation,
    goal: vary(goal),
    opening: vary(opening),
    exchanges: exchanges.map(({ action, answer, loss }) => ({ action: vary(action), answer: vary(answer), loss })),
  }
}
