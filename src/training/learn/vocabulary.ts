import type { Conversation } from './conversation.js'

/** A part of a text that looks like the name of an item: words and a number. */
export interface Mention {
  /** As written within a sentence. */
  readonly text: string
  /** Kind of the item: the name without its number, in lower case. */
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** Knowledge about names from training texts. */
export interface NameVocabulary {
  /** Words before the last word of a name that belong to it, such as colours. */
  readonly modifiers: ReadonlySet<string>
}

const numbered = /(?<![A-Za-z\d])([A-Za-z]{1,40})([ _-]?)(\d{1,9})(?![A-Za-z\d])/g
const sentenceEnd = /[.!?\n] *$/
const wordBefore = /([A-Za-z]+) $/
/** The most characters before a name that are searched for its modifiers. */
const maxNameLetters = 40

/**
 * Finds the names in a text, from left to right: letters followed by digits, with or without a space between them.
 */
export function findNames(text: string, { modifiers }: NameVocabulary): Mention[] {
  const mentions: Mention[] = []
  for (const match of text.matchAll(numbered)) {
    const [whole, word] = match as unknown as [string, string]
    let start = match.index
    const end = start + whole.length
    const last = mentions.at(-1)?.end ?? 0
    if (modifiers.size > 0) {
      for (
        let before = previousWord(text, start, last);
        before !== undefined;
        before = previousWord(text, start, last)
      ) {
        if (!modifiers.has(before.word.toLowerCase())) break
        start = before.start
      }
    }
    const words = text.slice(start, match.index + word.length)
    const name = text.slice(start, end)
    const isFirst = start === 0 || sentenceEnd.test(text.slice(Math.max(0, start - 3), start))
    mentions.push({
      text: isFirst ? name[0]!.toLowerCase() + name.slice(1) : name,
      kind: words.toLowerCase(),
      start,
      end,
    })
  }
  return mentions
}

/** The word before an index of a text, with one space between them; undefined if there is none after `from`. */
function previousWord(
  text: string,
  before: number,
  from = 0,
): { readonly word: string; readonly start: number } | undefined {
  const near = text.slice(Math.max(from, before - maxNameLetters), before)
  const word = wordBefore.exec(near)?.[1]
  return word === undefined ? undefined : { word, start: before - 1 - word.length }
}

/** A text with each name in it replaced by `{}`. */
export function cutNames(text: string, mentions: readonly Mention[]): string {
  let cut = ''
  let from = 0
  for (const { start, end } of mentions) {
    cut += `${text.slice(from, start)}{}`
    from = end
  }
  return cut + text.slice(from)
}

/** Vocabulary learned in training. */
export interface Vocabulary extends NameVocabulary {
  /** Forms of action that were frequent enough in training to be memorised, the most frequent first. */
  readonly said: ReadonlySet<string>
  /** Kinds of item that were named in training. */
  readonly kinds: ReadonlySet<string>
}

const maxForms = 256
/** Share of the conversations in which a form must occur to be memorised. */
const knownShare = 0.02
const maxKinds = 4096
const maxModifiers = 256
/** Longer forms and kinds are not memorised. */
const maxLetters = 200
const isShort = (text: string): boolean => text !== '' && text.length <= maxLetters
/** A word with fewer occurrences is not judged. */
const minOccurrences = 5

/** Gathers the vocabulary of training conversations. */
export function gatherVocabulary(conversations: readonly Conversation[]): Vocabulary {
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
      for (const { kind } of mentions) if (isShort(kind) && kinds.size < maxKinds) kinds.add(kind)
    }
    for (const form of forms) rows.set(form, (rows.get(form) ?? 0) + 1)
  }
  const often = [...rows].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
  const needed = Math.max(2, conversations.length * knownShare)
  const known = often.filter(([, count]) => count >= needed).slice(0, maxForms)
  return { modifiers, kinds, said: new Set(known.map(([form]) => form)) }
}

/** The most names of an action and characters of a conversation that are searched, to bound the time for a row. */
const [maxNames, maxSeen] = [8, 20_000]
const none = { modifiers: new Set<string>() }

