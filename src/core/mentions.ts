import { parseTemplate } from './form.js'
import { insideWord } from './names.js'

/** An open slot in a common notation: `{obj}`, `(object)`, `<item>`, `[place]`. */
const open = String.raw`\{[^{}\n]{1,60}\}(?:\/\{[^{}\n]{1,60}\})*|\([^()\n]{1,60}\)|<[^<>\n]{1,60}>|\[[^\[\]\n]{1,60}\]`
/** An open slot, or a word and number that look like an unknown item. */
const placeholder = new RegExp(String.raw`${open}|\p{L}+ ?\d+`, 'uy')
const openSlot = new RegExp(String.raw`^(?:${open}|<[^<>\n]{1,60}> <[^<>\n]{1,60}>)$`, 'u')

/** Whether a value of a slot leaves it open. */
export function isOpenSlot(value: string): boolean {
  return openSlot.test(value)
}

/** A range of a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

type NameAt = (text: string, index: number) => string | undefined

/**
 * The mentions of an action form in a text: with items in its slots, with open slots, or with what looks like an item.
 * A form without slots matches wherever its words occur.
 * @param onlyAlone a form of one word, such as `look`, matches only where it stands alone: in quotes, on a line of its
 * own, or between commas. Elsewhere it may be a word of a sentence
 */
export function findForm(template: string, text: string, nameAt: NameAt, onlyAlone = false): readonly Span[] {
  const { literals, slots } = parseTemplate(template)
  const first = literals[0]!
  const spans: Span[] = []
  const isWord = onlyAlone && slots.length === 0 && !/\s/.test(first)
  const valueAt = (index: number): number => {
    if (insideWord(text, index)) return 0
    const name = nameAt(text, index)
    if (name !== undefined) return name.length
    placeholder.lastIndex = index
    return placeholder.exec(text)?.[0].length ?? 0
  }
  for (let start = nextMention(first, text, 0); start !== -1; start = nextMention(first, text, start + 1)) {
    let end = start + first.length
    const matches = slots.every((_, index) => {
      const length = valueAt(end)
      const literal = literals[index + 1]!
      if (length === 0 || !text.startsWith(literal, end + length)) return false
      end += length + literal.length
      return true
    })
    if (!matches || insideWord(text, end) || isHyphenated(text, end)) continue
    if (!isWord || isAlone(text, start, end)) spans.push({ start, end })
  }
  return spans
}

/**
 * The old forms that a text mentions, one entry per mention. Mentions inside a new form that contains the old one do
 * not count, as in `please go to {recep}`.
 */
export function findOldForms(
  old: readonly string[],
  fresh: readonly string[],
  text: string,
  nameAt: NameAt,
): readonly string[] {
  const spans = findForms(old, text, nameAt)
  if (spans.length === 0) return []
  const covers = findForms(fresh, text, nameAt)
  let [next, coveredTo] = [0, 0]
  const mentions: string[] = []
  for (const { start, end, template } of spans) {
    while (next < covers.length && covers[next]!.start <= start) coveredTo = Math.max(coveredTo, covers[next++]!.end)
    if (end > coveredTo) mentions.push(template)
  }
  return mentions
}

/** The mentions of forms in a text, in order; of two with the same start the longer is first. */
export function findForms(templates: readonly string[], text: string, nameAt: NameAt) {
  return templates
    .flatMap((template) => findForm(template, text, nameAt, true).map((span) => ({ ...span, template })))
    .sort((a, b) => a.start - b.start || b.end - a.end)
}

/** The next position of a form's first words, also with a capital letter at the start. */
function nextMention(first: string, text: string, from: number): number {
  if (first === '') return from < text.length ? from : -1
  const lower = first[0]!
  const upper = lower.toUpperCase()
  const rest = first.slice(1)
  for (let at = from; at + first.length <= text.length; at++) {
    at = text.indexOf(rest, at + 1) - 1
    if (at < from) return -1
    if ((text[at] === lower || text[at] === upper) && !insideWord(text, at) && !isHyphenated(text, at)) return at
  }
  return -1
}

/**
 * Whether a hyphen joins the text at an index to a longer word: the `shaker` in `clean-shaker` is not a mention of a
 * form that begins with it.
 */
function isHyphenated(text: string, index: number): boolean {
  if (text[index] !== '-' && text[index - 1] !== '-') return false
  return tied.test(text.slice(Math.max(0, index - 2), index) + '|' + text.slice(index, index + 2))
}

function isAlone(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start)
  return /(?:^|[\n'"`([]|[,:;>*-] ?)$/.test(before) && /^(?:$|[\n'"`,.:;!?)\]])/.test(text.slice(end, end + 1))
}

const tied = /[\p{L}\p{N}]-\|[\p{L}\p{N}]|[\p{L}\p{N}]\|-[\p{L}\p{N}]/u
