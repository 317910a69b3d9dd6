import type { Conversation } from './conversation.js'
import type { NameLore } from './names.js'
import { cutNames, findNames, previousWord } from './names.js'

/** What is known from training before a conversation begins. */
export interface Lore extends NameLore {
  /** Forms of action that came often enough in training to be known by heart, the most frequent first. */
  readonly said: ReadonlySet<string>
  /** Kinds of item that were named in training. */
  readonly kinds: ReadonlySet<string>
}

const mostForms = 256
/** A form is known by heart when it was said in so large a share of the conversations. */
const knownShare = 0.02
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
  const needed = Math.max(2, conversations.length * knownShare)
  const known = often.filter(([, count]) => count >= needed).slice(0, mostForms)
  return { modifiers, kinds, said: new Set(known.map(([form]) => form)) }
}

const none = { modifiers: new Set<string>() }

/** Words that mostly belong to the name behind them: observations never have the one without the other. */
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
          if (!isWhole(seen, action.slice(before.start, end), action.slice(from, end))) break
          count.inside++
          from = before.start
        }
      }
      seen += `\n${answer}`
    }
  }
  return new Set([...counts].filter(([, { inside, all }]) => all >= fewest && inside * 2 > all).map(([word]) => word))
}

/** Whether a text has the longer of two names, and the shorter nowhere without it. */
function isWhole(text: string, longer: string, shorter: string): boolean {
  let isThere = false
  for (let at = text.indexOf(shorter); at !== -1; at = text.indexOf(shorter, at + 1)) {
    if (/\d/.test(text[at + shorter.length] ?? '')) continue
    if (!text.startsWith(longer, at - (longer.length - shorter.length))) return false
    isThere = true
  }
  return isThere
}
