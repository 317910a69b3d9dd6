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
const mostModifiers = 256
/** Longer forms and kinds are not known by heart. */
const mostLetters = 200
const isShort = (text: string): boolean => text !== '' && text.length <= mostLetters
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
      const form = cutNames(action, mentions)
      if (isShort(form)) forms.add(form)
      for (const { kind } of mentions) if (isShort(kind) && kinds.size < mostKinds) kinds.add(kind)
    }
    for (const form of forms) rows.set(form, (rows.get(form) ?? 0) + 1)
  }
  const often = [...rows].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
  const needed = Math.max(2, conversations.length * knownShare)
  const known = often.filter(([, count]) => count >= needed).slice(0, mostForms)
  return { modifiers, kinds, said: new Set(known.map(([form]) => form)) }
}

/** Of one action, and of one conversation, so much is looked at, so that a row of any length is done with soon. */
const [mostNames, mostSeen] = [8, 20_000]
const none = { modifiers: new Set<string>() }

/** Words that mostly belong to the name behind them: observations never have the one without the other. */
function findModifiers(conversations: readonly Conversation[]): ReadonlySet<string> {
  const counts = new Map<string, { inside: number; all: number }>()
  for (const { opening, exchanges } of conversations) {
    let seen = opening
    for (const { action, answer, loss } of exchanges) {
      for (const { start, end } of loss ? findNames(action, none).slice(0, mostNames) : []) {
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
      seen = `${seen}\n${answer}`.slice(-mostSeen)
    }
  }
  const mostly = [...counts].filter(([, { inside, all }]) => all >= fewest && inside * 2 > all)
  return new Set(mostly.slice(0, mostModifiers).map(([word]) => word))
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
