import type { Dictionary } from './dictionary.js'
import type { DictionaryWord } from './machine/dictionary.js'
import type { Machine } from './machine/machine.js'

/** A place of a grammar line: words of which one is said, a thing, a thing that is carried, or anything else. */
export type Token = readonly string[] | 'noun' | 'held' | 'other'

/** A way to word an action after its verb. */
export interface GrammarLine {
  /** The story's number of the action: lines with one number mean the same. */
  readonly action: number
  readonly tokens: readonly Token[]
  /** Whether it can be about all things at once: the parser reads `all` in its first place for a thing. */
  readonly takesAll: boolean
}

/** A verb: words of one meaning, and how they may go on. */
export interface Verb {
  readonly words: readonly string[]
  /** Whether it is about the play, such as saving, and not about the world; Inform marks such verbs. */
  readonly isMeta: boolean
  readonly lines: readonly GrammarLine[]
}

/** Parts of speech in the first byte of a word's data, as the compilers Inform and Zilch set them. */
interface Flags {
  readonly verb: number
  readonly meta?: number
  readonly preposition: number
  readonly noun: number
  /** Absent in Inform, whose directions are objects. */
  readonly direction?: number
}

const informFlags: Flags = { verb: 1, meta: 2, preposition: 8, noun: 128 }
const zilchFlags: Flags = { verb: 64, preposition: 8, noun: 128, direction: 16 }

/** Verbs about the play in Infocom's stories, as far as their dictionaries keep the words. */
const metaWords = new Set(
  'quit restart restor save undo script unscri verify versio superb verbos brief score diagno $verify'.split(' '),
)

const maxVerbs = 256
const maxLines = 100
const maxTokens = 32
const maxThings = 2

/** Names of directions in English stories. */
export const directions: readonly string[] = [
  ...['north', 'south', 'east', 'west', 'northeast', 'northwest', 'southeast', 'southwest'],
  ...['up', 'down', 'in', 'out'],
]

/** The short name of each direction. */
const shortDirections: Readonly<Record<string, string>> = {
  ...{ n: 'north', s: 'south', e: 'east', w: 'west', ne: 'northeast', nw: 'northwest', se: 'southeast' },
  ...{ sw: 'southwest', u: 'up', d: 'down' },
}

/** The full name of a direction; undefined for any other word. */
export function directionOf(word: string): string | undefined {
  return directions.includes(word) ? word : shortDirections[word]
}

/**
 * Reads the grammar table of a story. The table stands at the beginning of static memory: a list of addresses, one for
 * each verb, and there the number of its lines and the lines. Lines have eight bytes each in stories of Infocom's
 * compiler Zilch and of Inform up to grammar version 1, and are of different lengths in Inform's grammar version 2
 * (Inform Technical Manual, sections 8.5 and 8.6). A verb's lines may be followed by a byte that makes the next lines
 * begin at an even address. Inform's version is the one by which the lines of most verbs end where the next verb
 * begins. A story without such a table has no verbs.
 */
