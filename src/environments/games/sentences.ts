import * as z from 'zod'
import { packagedData } from '../../files/packaged.js'

/** The characters of Python's `\s`, for a character class; JavaScript's differs in six characters. */
export const blank = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

/**
 * Splits a text into sentences like NLTK 3.8 with its English model: Punkt (Kiss and Strunk 2006, Computational
 * Linguistics 32). A `.`, `?` or `!` can end a sentence where white space or certain marks follow it, depending on the
 * words on both sides. Closing quotes and brackets after it belong to the sentence. Time is linear in the text.
 */
export function sentencesOf(text: string): readonly string[] {
  const spans = cut(text)
  const sentences: string[] = []
  let skipped = 0
  spans.forEach(({ from, to }, index) => {
    const start = from + skipped
    const next = spans[index + 1]
    const closing = next && closingMarks.exec(text.slice(next.from, next.to))
    skipped = closing?.[0].length ?? 0
    const end = closing ? next!.from + closing[1]!.length : to
    if (end > start) sentences.push(text.slice(start, end))
  })
  return sentences
}

interface Span {
  readonly from: number
  readonly to: number
}

/** Marks that end a word at any position. */
const mark = '[?!)";}\\]*:@\'({[]'
const terminator = new RegExp(`[.?!](?=(${mark})|([${blank}]+)([^${blank}]+))`, 'g')
const closingMarks = new RegExp(`^(["')\\]}]+?)(?:[${blank}]+|(?=--)|$)`)

/** The sentences, with closing marks still at the start of the following one. */
function cut(text: string): readonly Span[] {
  const spans: Span[] = []
  let from = 0
  // The last terminator of a word decides, with all of the word before it.
  let last: RegExpExecArray | undefined
  let wordStart = 0
  let wordEnd = 0
  const decide = (): void => {
    if (last === undefined) return
    const [, following, gap = '', next = ''] = last
    const end = last.index + 1
    if (!holdsBreak(text.slice(wordStart, end + (following ?? gap + next).length))) return
    spans.push({ from, to: end })
    from = end + gap.length
  }
  for (const match of text.matchAll(terminator)) {
    const space = lastSpace(text, wordEnd, match.index)
    const start = space > wordEnd ? space + 1 : wordStart
    if (wordEnd <= start) decide()
    last = match
    wordStart = start
    wordEnd = match.index
  }
  decide()
  spans.push({ from, to: trimEnd(text).length })
  return spans
}

/** The index of the last ASCII white space in a range; -1 where there is none. */
function lastSpace(text: string, from: number, to: number): number {
  for (let at = to - 1; at >= from; at--) {
    const unit = text.charCodeAt(at)
    if (unit === 0x20 || (unit >= 9 && unit <= 13)) return at
  }
  return -1
}

// NLTK reads a text line by line, so a token contains no line break.
const spaced = (count: string): string => `(?:\\.(?!\\n)[${blank}]){${count}}\\.`
const tokenEnd = `[${blank}]|$|${mark}|--|\\.\\.|${spaced('2')}`
const token = new RegExp(
  `-{2,}|\\.{2,}|${spaced('2,')}|(?![("\`{[:;&#*@)}\\]\\-,])[^${blank}]+?(?=${tokenEnd}|,(?:${tokenEnd}))|[^${blank}]`,
  'g',
)

/** Whether a sentence ends within a piece of text, before its last token. */
function holdsBreak(text: string): boolean {
  const tokens = text.match(token) ?? []
  return tokens.some((token, index) => index + 1 < tokens.length && endsSentence(token, tokens[index + 1]!))
}

type Role = 'abbreviation' | 'ellipsis' | 'end' | 'none'

/** The role of a token without its context. */
function roleOf(text: string): Role {
  if (text === '.' || text === '?' || text === '!') return 'end'
  if (/^\.{2,}$/.test(text)) return 'ellipsis'
  if (!text.endsWith('.') || text.endsWith('..')) return 'none'
  const bare = text.slice(0, -1).toLowerCase()
  const { abbreviations } = punktModel()
  const isKnown = abbreviations.has(bare) || abbreviations.has(bare.slice(bare.lastIndexOf('-') + 1))
  return isKnown ? 'abbreviation' : 'end'
}

const initial = /^[\p{L}\p{Nl}\p{No}_]\.$/u
const number = /^-?[.,]?\p{Nd}[\p{Nd},.-]*\.?$/u
const anyNumber = '##number##'

/** A token in lower case; all numbers have one type. */
const typeOf = (text: string): string => (number.test(text) ? anyNumber : text.toLowerCase())
const withoutStop = (type: string): string => (type.length > 1 && type.endsWith('.') ? type.slice(0, -1) : type)

/** Whether a token ends a sentence, by the one that follows it. */
function endsSentence(text: string, next: string): boolean {
  const role = roleOf(text)
  if (!text.endsWith('.')) return role === 'end'
  const type = withoutStop(typeOf(text))
  const nextType = roleOf(next) === 'end' ? withoutStop(typeOf(next)) : typeOf(next)
  const { collocations, sentenceStarters, seenSmall } = punktModel()
  if (collocations[type]?.has(nextType)) return false
  const isInitial = initial.test(text)
  const isCapital = /^\p{Uppercase}/u.test(next)
  const starts = startsSentence(next, nextType, isCapital)
  if ((role === 'abbreviation' || role === 'ellipsis') && !isInitial) {
    if (starts === true || (isCapital && sentenceStarters.has(nextType))) return true
  }
  if (isInitial || type === anyNumber) {
    if (starts === false) return false
    if (starts === undefined && isInitial && isCapital && !seenSmall.has(nextType)) return false
  }
  return role === 'end'
}

/** Whether a token's spelling shows that it starts a sentence; undefined where it shows nothing. */
function startsSentence(text: string, type: string, isCapital: boolean): boolean | undefined {
  if (/^[;:,.!?]$/.test(text)) return false
  if (isCapital && punktModel().capitalOnlyFirst.has(type)) return true
  return /^\p{Lowercase}/u.test(text) ? false : undefined
}

/** A text without white space at its end, as Python's `rstrip`. */
export function trimEnd(text: string): string {
  let length = text.length
  while (length > 0 && isBlank.test(text[length - 1]!)) length--
  return text.slice(0, length)
}

const isBlank = new RegExp(`[${blank}]`)

const words = z.string().transform((text): ReadonlySet<string> => new Set(text.split(' ')))

/** The parameters of the model. */
export const punktModel = packagedData(
  'src/environments/games/punkt.yaml',
  z.strictObject({
    abbreviations: words,
    sentenceStarters: words,
    /** By the word before the full stop. */
    collocations: z.record(z.string(), words),
    capitalOnlyFirst: words,
    seenSmall: words,
  }),
)
