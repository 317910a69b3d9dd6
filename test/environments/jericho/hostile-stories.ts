import { ShaketableError } from '../../../src/core/errors.js'
import type { Random } from '../../../src/core/random.js'
import { StoryFault } from '../../../src/environments/jericho/machine/memory.js'
import { Machine } from '../../../src/environments/jericho/machine/machine.js'
import { roomsCommands, story, versions } from './stories.js'

/** What became of stories with random input, and of damaged stories. */
export interface HostileStories {
  readonly inputs: number
  /** Damaged stories by how they ended: refused as a file, ended by a fault, or played on. */
  readonly refused: number
  readonly faults: number
  readonly played: number
  /** Errors that are not the one class that a story may throw, with what led to them. There should be none. */
  readonly crashes: readonly string[]
  /** The longest time between two inputs. */
  readonly longestMs: number
}

const names = ['arithmetic', 'memory', 'input', 'rooms'] as const
/** Small, so that endless loops end soon. */
const instructionBudget = 500_000

/** Types random lines into sound stories, and plays stories with random bytes changed. */
export function playHostileStories(inputs: number, damaged: number, random: Random): HostileStories {
  const counts = { inputs: 0, refused: 0, faults: 0, played: 0 }
  const crashes: string[] = []
  let longestMs = 0
  const timed = (work: () => unknown): void => {
    const begun = performance.now()
    work()
    longestMs = Math.max(longestMs, performance.now() - begun)
  }
  const type = (machine: Machine, line: string): void => {
    counts.inputs++
    timed(() => machine.step(line))
  }

  while (counts.inputs < inputs) {
    const version = random.pick(versions)
    const lines: string[] = []
    try {
      const machine = new Machine(story('rooms', version), { seed: random.int(1000), instructionBudget })
      timed(() => machine.start())
      for (let step = 0; step < 500 && !machine.finished; step++) {
        lines.push(randomLine(random))
        type(machine, lines.at(-1)!)
      }
    } catch (error) {
      crashes.push(`rooms, version ${version}: ${String(error)} after ${JSON.stringify(lines.at(-1))}`)
    }
  }

  for (let play = 0; play < damaged; play++) {
    const name = random.pick(names)
    const version = random.pick(versions)
    const bytes = damage(story(name, version), random)
    try {
      const machine = new Machine(bytes, { seed: random.int(1000), instructionBudget })
      timed(() => machine.start())
      for (let step = 0; step < 12 && machine.awaiting !== 'none'; step++) type(machine, randomLine(random))
      timed(() => lookAround(machine))
      counts.played++
    } catch (error) {
      if (error instanceof StoryFault) counts.faults++
      else if (error instanceof ShaketableError && error.code === 'bad-input') counts.refused++
      else crashes.push(`${name}, version ${version}, play ${play}: ${String(error)}`)
    }
  }
  return { ...counts, crashes, longestMs }
}

function randomLine(random: Random): string {
  const command = random.pick(roomsCommands)
  switch (random.int(6)) {
    case 0:
      return command.repeat(1 + random.int(200))
    case 1:
      return Array.from({ length: random.int(80) }, () => String.fromCodePoint(random.int(0xd800))).join('')
    case 2:
      return [...command]
        .map((letter) => (random.int(4) === 0 ? random.pick([...'.,"\t\n\0\u00e4\u{1f600}']) : letter))
        .join('')
    default:
      return command
  }
}

/** Changes 1 to 30 bytes, a third of them in the header, but not the version. */
function damage(bytes: Uint8Array, random: Random): Uint8Array {
  const damaged = Uint8Array.from(bytes)
  for (let change = random.int(30); change >= 0; change--) {
    const place = random.int(random.int(3) === 0 ? 64 : damaged.length)
    damaged[Math.max(1, place)] = random.int(256)
  }
  return damaged
}

/** Everything that an environment may look at between two inputs. */
function lookAround(machine: Machine): unknown {
  const { objects } = machine
  const trees = Array.from({ length: Math.min(objects.count, 100) }, (_, index) => {
    const object = index + 1
    return [objects.name(object), objects.parent(object), objects.hasAttribute(object, 1), objects.properties(object)]
  })
  machine.restore(machine.snapshot())
  return [trees, machine.dictionaryWords()]
}