export function readGrammar(machine: Machine, dictionary: Dictionary) {
  const { words } = dictionary
  const isZilch = isOfZilch(machine)
  const flags = isZilch ? zilchFlags : informFlags
  const has = ({ data }: DictionaryWord, flag: number): boolean => (data[0]! & flag) !== 0
  /** Zilch keeps two values for a word, and says in two bits which part of speech the first one is of. */
  const valueOf = ({ data }: DictionaryWord, first: number): number =>
    (data[0]! & 3) === first ? data[1]! : (data[2] ?? 0)
  const verbNumber = (word: DictionaryWord): number => (isZilch ? valueOf(word, 1) : word.data[1]!)
  const prepositions = new Map<number, string[]>()
  for (const word of words) {
    if (!has(word, flags.preposition)) continue
    const number = isZilch ? valueOf(word, 0) : (word.data[2] ?? 0)
    prepositions.set(number, [...(prepositions.get(number) ?? []), word.text])
  }
  const tables = readTables(machine, dictionary, isZilch, prepositions)
  const spoken = new Map<number, DictionaryWord[]>()
  for (const word of words) {
    if (!has(word, flags.verb)) continue
    const number = 255 - verbNumber(word)
    spoken.set(number, [...(spoken.get(number) ?? []), word])
  }
  const verbs = new Map(
    [...spoken].flatMap(([number, verb]): [number, Verb][] => {
      const lines = tables[number]
      const isMeta = verb.some((word) => has(word, flags.meta ?? 0) || metaWords.has(word.text))
      return lines === undefined ? [] : [[number, { words: verb.map(({ text }) => text), isMeta, lines }]]
    }),
  )
  return {
    verbs: [...verbs.values()],
    verbOf: (word: DictionaryWord): Verb | undefined =>
      has(word, flags.verb) ? verbs.get(255 - verbNumber(word)) : undefined,
    /** Whether a word is the name of a direction, which is a sentence by itself. */
    isDirection: (word: DictionaryWord): boolean =>
      flags.direction === undefined
        ? directionOf(word.text) !== undefined && has(word, flags.noun)
        : has(word, flags.direction),
    /** Whether a word can name a thing. */
    isNoun: (word: DictionaryWord): boolean => has(word, flags.noun),
  }
}

/** See {@link readGrammar}. */
export type Grammar = ReturnType<typeof readGrammar>

/** Whether Infocom's compiler made a story: its serial number is of the 1980s, and Inform has not left its version. */
export function isOfZilch(machine: Machine): boolean {
  const version = [0x3c, 0x3d, 0x3e, 0x3f].map((address) => String.fromCharCode(machine.readByte(address))).join('')
  return machine.header.serial.startsWith('8') && !/^\d\.\d\d$/.test(version)
}

function readTables(
  machine: Machine,
  dictionary: Dictionary,
  isZilch: boolean,
  prepositions: ReadonlyMap<number, readonly string[]>,
): readonly (readonly GrammarLine[])[] {
  const { header } = machine
  const base = header.staticMemory
  const end = header.length
  const isInside = (address: number): boolean => address > base && address < end
  if (!isInside(base + 2)) return []
  const first = machine.readWord(base)
  const count = (first - base) / 2
  if (!isInside(first) || !Number.isInteger(count) || count > maxVerbs) return []
  const addresses = Array.from({ length: count }, (_, index) => machine.readWord(base + 2 * index))
  if (!addresses.every(isInside)) return []
  const byte = (address: number): number => (address < end ? machine.readByte(address) : 0)
  const readAll = (readLine: (place: LinePlace) => LineRead) =>
    addresses.map((address) => {
      const lines: GrammarLine[] = []
      let at = address + 1
      for (let left = Math.min(byte(address), maxLines); left > 0 && isInside(at); left--) {
        const { line, next } = readLine({ byte, at, dictionary, prepositions })
        // More things than two are in no story; they would take long to be told apart in a sentence.
        if (line !== undefined && thingsIn(line) <= maxThings) lines.push(line)
        at = next
      }
      return { lines, end: at }
    })
  const linesOf = (tables: ReturnType<typeof readAll>) => tables.map(({ lines }) => lines)
  if (isZilch) return linesOf(readAll(readZilch))
  const ordered = [...addresses].sort((one, other) => one - other)
  /** The number of verbs behind whose lines the next verb begins, with or without a byte between them. */
  const fits = (tables: ReturnType<typeof readAll>): number =>
    tables.filter((table, index) => {
      const next = ordered.find((address) => address > addresses[index]!) ?? table.end
      return next >= table.end && next - table.end <= 1
    }).length
  const [fixed, variable] = [readAll(readFixed), readAll(readVariable)]
  return linesOf(fits(fixed) > fits(variable) ? fixed : variable)
}

