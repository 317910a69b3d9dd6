import type { Conversation } from './conversation.js'
import type { NameLore } from './names.js'
import { cutNames, findNames, previousWord } from './names.js'

/** What is known from training before a conversation begins. */
export interface Lore extends NameLore {
  /** Forms of action that were said in training, and in how many rows. */
  readonly said: ReadonlyMap<string, number>
  /** Kinds of item that were named in training. */
  readonly kinds: ReadonlySet<string>
}

const mostForms = 256
const mostKinds = 4096
/** A word must be met so often before anything is said of it. */
const fewest = 5

/** Gathers what training conversations teach about names and forms of action. */
export function gatherLore(conversations: readonly Conversation[]): Lore {
  const modifiers = findModifiers(conversations)
  const rows = new Map<string, number>()
  const kinds = new Set<string>()
  for (const { exchanges } of conversations) {
    const forms = new Set<string>()
    for (const { action, loss } of exchanges) {
      if (!loss) continue
      const mentions = findNames(action, { modifiers })
      forms.add(cutNames(action, mentions))
      for (const { kind } of mentions) if (kinds.size < mostKinds) kinds.add(kind)
    }
    for (const form of forms) rows.set(form, (rows.get(form) ?? 0) + 1)
  }
  const often = [...rows].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
  return { modifiers, kinds, said: new Map(often.slice(0, mostForms)) }
}

const none = { modifiers: new Set<string>() }

/** Words that mostly belong to the name behind them: what actions and observations have in common goes on to the left of it. */
function findModifiers(conversations: readonly Conversation[]): ReadonlySet<string> {
  const counts = new Map<string, { inside: number; all: number }>()
  for (const { opening, exchanges } of conversations) {
    let seen = opening
    for (const { action, answer, loss } of exchanges) {
      for (const { start, end } of loss ? findNames(action, none) : []) {
        let from = start
        for (let before = previousWord(action, from); before !== undefined; before = previousWord(action, from)) {
          const word = before.word.toLowerCase()
          const count = counts.get(word) ?? { inside: 0, all: 0 }
          counts.set(word, count)
          count.all++
          if (!seen.includes(action.slice(before.start, end))) break
          count.inside++
          from = before.start
        }
      }
      seen += `\n${answer}`
    }
  }
  return new Set([...counts].filter(([, { inside, all }]) => all >= fewest && inside * 2 > all).map(([word]) => word))
}
