/**
 * A text in small letters as words, the way AgentBoard reads actions: NLTK's `word_tokenize` of version 3.8, after the text is cut into sentences
 * behind every `.`, `?` or `!` that white space follows. Hyphens and strokes stay in words, the full stop that ends a sentence does not; a word
 * in double quotes comes free, one in single quotes keeps the first of them (`'b1'` is `'b1` and `'`).
 */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  for (const sentence of text.split(sentenceEnd)) {
    for (const word of spread(sentence).split(blanks)) if (word !== '') words.push(word)
  }
  return words
}

type Rule = readonly [pattern: RegExp, replacement: string | ((found: string) => string)]

/** White space as Python sees it. */
const blank = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const blanks = new RegExp(`${blank}+`)
const sentenceEnd = new RegExp(`(?<=[.?!])${blank}+`)
const start = '(?<![\\p{L}\\p{N}_])'
const end = '(?![\\p{L}\\p{N}_])'

/** Words that are two, with the length of the first. */
const contractions: Readonly<Record<string, number>> = {
  cannot: 3,
  gimme: 3,
  gonna: 3,
  gotta: 3,
  lemme: 3,
  wanna: 3,
  "d'ye": 1,
  "more'n": 4,
}

// The order counts in all of these: a rule sees the blanks that earlier ones set.
const openingQuotes: readonly Rule[] = [
  [/[«“‘„]|`+/g, ' $& '],
  [/^"/, '``'],
  [/``/g, ' $& '],
  [/([ ([{<])(?:"|'')/g, '$1 `` '],
  [new RegExp(`'(?!re|ve|ll|m|t|s|d|n)([\\p{L}\\p{N}_])${end}`, 'gu'), "' $1"],
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
  [/([^' ])('[smd]?) /g, '$1 $2 '],
  [/([^' ])('ll|'re|'ve|n't) /g, '$1 $2 '],
  [
    new RegExp(`${start}(?:(?:cannot|gimme|gonna|gotta|lemme|d'ye|more'n)${end}|wanna(?=${blank}))`, 'gu'),
    (found) => ` ${found.slice(0, contractions[found])} ${found.slice(contractions[found])} `,
  ],
  [new RegExp(` ('t)(is|was)${end}`, 'gu'), ' $1 $2 '],
]

/** A sentence with blanks around everything that is a word of its own. */
function spread(sentence: string): string {
  let text = apply(openingQuotes, sentence)
  text = partFullStop(text, /^[\])}>"'»”’ ]*$/)
  text = apply(punctuation, text)
  text = partFullStop(text, /^[\])}>"']*$/)
  return apply(closingQuotes, ` ${apply(closing, text)} `)
}

function apply(rules: readonly Rule[], text: string): string {
  for (const [pattern, replacement] of rules) text = text.replace(pattern, replacement as string)
  return text
}

/** Sets a last full stop apart, behind which only quotes and brackets may stand. */
function partFullStop(text: string, behind: RegExp): string {
  const at = text.lastIndexOf('.')
  if (at < 1 || text[at - 1] === '.') return text
  const rest = trimEnd(text.slice(at + 1))
  return behind.test(rest) ? `${text.slice(0, at)} . ${rest} ` : text
}

const isBlank = new RegExp(`^${blank}$`)

function trimEnd(text: string): string {
  let length = text.length
  while (length > 0 && isBlank.test(text[length - 1]!)) length--
  return text.slice(0, length)
}
