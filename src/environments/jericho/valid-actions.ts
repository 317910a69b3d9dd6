import { createHash } from 'node:crypto'
import { parseTemplate, printForm } from '../../core/form.js'
import { keepRecent } from '../keep-recent.js'
import { hasEnded } from './agentboard-rules.js'
import type { Token } from './grammar.js'
import { directions } from './grammar.js'
import { StoryFault } from './machine/fault.js'
import type { Machine } from './machine/machine.js'
import type { Story } from './story.js'
import { namesHere } from './names-here.js'

/** Finds the actions that do something now. The machine is left as it was. */
export type ActionFinder = (machine: Machine) => readonly string[]

/** The work for one list, in the machine's units. A list depends on the state alone, never on the time it takes. */
const maxInstructions = 5_000_000
/** States whose lists are kept. */
const maxLists = 512
/** Things in a place of a line with two things that are tried with all others there. */
const maxUnusual = 3

/** A line without an effect of its own, but that time passes. */
const idle = 'wait'

/** The answer to a line. */
interface Answer {
  /** Whether it took a turn, which what the parser refuses does not. */
  readonly isTurn: boolean
  /** Whether objects changed, or the story ended. */
  readonly isEffect: boolean
  readonly said: string
  /** The text without the words that can name things. */
  readonly plain: string
}

/** A thing that the parser finds now. */
interface Here {
  readonly name: string
  readonly isCarried: boolean
}

/**
 * Creates a finder for a story. Candidates are the lines of the story's own grammar with what can be named now: things
 * in the room and in one's hands, and nouns of the description and of the inventory, as far as the parser finds them.
 * Each line is tried from a snapshot. It is listed if it ends the story, or if objects are elsewhere or have other
 * attributes or properties than after a turn of waiting. Of several with one effect the first is listed; forms of the
 * briefing come first.
 */
export function createActionFinder(story: Story): ActionFinder {
  const patterns = patternsOf(story)
  const objects = placesOf(story)
  const keep = keepRecent<readonly string[]>(maxLists)
  return (machine) => {
    if (machine.finished) return []
    const key = createHash('sha1').update(machine.dynamicMemory).digest('base64') + machine.awaiting
    return keep(key, () => findActions(story, patterns, objects, machine))
  }
}

