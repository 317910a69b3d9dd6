import { createHash } from 'node:crypto'
import type { Filling } from '../../core/form.js'
import { parseTemplate, printForm } from '../../core/form.js'
import { keepRecent } from '../keep-recent.js'
import { hasEnded } from './agentboard-rules.js'
import { directionOf, directions } from './grammar.js'
import { StoryFault } from './machine/fault.js'
import type { Machine } from './machine/machine.js'
import type { Story } from './story.js'
import { roomOf } from './story.js'

/** Finds the actions that do something now. The machine is left as it was. */
export type ActionFinder = (machine: Machine) => readonly string[]

const maxThings = 40
const maxCandidates = 4000
/** The work for one list, in the machine's units. A list depends on the state alone, never on the time it takes. */
const maxInstructions = 20_000_000
/** States whose lists are kept. */
const maxLists = 512
/** Memory outside of the objects says which line was given, and not what it did, from this many forms or values on. */
const minOfNoise = 3

/** A line without an effect of its own, but that time passes. */
const idle = 'wait'

/** A line to try, and the form that it is of. */
interface Candidate {
  readonly line: string
  readonly form: string
}

/** What a candidate changed: bytes of the memory, by address. */
interface Effect extends Candidate {
  readonly changes: ReadonlyMap<number, number>
  readonly hasEnded: boolean
}

/**
 * Creates a finder for a story. Candidates are the lines of the story's own grammar with the things that are in the
 * room, in one's hands or in the description. Each is tried from a snapshot, with a line behind it that does nothing,
 * so that the memory is the same again but for what it did. It is kept if the memory differs elsewhere than after other
 * lines without effect (turns are counted there), or after lines of several forms alike, such as the words of the last
 * command. Of several with one effect the first is kept; forms of the briefing come first.
 */
export function createActionFinder(story: Story): ActionFinder {
  const patterns = patternsOf(story)
  const keep = keepRecent<readonly string[]>(maxLists)
  return (machine) => {
    if (machine.finished) return []
    const key = createHash('sha1').update(machine.dynamicMemory).digest('base64') + machine.awaiting
    return keep(key, () => findActions(story, patterns, machine))
  }
}

function findActions(story: Story, patterns: readonly Pattern[], machine: Machine): readonly string[] {
  const start = machine.snapshot()
  const limit = machine.instructions + maxInstructions
  /** Plays a line and then one without effect; undefined where the story cannot go on. The text is that of the line. */
  const attempt = (line: string): string | undefined => {
    machine.restore(start)
    try {
      const text = machine.step(line)
      if (!hasEnded(machine, text)) machine.step(idle)
      return text
    } catch (thrown) {
      if (thrown instanceof StoryFault) return undefined
      throw thrown
    }
  }
  attempt(idle)
  const usual = machine.snapshot().memory
  const noise = new Uint8Array(usual.length)
  const changesNow = (): Map<number, number> => {
    const changes = new Map<number, number>()
    const after = machine.dynamicMemory
    for (let address = 0; address < usual.length; address++) {
      if (after[address] !== usual[address] && noise[address] === 0) changes.set(address, after[address]!)
    }
    return changes
  }
  const seen = attempt('look') ?? ''
  // Long lines fill the buffers of the parser, and what it does not understand takes no time.
  const many = ['look', story.unknownWord].map((word) => Array.from({ length: 20 }, () => word).join(' '))
  for (const line of ['look', 'inventory', story.unknownWord, ...many]) {
    if (attempt(line) === undefined) continue
    for (const address of changesNow().keys()) noise[address] = 1
  }
  const effects: Effect[] = []
  machine.restore(start)
  for (const candidate of candidatesFrom(patterns, thingsIn(story, machine, seen))) {
    if (machine.instructions > limit) break
    const said = attempt(candidate.line)
    if (said !== undefined) effects.push({ ...candidate, changes: changesNow(), hasEnded: hasEnded(machine, said) })
  }
  machine.restore(start)
  return distinctOf(effects, (address) => address >= story.treeBegin && address < story.treeEnd)
}

/**
 * The lines with an effect of their own. Where objects changed, the rest of the memory does not count; and a byte of it
 * does not count at all if lines of several forms change it, or change it to several values.
 */
