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
  return tokens.some((one, index) => index + 1 < tokens.length && endsSentence(one, tokens[index + 1]!))
}

type Role = 'abbreviation' | 'ellipsis' | 'end' | 'none'

/** The role of a token without its context. */
function roleOf(text: string): Role {
  if (text === '.' || text === '?' || text === '!') return 'end'
  if (/^\.{2,}$/.test(text)) return 'ellipsis'
  if (!text.endsWith('.') || text.endsWith('..')) return 'none'
  const bare = text.slice(0, -1).toLowerCase()
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
  if (collocations.has(`${type} ${nextType}`)) return false
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
  if (isCapital && capitalOnlyFirst.has(type)) return true
  return /^\p{Lowercase}/u.test(text) ? false : undefined
}

/** A text without white space at its end, as Python's `rstrip`. */
export function trimEnd(text: string): string {
  let length = text.length
  while (length > 0 && isBlank.test(text[length - 1]!)) length--
  return text.slice(0, length)
}

const isBlank = new RegExp(`[${blank}]`)

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

// The parameters of the model (NLTK's data package `punkt`, English), without its abbreviation `. . `, which no token
// can be.
const abbreviations = wordSet(
  'a.a a.c a.d a.g a.h a.m a.m.e a.s a.t adm ala ariz aug ave b.f b.v bros c c.i.t c.o.m.b c.v calif chg cie co ' +
    'col colo conn corp cos ct d d.c d.h d.w dec dr e e.f e.h e.l e.m f f.g f.j feb fla fri ft g g.d g.f g.k ga ' +
    'gen h h.c h.f h.m i.m.s ill inc j.b j.c j.j j.k j.p j.r jan jr k kan ky l l.a l.f l.p lt ltd m m.b.a m.d.c ' +
    'm.j maj messrs mg mich minn mr mrs ms n n.c n.d n.h n.j n.m n.v n.y nev nov oct ok okla ore p p.a.m p.m pa ' +
    'ph.d prof r r.a r.h r.i r.j r.k r.t rep reps s s.a s.a.y s.c s.g s.p.a s.s sen sep sept sr st sw t t.j tenn ' +
    'tues u.k u.n u.s u.s.a u.s.s.r v va vs vt w w.c w.r w.va w.w wash wed wis yr',
)
const sentenceStarters = wordSet(
  'according although among both but despite even he however i if in indeed instead it many meanwhile moreover most ' +
    'nevertheless nonetheless nor sales separately similarly since so some the there these they this though thus ' +
    'under when while yet',
)
/** Pairs of words with a full stop between them that does not end a sentence. */
const collocations = new Set(
  Object.entries({
    [anyNumber]:
      'abreast aes business cbot colgate commodities cooper corrections credit dividend financing genentech henley ' +
      'insider international leisure letters notable pay-fone pegasus pepper review rj wedgestone who zimmer',
    b: 'edelman levine smith stewart wigton',
    i: 'magnin toussie',
    j: 'aron fialka walter',
    o: 'ludcke',
  }).flatMap(([first, seconds]) => seconds.split(' ').map((second) => `${first} ${second}`)),
)

// Of the model's orthographic contexts, only those that occur in recordings of NLTK; other words count as never seen.
/** Words seen in lower case, and capitalised only at the start of a sentence. */
const capitalOnlyFirst = wordSet('fetch loosen pick thought')
/** Other words seen in lower case. */
const seenSmall = wordSet('b')

/** What is known of the model, for a comparison with NLTK itself. */
export const punktModel = { abbreviations, sentenceStarters, collocations, capitalOnlyFirst, seenSmall }