function findActions(story: Story, patterns: readonly Pattern[], objects: Places, machine: Machine): readonly string[] {
  const { dictionary, grammar } = story
  const { objectsBegin, entriesEnd, objectsEnd, entrySize, attributeBytes } = objects
  const start = machine.snapshot()
  const limit = machine.instructions + maxInstructions
  /** Plays a line and gives the text; undefined where the story cannot go on. */
  const attempt = (line: string): string | undefined => {
    machine.restore(start)
    try {
      return machine.step(line)
    } catch (thrown) {
      if (thrown instanceof StoryFault) return undefined
      throw thrown
    }
  }
  const memoryAfter = (line: string): Uint8Array => {
    attempt(line)
    return machine.snapshot().memory
  }
  const waited = memoryAfter(idle)
  const looked = attempt('look') ?? ''
  const afterLook = machine.snapshot().memory
  const carried = attempt('inventory') ?? ''
  const others = [afterLook, machine.snapshot().memory, memoryAfter(story.unknownWord)]
  /** Addresses of the memory that counts turns: what is not understood takes none. */
  const clock: number[] = []
  /** Bits of objects that say nothing of what a line does. */
  const noise = new Uint8Array(waited.length)
  /** Attributes that some objects get by being printed, as those of Inform 7 do: they do not count for any object. */
  const marks = new Uint8Array(entrySize)
  waited.forEach((usual, address) => {
    const [one, other, still] = others.map((memory) => memory[address]!) as [number, number, number]
    const before = start.memory[address]!
    if (one === other && one !== still && still === before) clock.push(address)
    if (address < objectsBegin || address >= objectsEnd) return
    if (one !== usual || other !== usual || still !== usual) noise[address] = 255
    const place = (address - objectsBegin) % entrySize
    if (address < entriesEnd && place < attributeBytes)
      marks[place]! |= (one ^ usual) | (other ^ usual) | (still ^ before)
  })
  for (let address = objectsBegin; address < entriesEnd; address++) {
    noise[address]! |= marks[(address - objectsBegin) % entrySize]!
  }
  const usual = Buffer.from(waited.subarray(objectsBegin, objectsEnd))
  /** The bytes of objects that differ from those after a turn of waiting, as text; empty where none do. */
  const changesNow = (): string => {
    const after = machine.dynamicMemory.subarray(objectsBegin, objectsEnd)
    if (usual.equals(after)) return ''
    const changes: string[] = []
    after.forEach((value, index) => {
      const ignored = noise[objectsBegin + index]!
      if ((value ^ usual[index]!) & ~ignored) changes.push(`${String(index)}:${String(value & ~ignored)}`)
    })
    return changes.join()
  }

  const found = new Map<string, string>()
  const tried = new Set<string>()
  /** Plays the line of a form; undefined if that was done before, cannot be done, or would be too much work. */
  const ask = (form: string, names: readonly string[]): Answer | undefined => {
    const { slots } = parseTemplate(form)
    const line = printForm(form, Object.fromEntries(slots.map((slot, index) => [slot, names[index]!])))
    if (machine.instructions > limit || tried.has(line)) return undefined
    tried.add(line)
    const said = attempt(line)
    if (said === undefined) return undefined
    const effect = hasEnded(machine, said) ? 'end' : changesNow()
    if (effect !== '' && !found.has(effect)) found.set(effect, line)
    const after = machine.dynamicMemory
    const words = dictionary.split(said).filter((word) => {
      const entry = dictionary.find(word)
      return entry === undefined || !grammar.isNoun(entry)
    })
    return {
      isTurn: clock.length === 0 || clock.some((address) => after[address] !== start.memory[address]),
      isEffect: effect !== '',
      said,
      plain: words.join(' '),
    }
  }
  machine.restore(start)
  const here: Here[] = []
  const known = new Set<string>()
  namesHere(story, machine, { looked, carried }, (name, isCarried, isThing) => {
    const answer = ask(examining, [name])
    if (answer?.isTurn !== true) return false
    // Of the names of one thing the first counts.
    if (!known.has(answer.said) || isThing) here.push({ name, isCarried })
    known.add(answer.said)
    return true
  })
  for (const pattern of patterns) tryPattern(pattern, here, ask)
  machine.restore(start)
  return [...found.values()]
}

/** Where a story keeps its objects: their entries, and behind these the tables of their properties. */
interface Places {
  readonly objectsBegin: number
  readonly entriesEnd: number
  readonly objectsEnd: number
  readonly entrySize: number
  readonly attributeBytes: number
}

function placesOf({ createMachine, treeBegin, treeEnd }: Story): Places {
  const machine = createMachine()
  const isOld = machine.header.version === 3
  const entrySize = isOld ? 9 : 14
  let end = treeEnd
  for (let entry = treeBegin; entry < treeEnd; entry += entrySize) {
    end = Math.max(end, machine.readWord(entry + entrySize - 2))
  }
  // The last table: a name in words, and properties with one or two bytes before each.
  if (end > treeEnd) end += 1 + 2 * machine.readByte(end)
  for (let first = machine.readByte(end); first !== 0 && end < machine.header.length; first = machine.readByte(end)) {
    if (isOld) end += 2 + (first >> 5)
    else if (first < 128) end += first < 64 ? 2 : 3
    else end += 2 + (machine.readByte(end + 1) & 63 || 64)
  }
  return {
    objectsBegin: treeBegin,
    entriesEnd: treeEnd,
    objectsEnd: Math.min(end, machine.header.staticMemory),
    entrySize,
    attributeBytes: isOld ? 4 : 6,
  }
}