/** The number of things that a line is about. */
export function thingsIn({ tokens }: GrammarLine): number {
  return tokens.filter((token) => typeof token !== 'object').length
}

/** Where a line of the grammar is read. */
interface LinePlace {
  byte(address: number): number
  readonly at: number
  readonly dictionary: Dictionary
  readonly prepositions: ReadonlyMap<number, readonly string[]>
}

/** A line, undefined if it cannot be read, and where the next one begins. */
interface LineRead {
  readonly line: GrammarLine | undefined
  readonly next: number
}

/** Zilch: the number of things, their prepositions, their kinds, where each is looked for, and the action. */
function readZilch({ byte, at, prepositions }: LinePlace): LineRead {
  const tokens: Token[] = []
  let isKnown = true
  for (const thing of [0, 1]) {
    const preposition = byte(at + 1 + thing)
    const spoken = prepositions.get(preposition)
    if (preposition !== 0) {
      if (spoken === undefined) isKnown = false
      else tokens.push(spoken)
    }
    const places = byte(at + 5 + thing)
    if (byte(at) > thing) tokens.push((places & 0x30) === 0 && (places & 0xc0) !== 0 ? 'held' : 'noun')
  }
  const takesAll = byte(at) > 0 && (byte(at + 5) & 4) !== 0
  return { line: isKnown ? { action: byte(at + 7), tokens, takesAll } : undefined, next: at + 8 }
}

/** The tokens of Inform that stand for things: noun, held, multi, multiheld, multiexcept, multiinside, creature. */
const thingTokens: readonly Token[] = ['noun', 'held', 'noun', 'held', 'held', 'noun', 'noun']

/** Whether a token of Inform stands for several things: multi, multiheld, multiexcept and multiinside do. */
const isMulti = (token: number): boolean => token >= 2 && token <= 5

/** Inform, grammar version 1: the number of things, six tokens, and the action. */
function readFixed({ byte, at, prepositions }: LinePlace): LineRead {
  const tokens: Token[] = []
  let isKnown = true
  let takesAll = false
  let things = byte(at)
  for (let place = 1; place <= 6; place++) {
    const token = byte(at + place)
    if (token >= 180) {
      const spoken = prepositions.get(token)
      if (spoken === undefined) isKnown = false
      else tokens.push(spoken)
    } else if (things-- > 0) {
      tokens.push(token < 16 ? (thingTokens[token] ?? 'other') : token < 48 ? 'noun' : 'other')
      takesAll ||= isMulti(token)
    } else break
  }
  return { line: isKnown ? { action: byte(at + 7), tokens, takesAll } : undefined, next: at + 8 }
}

/** Inform, grammar version 2: the action, tokens of three bytes, and an end mark. */
function readVariable({ byte, at, dictionary }: LinePlace): LineRead {
  const action = ((byte(at) << 8) | byte(at + 1)) & 0x3ff
  const tokens: Token[] = []
  let isKnown = true
  let takesAll = false
  let place = at + 2
  for (let left = maxTokens; left > 0 && byte(place) !== 15; left--, place += 3) {
    const [type, value] = [byte(place), (byte(place + 1) << 8) | byte(place + 2)]
    const isAlternative = (type & 0x10) !== 0
    const kind = type & 15
    if (kind === 2) {
      const word = dictionary.at(value)?.text
      const before = tokens.at(-1)
      if (word === undefined) isKnown = false
      else if (isAlternative && typeof before === 'object') tokens[tokens.length - 1] = [...before, word]
      else tokens.push([word])
    } else if (!isAlternative) {
      tokens.push(kind === 1 ? (thingTokens[value] ?? 'other') : kind === 3 || kind === 4 ? 'noun' : 'other')
      takesAll ||= kind === 1 && isMulti(value)
    }
  }
  return { line: isKnown ? { action, tokens, takesAll } : undefined, next: place + 1 }
}
