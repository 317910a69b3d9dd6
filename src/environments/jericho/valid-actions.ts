import { createHash } from 'node:crypto'
import { parseTemplate, printForm } from '../../core/form.js'
import { keepRecent } from '../keep-recent.js'
import { hasEnded } from './agentboard-rules.js'
import { allForms } from './forms.js'
import { type Token, directions } from './grammar.js'
import { StoryFault } from './machine/memory.js'
import type { Machine } from './machine/machine.js'
import type { Story } from './story.js'
import { namesHere } from './names-here.js'

/** Finds the actions that do something now. The machine is left as it was. */
export type ActionFinder = (machine: Machine) => readonly string[]

/** The work for one list, in the machine's units. A list depends on the state alone, never on the time it takes. */
const maxInstructions = 6_500_000
/** States whose lists are kept. */
const maxLists = 512
/** Kinds of thing in a place of a line with two things that are tried with all others there. */
const maxUnusual = 3
const globals = 240

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
  /** What objects of one kind share: attributes, which properties they have, and whether they are carried. */
  readonly kind: string
}

/** Things of one kind, of which the first is tried for all. */
type Kind = readonly Here[]

/** A name that the parser finds, and the story's variables after the thing was examined. */
interface Named {
  readonly name: string
  readonly isCarried: boolean
  readonly variables: readonly number[]
}

/** Plays the line of a form; undefined if that cannot be done, or would be too much work. */
type Ask = (form: string, names: readonly string[]) => Answer | undefined