/** Tries the lines of a pattern with what is here. */
function tryPattern(
  { template, slots }: Pattern,
  here: readonly Here[],
  ask: (form: string, names: readonly string[]) => Answer | undefined,
): void {
  if (slots.length === 0) ask(template, [])
  const [first = [], second = []] = slots.map((kind) => (kind === 'held' ? here.filter((one) => one.isCarried) : here))
  if (slots.length === 1) {
    for (const { name } of first) ask(template, [name])
    // Some stories take a thing first that has to be held.
    for (const { name } of here.filter((one) => !first.includes(one))) {
      if (ask(template, [name])?.isTurn !== true) break
    }
  }
  if (slots.length < 2) return
  // Each thing is tried with one partner. All partners are tried of those things whose answer is not the usual one.
  const unusualOf = (things: readonly Here[], say: (one: Here) => readonly string[]): readonly Here[] => {
    const answers = things.flatMap((one) => {
      const answer = ask(template, say(one))
      return answer === undefined ? [] : [{ one, answer }]
    })
    const counts = new Map<string, number>()
    for (const { answer } of answers) counts.set(answer.plain, (counts.get(answer.plain) ?? 0) + 1)
    const [usual] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? []
    const found = answers.filter(({ answer }) => answer.isEffect || (answer.isTurn && answer.plain !== usual))
    return found.slice(0, maxUnusual).map(({ one }) => one)
  }
  const partner = (of: readonly Here[], one: Here): string => (of.find((other) => other !== one) ?? one).name
  const seconds = unusualOf(second, (one) => [partner(first, one), one.name])
  const firsts = unusualOf(first, (one) => [one.name, partner(second, one)])
  for (const one of firsts) for (const { name } of second) if (name !== one.name) ask(template, [one.name, name])
  for (const other of seconds) for (const { name } of first) if (name !== other.name) ask(template, [name, other.name])
}

/** A form with the kinds of thing in its slots. */
interface Pattern {
  readonly template: string
  readonly slots: readonly ('noun' | 'held')[]
}

const examining = 'examine {obj}'

/** What is said of a story: directions, forms of the briefing, and then all other lines of its grammar. */
function patternsOf({ dictionary, grammar, reader }: Story): readonly Pattern[] {
  const found = new Map<string, Pattern>()
  for (const direction of directions) {
    const word = dictionary.find(direction)
    if (word !== undefined && (grammar.isDirection(word) || grammar.verbOf(word) !== undefined)) {
      found.set(direction, { template: direction, slots: [] })
    }
  }
  const places = new Map(reader.forms.map(({ template }, index) => [template, index]))
  const others: { readonly pattern: Pattern; readonly place: number; readonly action: string }[] = []
  for (const { words, isMeta, lines } of grammar.verbs) {
    if (isMeta || words.some((word) => ['look', 'inventory', 'i', 'l', idle].includes(word))) continue
    const verb = words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
    if (!/^\p{L}/u.test(verb)) continue
    for (const line of lines) {
      const isSlot = (token: Token | undefined): boolean => token === 'noun' || token === 'held'
      const slots = line.tokens.filter((token) => token === 'noun' || token === 'held')
      const isUnclear = line.tokens.some((token, index) => isSlot(token) && isSlot(line.tokens[index + 1]))
      if (line.tokens.includes('other') || slots.length > 2 || isUnclear) continue
      const form = reader.formOf(line)?.template
      let slot = 0
      const own = [verb, ...line.tokens.map((token) => (typeof token === 'object' ? token[0]! : `{${'ab'[slot++]!}}`))]
      const template = form ?? own.join(' ')
      const place = places.get(template) ?? reader.forms.length + slots.length
      others.push({ pattern: { template, slots }, place, action: `${String(line.action)} ${slots.join()}` })
    }
  }
  others.sort((a, b) => a.place - b.place)
  const actions = new Set<string>()
  for (const { pattern, action } of others) {
    if (!found.has(pattern.template) && !actions.has(action)) found.set(pattern.template, pattern)
    actions.add(action)
  }
  return [...found.values()]
}
