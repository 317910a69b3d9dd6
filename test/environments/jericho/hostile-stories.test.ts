import { expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import type { Random } from '../../../src/core/random.js'
import { createRandom } from '../../../src/core/random.js'
import { StoryFault } from '../../../src/environments/jericho/machine/memory.js'
import { Machine } from '../../../src/environments/jericho/machine/machine.js'
import { roomsCommands, story, versions } from './stories.js'

/** Small, so that endless loops end soon. */
const instructionBudget = 500_000

it('the interpreter survives random input and damaged stories, with one class of error', () => {
  const random = createRandom('hostile stories')
  const counts = { inputs: 0, refused: 0, faults: 0, played: 0 }
  /** Errors that are not the one class that a damaged story may throw, with what led to them. */
  const crashes: string[] = []
  const play = (name: string, isSound: boolean, steps: number): void => {
    const version = random.pick(versions)
    const bytes = story(name, version)
    let line = ''
    try {
      const machine = new Machine(isSound ? bytes : damage(bytes, random), {
        seed: random.int(1000),
        instructionBudget,
      })
      machine.start()
      for (let step = 0; step < steps && machine.awaiting !== 'none'; step++) {
        line = randomLine(random)
        counts.inputs++
        machine.step(line)
      }
      lookAround(machine)
      if (!isSound) counts.played++
    } catch (error) {
      if (!isSound && error instanceof StoryFault) counts.faults++
      else if (!isSound && error instanceof ShaketableError && error.code === 'bad-input') counts.refused++
      else crashes.push(`${name}, version ${version}: ${String(error)} after ${JSON.stringify(line)}`)
    }
  }
  while (counts.inputs < 4000) play('rooms', true, 500)
  for (let times = 0; times < 600; times++) play(random.pick(['arithmetic', 'memory', 'input', 'rooms']), false, 12)
  expect(crashes).toEqual([])
  expect(Math.min(counts.faults, counts.refused, counts.played)).toBeGreaterThan(50)
})

function randomLine(random: Random): string {
  const command = random.pick(roomsCommands)
  const any = (below: number): string => String.fromCodePoint(random.int(below))
  return random.pick([
    command,
    command,
    command.repeat(1 + random.int(200)),
    Array.from({ length: random.int(80) }, () => any(0xd800)).join(''),
    [...command].map((letter) => (random.int(4) === 0 ? any(0x100) : letter)).join(''),
  ])
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
