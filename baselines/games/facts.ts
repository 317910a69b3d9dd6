import { keyOf } from './names.js'
import type { Met } from './names.js'

/** How a fact is told: its predicate, a sentence with X, Y for names, and the kinds of these; no predicate where it tells nothing. */
export type Telling = readonly [predicate: string, sentence: string, ...kinds: string[]]

/** What a text tells. Facts are written as predicate and keys of names: `at ball1 rooma`. */
export interface Told {
  readonly facts: readonly string[]
  readonly met: readonly Met[]
}

interface Row {
  readonly predicate: string
  readonly pattern: RegExp
  readonly kinds: readonly string[]
  readonly leads: boolean
}

/** Characters that are read of a text, and of a sentence. */
const longestText = 30_000
const longestSentence = 400
const mostKept = 5000

/** Makes what reads facts from the sentences of a game. Other sentences are passed over. */
export function createFactReader(tellings: readonly Telling[]): (text: string) => Told {
  const rows = tellings.map(([predicate, sentence, ...kinds]): Row => {
    const source = sentence.replace(/\b[XY]\b/g, '(\\S(?:.{0,58}?\\S)??)')
    return { predicate, pattern: new RegExp(`^${source}$`, 'i'), kinds, leads: sentence.startsWith('X') }
  })
  const kept = new Map<string, Told>()
  const read = (piece: string): Told => {
    const known = kept.get(piece)
    if (known !== undefined) return known
    if (kept.size >= mostKept) kept.clear()
    const sentences = cutRunOn(piece.replace(/^The goal is .*?: /i, '').trim())
    const told = join(sentences.map((sentence) => readRow(rows, sentence)))
    kept.set(piece, told)
    return told
  }
  return (text) =>
    join(
      text
        .slice(0, longestText)
        .split(/\.(?:\s+(?![\d\s])|\s*$)|\n/)
        .map(read),
    )
}

function join(parts: readonly Told[]): Told {
  return { facts: parts.flatMap(({ facts }) => facts), met: parts.flatMap(({ met }) => met) }
}

const nothing: Told = { facts: [], met: [] }

function readRow(rows: readonly Row[], sentence: string): Told {
  if (sentence === '' || sentence.length > longestSentence) return nothing
  for (const { predicate, pattern, kinds, leads } of rows) {
    const names = pattern.exec(sentence)?.slice(1)
    if (names === undefined) continue
    return {
      facts: predicate === '' ? [] : [[predicate, ...names.map(keyOf)].join(' ')],
      met: names.map((name, index) => ({ name, kind: kinds[index]!, leads: leads && index === 0 })),
    }
  }
  return nothing
}

/** Sentences that may end without a full stop, and how the next one may begin. */
const openEnded = /^(?:room|handempty|pour) /i
const beginning = /^(?:room|handempty|pour|level|the goal) \S|^\S.{0,40}? (?:is|contains|dispenses|part[12]) /i

/** Cuts `Room rooma Room roomb` in two: where a capital follows a blank, and a sentence can begin. */
function cutRunOn(sentence: string): readonly string[] {
  const sentences: string[] = []
  let rest = sentence.slice(0, longestText)
  while (openEnded.test(rest)) {
    const least = /^pour /i.test(rest) ? rest.indexOf(' shaker ') + 8 : rest.indexOf(' ') + 1
    const next = nextBeginning(rest, least)
    if (next === -1) break
    sentences.push(rest.slice(0, next).trim())
    rest = rest.slice(next)
  }
  return [...sentences, rest.replace(/\s+The goal is satisfied$/i, '')]
}

function nextBeginning(text: string, least: number): number {
  for (let at = text.indexOf(' ', least + 1); at !== -1; at = text.indexOf(' ', at + 1)) {
    const rest = text.slice(at + 1, at + 80)
    if (/^\p{Lu}/u.test(rest) && beginning.test(rest)) return at + 1
  }
  return -1
}