/**
 * Creates a finder for a story. Candidates are the lines of the story's own grammar with what can be named now: things
 * in the room and in one's hands, and nouns of the description and of the inventory, as far as the parser finds them.
 * Each line is tried from a snapshot: first with one thing of each kind, and with its like where that has an effect,
 * and then with all things as far as the work for a list allows. It is listed if it ends the story, or if objects are
 * elsewhere or have other attributes or properties than after a turn of waiting. Of several with one effect that of the
 * first form is listed; forms of the briefing come first.
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
  // The player is found once for a story: that is no work of one list.
  story.findPlayer(machine)
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
  const unseen = memoryAfter(`examine ${story.unknownWord}`)
  /** Addresses of the memory that counts turns: what is not understood takes none. */
  const clock: number[] = []
  /** Bits of objects that say nothing of what a line does. */
  const noise = new Uint8Array(waited.length)
  /** Attributes that some objects get by being printed, as those of Inform 7 do: they do not count for any object. */
  const marks = new Uint8Array(entrySize)
  waited.forEach((usual, address) => {
    const [one, other, still] = others.map((memory) => memory[address]!) as [number, number, number]
    const before = start.memory[address]!
    const isStill = still === before && unseen[address] === before
    if (one === other && one !== before && usual !== before && isStill) clock.push(address)
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

  const places = new Map(patterns.map(({ template, place }) => [template, place]))
  const actions = new Map<string, { readonly line: string; readonly place: number }>()
  /** Changes that a story makes by itself. */
  const own = new Set<string>()
  const tried = new Map<string, Answer | undefined>()
  const ask: Ask = (form, names) => {
    const { slots } = parseTemplate(form)
    const line = printForm(form, Object.fromEntries(slots.map((slot, index) => [slot, names[index]!])))
    if (tried.has(line) || machine.instructions > limit) return tried.get(line)
    tried.set(line, undefined)
    const output = attempt(line)
    if (output === undefined) return undefined
    const change = hasEnded(machine, output) ? 'end' : changesNow()
    const effect = own.has(change) ? '' : change
    const place = places.get(form) ?? Infinity
    const before = actions.get(effect)
    if (effect !== '' && (before === undefined || place < before.place)) actions.set(effect, { line, place })
    const after = machine.dynamicMemory
    const words = dictionary.split(output).filter((word) => {
      const entry = dictionary.find(word)
      return entry === undefined || !grammar.isNoun(entry)
    })
    const answer = {
      isTurn: clock.length === 0 || clock.some((address) => after[address] !== start.memory[address]),
      isEffect: effect !== '',
      said: output,
      plain: words.join(' '),
    }
    tried.set(line, answer)
    return answer
  }
  machine.restore(start)
  const named: Named[] = []
  const known = new Set<string>()
  namesHere(story, machine, { looked, carried }, (name, isCarried, isThing) => {
    const answer = ask(examining, [name])
    if (answer?.isTurn !== true) return false
    // Of the names of one thing the first counts.
    if (!known.has(answer.said) || isThing) {
      const variables = Array.from({ length: globals }, (_, number) => machine.global(number))
      named.push({ name, isCarried, variables })
    }
    known.add(answer.said)
    return true
  })
  // What happens while something is looked at happens by itself.
  for (const effect of actions.keys()) if (effect !== 'end' && actions.delete(effect)) own.add(effect)
  machine.restore(start)
  const here = identify(machine, objects, named)
  const kinds = [...new Set(here.map(({ kind }) => kind))].map((kind) => here.filter((one) => one.kind === kind))
  for (const { template } of patterns) if (directions.includes(template)) ask(template, [])
  for (const things of [kinds, here.map((one) => [one])]) {
    const held = holdable(things, ask)
    for (const pattern of patterns) tryPattern(pattern, things, held, ask)
  }
  machine.restore(start)
  return [...actions.values()].sort((one, other) => one.place - other.place).map(({ line }) => line)
}

/**
 * Finds the objects of names by the variable in which the parser keeps what a line was about: that with the most
 * different objects after the things were examined. Of several names of one object the first is left.
 */
function identify(
  machine: Machine,
  { objectsBegin, entrySize, attributeBytes }: Places,
  named: readonly Named[],
): readonly Here[] {
  const { objects } = machine
  let [variable, most] = [-1, 1]
  for (let number = 0; number < globals; number++) {
    const values = named.map(({ variables }) => variables[number]!)
    const count = new Set(values).size
    if (count > most && values.every((value) => value > 0 && value <= objects.count)) [variable, most] = [number, count]
  }
  const seen = new Set<number>()
  return named.flatMap(({ name, isCarried, variables }): Here[] => {
    const object = variables[variable]
    if (object === undefined) return [{ name, isCarried, kind: name }]
    if (seen.has(object)) return []
    seen.add(object)
    const entry = objectsBegin + (object - 1) * entrySize
    const attributes = Array.from({ length: attributeBytes }, (_, index) => machine.readByte(entry + index))
    return [{ name, isCarried, kind: [isCarried, attributes, objects.properties(object)].join(' ') }]
  })
}

/** Where a story keeps its objects: their entries, and behind these the tables of their properties. */
function placesOf({ createMachine, treeBegin, treeEnd }: Story) {
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

type Places = ReturnType<typeof placesOf>

/** What is carried, and what can be taken where a story takes a thing by itself that has to be held. */
function holdable(kinds: readonly Kind[], ask: Ask): readonly Kind[] {
  const hasEffect = (form: string, [one]: Kind): boolean => ask(form, [one!.name])?.isEffect === true
  const carried = kinds.filter(([first]) => first!.isCarried)
  const loose = kinds.filter((kind) => !carried.includes(kind) && hasEffect('take {obj}', kind))
  return loose.some((kind) => hasEffect('drop {obj}', kind)) ? [...carried, ...loose] : carried
}

/**
 * Tries the lines of a pattern with the first thing of each kind, with its others where that has an effect, and with
 * all things at once.
 */
function tryPattern(
  { template, slots, takesAll }: Pattern,
  kinds: readonly Kind[],
  held: readonly Kind[],
  ask: Ask,
): void {
  if (slots.length === 0) ask(template, [])
  const [first = [], second] = slots.map((slot) => (slot === 'held' ? held : kinds))
  /** Tries one place of a line, and gives the answers for the first thing of each kind. */
  const tryEach = (of: readonly Kind[], say: (thing: Here) => readonly string[]) =>
    of.flatMap((kind) => {
      const answer = ask(template, say(kind[0]!))
      if (answer?.isEffect === true) for (const thing of kind.slice(1)) ask(template, say(thing))
      return answer === undefined ? [] : [{ kind, answer }]
    })
  if (second === undefined) {
    tryEach(first, ({ name }) => [name])
    if (takesAll) ask(template, [everything])
    return
  }
  // Each kind is tried with one partner. All partners are tried of those things whose answer is not the usual one.
  const unusualOf = (of: readonly Kind[], say: (one: Here) => readonly string[]): readonly Here[] => {
    const answers = tryEach(of, say)
    const counts = new Map<string, number>()
    for (const { answer } of answers) counts.set(answer.plain, (counts.get(answer.plain) ?? 0) + 1)
    const [usual] = [...counts].sort(([, count], [, other]) => other - count)[0] ?? []
    const unusual = answers.filter(({ answer }) => answer.isEffect || (answer.isTurn && answer.plain !== usual))
    return unusual.slice(0, maxUnusual).flatMap(({ kind, answer }) => (answer.isEffect ? kind : kind.slice(0, 1)))
  }
  const partner = (of: readonly Kind[], thing: Here, unlike: readonly Here[] = []): string => {
    const others = of.flat().filter((other) => other !== thing)
    return (others.find((other) => !unlike.includes(other)) ?? others[0] ?? thing).name
  }
  const seconds = unusualOf(second, (thing) => [partner(first, thing), thing.name])
  for (const other of seconds) tryEach(without(first, other), ({ name }) => [name, other.name])
  const firsts = unusualOf(first, (thing) => [thing.name, partner(second, thing, seconds)])
  for (const thing of firsts) tryEach(without(second, thing), ({ name }) => [thing.name, name])
  if (takesAll) for (const other of seconds) ask(template, [everything, other.name])
}

function without(kinds: readonly Kind[], thing: Here): readonly Kind[] {
  return kinds.map((kind) => kind.filter((other) => other !== thing)).filter(({ length }) => length > 0)
}

/** A form with the kinds of thing in its slots. */
interface Pattern {
  readonly template: string
  readonly slots: readonly ('noun' | 'held')[]
  /** Whether all things can stand in its first slot at once. */
  readonly takesAll: boolean
  /** Its place in lists: forms of the briefing come first. */
  readonly place: number
}

const examining = 'examine {obj}'
/** What the parsers of Inform and of Infocom read for all things that an action can be about. */
const everything = 'all'

/** Verbs about the play that Inform 7 does not mark, as its dictionary has them. */
const asides = new Set(
  `disable enable goal help long normal notify nouns pronouns restore restrict script short superbrie transcrip verbose
   version`.split(/\s+/),
)

/** What is said of a story: directions, forms of the briefing, and then all other lines of its grammar. */
function patternsOf({ dictionary, grammar, reader }: Story): readonly Pattern[] {
  const patterns = new Map<string, Pattern>()
  for (const direction of directions) {
    const word = dictionary.find(direction)
    if (word !== undefined && (grammar.isDirection(word) || grammar.verbOf(word) !== undefined)) {
      patterns.set(direction, { template: direction, slots: [], takesAll: false, place: -1 })
    }
  }
  const places = new Map(reader.forms.map(({ template }, index) => [template, index]))
  const others: { readonly pattern: Pattern; readonly action: string }[] = []
  for (const { words, isMeta, lines } of grammar.verbs) {
    if (isMeta || words.some((word) => ['look', 'inventory', 'i', 'l', idle].includes(word))) continue
    const verb = words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
    if (!/^\p{L}+$/u.test(verb) || asides.has(verb)) continue
    for (const line of lines) {
      const isSlot = (token: Token | undefined): boolean => token === 'noun' || token === 'held'
      const slots = line.tokens.filter((token) => token === 'noun' || token === 'held')
      const isUnclear = line.tokens.some((token, index) => isSlot(token) && isSlot(line.tokens[index + 1]))
      if (line.tokens.includes('other') || slots.length > 2 || isUnclear) continue
      const form = reader.formOf(line)?.template
      let slot = 0
      const words = [
        verb,
        ...line.tokens.map((token) => (typeof token === 'object' ? token[0]! : `{${'ab'[slot++]!}}`)),
      ]
      const template = form ?? words.join(' ')
      const place = places.get(template) ?? reader.forms.length + slots.length
      others.push({
        pattern: { template, slots, takesAll: line.takesAll, place },
        action: `${String(line.action)} ${slots.join()}`,
      })
    }
  }
  // Things that are carried are few, so a line about one of them takes little work.
  const turnOf = ({ place, slots: [one, other] }: Pattern): number =>
    place + (one === 'held' && other === undefined ? -allForms().length : one === 'noun' && other !== undefined ? 4 : 0)
  others.sort((a, b) => turnOf(a.pattern) - turnOf(b.pattern))
  const actions = new Set<string>()
  for (const { pattern, action } of others) {
    if (!patterns.has(pattern.template) && !actions.has(action)) patterns.set(pattern.template, pattern)
    actions.add(action)
  }
  return [...patterns.values()]
}
