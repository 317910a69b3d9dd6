import { readDictionary } from './dictionary.js'
import { allForms } from './forms.js'
import { directions, readGrammar } from './grammar.js'
import { StoryFault } from './machine/memory.js'
import { Machine } from './machine/machine.js'
import { createReader } from './reading.js'
import { type Things, findThings } from './things.js'

/**
 * Reads the tables of a story file, which all of its episodes share.
 * @throws ShaketableError `bad-input` where the bytes are not a story
 */
export function openStory(bytes: Uint8Array, seed: number) {
  const machine = new Machine(bytes, { seed })
  const { header } = machine
  const dictionary = readDictionary(machine)
  const grammar = readGrammar(machine, dictionary)
  const things = findThings(machine, dictionary, grammar)
  const names = [...new Set(Array.from(things.values(), ({ name }) => name))]
  const reader = createReader({ dictionary, grammar, forms: allForms(), names })
  const isOld = header.version === 3
  const treeBegin = header.objects + (isOld ? 62 : 126)
  const unknownWord = ['zxqv', 'qwxz', 'xzqj', 'vqxj'].find((word) => dictionary.find(word) === undefined) ?? 'zzxqvq'
  let player: number | undefined
  return {
    /** A machine at no particular place. */
    createMachine: () => new Machine(bytes, { seed }),
    dictionary,
    grammar,
    things,
    /** Names of all things, each once. */
    names,
    reader,
    /** A word that is not in the dictionary. */
    unknownWord,
    /** Addresses of the entries of objects, with their attributes, parents, siblings and children. */
    treeBegin,
    treeEnd: treeBegin + machine.objects.count * (isOld ? 9 : 14),
    /** The object of the player; undefined where no direction moves one. The machine is left as it was. */
    findPlayer: (here: Machine): number | undefined => (player ??= whoMoves(here)) ?? whoIsThere(here, things),
  }
}

/** See {@link openStory}. */
export type Story = ReturnType<typeof openStory>

/** The object whose parent changes when a direction leads somewhere. */
function whoMoves(machine: Machine): number | undefined {
  const { objects } = machine
  const start = machine.snapshot()
  const parents = Array.from({ length: objects.count + 1 }, (_, object) => (object === 0 ? 0 : objects.parent(object)))
  const moved = new Map<number, number>()
  let ways = 0
  for (const direction of directions) {
    machine.restore(start)
    try {
      machine.step(direction)
    } catch (thrown) {
      if (thrown instanceof StoryFault) continue
      throw thrown
    }
    const others: number[] = []
    for (let object = 1; object <= objects.count; object++) {
      const [from, to] = [parents[object]!, objects.parent(object)]
      if (from !== to && from !== 0 && to !== 0) others.push(object)
    }
    if (others.length > 0) ways++
    for (const object of others) moved.set(object, (moved.get(object) ?? 0) + 1)
  }
  machine.restore(start)
  return [...moved].filter(([, count]) => count === ways).sort(([one], [other]) => one - other)[0]?.[0]
}

/** The only object of the room that cannot be named, if it has one alone: that of the player has a name for itself. */
function whoIsThere(machine: Machine, things: Things): number | undefined {
  const { objects } = machine
  const room = machine.global(0)
  if (room < 1 || room > objects.count) return undefined
  const unnamed: number[] = []
  for (
    let child = objects.child(room), steps = 0;
    child !== 0 && steps < 500;
    child = objects.sibling(child), steps++
  ) {
    if (!things.has(child)) unnamed.push(child)
  }
  return unnamed.length === 1 ? unnamed[0] : undefined
}

/** The room of an object: the object of the status line where it is in that, else what contains it. */
export function roomOf(machine: Machine, object: number): number {
  const place = machine.global(0)
  for (let at = machine.objects.parent(object), steps = 0; at !== 0 && steps < 10; steps++) {
    if (at === place) return place
    at = machine.objects.parent(at)
  }
  return machine.objects.parent(object)
}