/** Words that mostly belong to the name after them: observations never have the one without the other. */
function findModifiers(conversations: readonly Conversation[]): ReadonlySet<string> {
  const counts = new Map<string, { inside: number; all: number }>()
  for (const { opening, exchanges } of conversations) {
    let seen = opening
    for (const { action, answer, loss } of exchanges) {
      for (const { start, end } of loss ? findNames(action, none).slice(0, maxNames) : []) {
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
      seen = `${seen}\n${answer}`.slice(-maxSeen)
    }
  }
  const mostly = [...counts].filter(([, { inside, all }]) => all >= minOccurrences && inside * 2 > all)
  return new Set(mostly.slice(0, maxModifiers).map(([word]) => word))
}

/** Whether a text contains the longer of two names, and the shorter only as part of it. */
function isWhole(text: string, longer: string, shorter: string): boolean {
  let isThere = false
  for (let at = text.indexOf(shorter); at !== -1; at = text.indexOf(shorter, at + 1)) {
    if (/\d/.test(text[at + shorter.length] ?? '')) continue
    if (!text.startsWith(longer, at - (longer.length - shorter.length))) return false
    isThere = true
  }
  return isThere
}

/** A form of action that a prompt shows, by the form with `{}` for each slot. */
export interface ShownForm {
  /** Names of its slots, if the prompt gives them. */
  readonly slots: readonly string[]
  /** Words beside the form, in lower case. */
  readonly words: readonly string[]
  /** Beginnings of the observations after it in worked examples. */
  readonly answers: readonly string[]
  /** Where it was seen. */
  readonly listed: boolean
  readonly exampled: boolean
}

const slot = /\{([^{}]*)\}(?:\/\{([^{}]*)\})*/g
const quoted = /^(?:[-*•]|\d+[.)])?\s*(['"`])(.+?)\1\s*(.*)$/
const listed = /^(?:[-*•]|\d+[.)])?\s*([^:.]*\{[^{}]*\}[^:.]*)(?:[:.]\s*(.*))?$/
const maxLine = 500
const maxShownForms = 64
const maxWords = 8

/**
 * Reads the forms of action that a prompt shows: in lists with their meaning, and in worked examples with their
 * observations.
 */
export function readShown(head: string, vocabulary: NameVocabulary): ReadonlyMap<string, ShownForm> {
  const forms = new Map<string, ShownForm>()
  const lines = head.split('\n')
  lines.forEach((line, index) => {
    if (line.length > maxLine || forms.size >= maxShownForms) return
    const action = /^(?:Action:|>) *(.+)$|^<action>(.+)<\/action>$/.exec(line)?.slice(1).find(Boolean)
    if (action === undefined) return addListed(forms, line)
    const key = cutNames(action, findNames(action, vocabulary))
    const answer = (lines[index + 1] ?? '').replace(/^Observation: */, '')
    const known = forms.get(key)
    forms.set(key, {
      ...(known ?? { slots: [], words: [], listed: false }),
      answers: [...new Set([...(known?.answers ?? []), frameOf(answer, vocabulary)])].slice(0, 3),
      exampled: true,
    })
  })
  return forms
}

function addListed(forms: Map<string, ShownForm>, line: string): void {
  const quote = quoted.exec(line)
  const bare = quote === null ? listed.exec(line) : null
  const form = (quote?.[2] ?? bare?.[1])?.trim()
  if (form === undefined) return
  const slots = [...form.matchAll(slot)].map((match) => match[1]!)
  const key = form.replace(slot, '{}')
  if (!/[A-Za-z]/.test(key) || key.split(' ').length > 12) return
  const words = wordsOf((quote?.[3] ?? bare?.[2] ?? '').toLowerCase()).slice(0, maxWords)
  const known = forms.get(key)
  forms.set(key, { slots, words, answers: known?.answers ?? [], listed: true, exampled: known?.exampled ?? false })
}

/** The words of a text. */
export function wordsOf(text: string): string[] {
  return text.match(/[A-Za-z][A-Za-z'/-]*/g) ?? []
}

const frameWords = 5

/** Beginning of a sentence, with its names replaced: `You pick up the {}`. */
export function frameOf(text: string, vocabulary: NameVocabulary): string {
  const start = text.slice(0, 200)
  return cutNames(start, findNames(start, vocabulary)).split(/\s+/, frameWords).join(' ')
}