function distinctOf(effects: readonly Effect[], isOfTree: (address: number) => boolean): readonly string[] {
  const seen = new Map<number, { readonly forms: Set<string>; readonly values: Set<number> }>()
  for (const { form, changes } of effects) {
    for (const [address, value] of changes) {
      if (isOfTree(address)) continue
      const { forms, values } = seen.get(address) ?? { forms: new Set(), values: new Set() }
      seen.set(address, { forms: forms.add(form), values: values.add(value) })
    }
  }
  const isNoise = (address: number): boolean => {
    const { forms, values } = seen.get(address)!
    return Math.max(forms.size, values.size) >= minOfNoise
  }
  const found = new Map<string, string>()
  for (const { line, changes, hasEnded } of effects) {
    const ofTree = [...changes].filter(([address]) => isOfTree(address))
    const signal = ofTree.length > 0 ? ofTree : [...changes].filter(([address]) => !isNoise(address))
    if (signal.length === 0 && !hasEnded) continue
    const effect = JSON.stringify([signal, hasEnded])
    if (!found.has(effect)) found.set(effect, line)
  }
  return [...found.values()]
}

/** A form with the kinds of thing in its slots. */
interface Pattern {
  readonly template: string
  readonly slots: readonly ('noun' | 'held')[]
}

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
  const others: { readonly pattern: Pattern; readonly place: number }[] = []
  for (const { words, isMeta, lines } of grammar.verbs) {
    if (isMeta || words.some((word) => ['look', 'inventory', 'i', 'l'].includes(word))) continue
    const verb = words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
    if (!/^\p{L}/u.test(verb)) continue
    for (const line of lines) {
      const slots = line.tokens.filter((token) => token === 'noun' || token === 'held')
      if (line.tokens.includes('other') || slots.length > 2) continue
      const form = reader.formOf(line)?.template
      let slot = 0
      const own = [verb, ...line.tokens.map((token) => (typeof token === 'object' ? token[0]! : `{${'ab'[slot++]!}}`))]
      const template = form ?? own.join(' ')
      others.push({ pattern: { template, slots }, place: places.get(template) ?? reader.forms.length })
    }
  }
  others.sort((a, b) => a.pattern.slots.length - b.pattern.slots.length || a.place - b.place)
  for (const { pattern } of others) {
    if (!found.has(pattern.template)) found.set(pattern.template, pattern)
  }
  return [...found.values()]
}

/** Names of what can be named here. */
interface Here {
  readonly all: readonly string[]
  readonly carried: readonly string[]
}

function* candidatesFrom(patterns: readonly Pattern[], { all, carried }: Here): Generator<Candidate> {
  let count = 0
  for (const { template, slots } of patterns) {
    const names = parseTemplate(template).slots
    const [first = [''], second = ['']] = slots.map((kind) => (kind === 'held' ? carried : all))
    for (const one of first) {
      for (const other of second) {
        if (slots.length > 1 && one === other) continue
        if (count++ >= maxCandidates) return
        const filling: Filling = Object.fromEntries(names.map((name, index) => [name, index === 0 ? one : other]))
        yield { line: printForm(template, filling), form: template }
      }
    }
  }
}

/**
 * The things in the player's room, whatever contains them, and those that the description mentions: many stories keep
 * scenery elsewhere. Where the player cannot be found all things of the story count.
 */
function thingsIn({ things, findPlayer, dictionary }: Story, machine: Machine, description: string): Here {
  const { objects } = machine
  const player = findPlayer(machine)
  const room = player === undefined ? machine.global(0) : roomOf(machine, player)
  if (room < 1 || room > objects.count) {
    const all = [...new Set([...things.values()].map(({ name }) => name))].slice(0, maxThings)
    return { all, carried: all }
  }
  const visited = new Set<number>()
  const within = (object: number): readonly number[] => {
    const found: number[] = []
    for (let child = objects.child(object); child !== 0 && !visited.has(child); child = objects.sibling(child)) {
      visited.add(child)
      found.push(child, ...within(child))
    }
    return found
  }
  const nameOf = (object: number): readonly string[] => {
    const thing = things.get(object)
    return thing === undefined || object === player ? [] : [thing.name]
  }
  const carried = player === undefined ? [] : within(player).flatMap(nameOf)
  const here = [...carried, ...within(room).flatMap(nameOf)]
  const known = new Set(here.flatMap((name) => dictionary.split(name).map((word) => dictionary.find(word)?.text)))
  for (const word of dictionary.split(description.replace(/[^\p{L}\d' -]/gu, ' '))) {
    const key = dictionary.find(word)?.text
    if (key === undefined || known.has(key) || directionOf(word) !== undefined) continue
    known.add(key)
    const named = [...things.values()].filter(({ words }) => words.includes(key))
    if (named.length === 1 && objects.parent(named[0]!.object) === room) continue
    if (named.length > 0) here.push(named.length === 1 ? named[0]!.name : word)
  }
  const all = [...new Set(here)].slice(0, maxThings)
  return { all, carried: player === undefined ? all : [...new Set(carried)] }
}
