import { blank, sentencesOf, trimEnd } from './sentences.js'

/**
 * Splits a text into words as AgentBoard reads actions (in lower case): NLTK 3.8's `word_tokenize`. Hyphens and slashes
 * stay in words, the full stop that ends a sentence does not; a word in double quotes is a separate word, one in single
 * quotes keeps the opening quote (`'b1'` gives `'b1` and `'`).
 */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  for (const sentence of sentencesOf(text)) {
    for (const word of separate(sentence).split(blanks)) if (word !== '') words.push(word)
  }
  return words
}

type Rule = readonly [pattern: RegExp, replacement: string | ((found: string) => string)]

const blanks = new RegExp(`[${blank}]+`)
const start = '(?<![\\p{L}\\p{N}_])'
const end = '(?![\\p{L}\\p{N}_])'

/** The length of the first word in a contraction of two. */
const firstLength = (contraction: string): number => {
  const quote = contraction.indexOf("'")
  return quote < 0 ? 3 : quote
}

// The order of all these rules matters: a rule sees the blanks that earlier ones inserted.
const openingQuotes: readonly Rule[] = [
  [/[«“‘„]|`+/g, ' $& '],
  [/^"/, '``'],
  [/``/g, ' $& '],
  [/([ ([{<])(?:"|'')/g, '$1 `` '],
  [new RegExp(`'(?!re|ve|ll|m|t|s|d|n)([\\p{L}\\p{N}_])${end}`, 'giu'), "' $1"],
]
const punctuation: readonly Rule[] = [
  [/([:,])(\P{Nd})/gu, ' $1 $2'],
  [/[:,](?=\n?$)/, ' $& '],
  [/\.{2,}/g, ' $& '],
  [/[;@#$%&]/g, ' $& '],
]
const closing: readonly Rule[] = [
  [/[?!]/g, ' $& '],
  [/([^'])' /g, "$1 ' "],
  [/[*\][(){}<>]|--/g, ' $& '],
]
const closingQuotes: readonly Rule[] = [
  [/[»”’]/g, ' $& '],
  [/''|"/g, " '' "],
  [/([^' ])('[smd]?) /gi, '$1 $2 '],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /g, '$1 $2 '],
]
const contractions: readonly Rule[] = [
  [
    new RegExp(`${start}(?:(?:cannot|g[iİı]mme|gonna|gotta|lemme|d'ye|more'n)${end}|wanna(?=[${blank}]))`, 'giu'),
    (found) => ` ${found.slice(0, firstLength(found))} ${found.slice(firstLength(found))} `,
  ],
  [new RegExp(` ('t)([iİı]s)${end}`, 'giu'), ' $1 $2 '],
  [new RegExp(` ('t)(was)${end}`, 'giu'), ' $1 $2 '],
]

/** A sentence that only the rules for the last full stop and for contractions can match. */
const plain = /^(?:[\w /]|-(?!-))*\.?$/

/** A sentence with blanks between its words. */
function separate(sentence: string): string {
  if (plain.test(sentence)) return apply(contractions, ` ${separateFullStop(sentence, /^$/)} `)
  let text = apply(openingQuotes, sentence)
  text = separateFullStop(text, /^[\])}>"'»”’ ]*$/)
  text = apply(punctuation, text)
  text = separateFullStop(text, /^[\])}>"']*$/)
  return apply(contractions, apply(closingQuotes, ` ${apply(closing, text)} `))
}

function apply(rules: readonly Rule[], text: string): string {
  for (const [pattern, replacement] of rules) text = text.replace(pattern, replacement as string)
  return text
}

/** Separates the last full stop where only the quotes and brackets of `behind` follow it. */
function separateFullStop(text: string, behind: RegExp): string {
  const at = text.lastIndexOf('.')
  if (at < 1 || text[at - 1] === '.') return text
  const rest = trimEnd(text.slice(at + 1))
  return behind.test(rest) ? `${text.slice(0, at)} . ${rest} ` : text
}
