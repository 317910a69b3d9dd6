import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Random, ShaketableError, createRandom } from '../../../src/index.js'
import { StoryFault } from '../../../src/environments/jericho/machine/memory.js'
import { Machine } from '../../../src/environments/jericho/machine/machine.js'
import type { Version } from './stories.js'
import {
  assemble,
  codeAddress,
  free,
  high,
  low,
  quit,
  roomsCommands,
  staticMemory,
  story,
  storyFolder,
  versions,
  playMachine,
  scripts,
} from './stories.js'

const sound = story('rooms', 5)
it.each<readonly [string, Uint8Array]>([
  ['an empty file', new Uint8Array()],
  ['version 6', sound.with(0, 6)],
  ['a file cut short', sound.slice(0, 300)],
  ['a file whose tables lie beyond the length that its header states', sound.with(0x1a, 0).with(0x1b, 20)],
  ['a file too long for its version', new Uint8Array((1 << 17) + 1).fill(3, 0, 1)],
])('a file that is no story of versions 3, 4, 5 and 8 is refused %s', (_, bytes) => {
  expect(() => new Machine(bytes)).toThrow(
    expect.objectContaining({ code: 'bad-input', message: expect.stringContaining('Z-machine story') }),
  )
})

const cases = Object.entries(scripts).flatMap(([name, script]) =>
  versions.map((version) => ({ name, version, script })),
)
it.each(cases)('a story of our own prints what dfrotz printed $name, version $version', ({ name, version, script }) => {
  const recorded = readFileSync(join(storyFolder, `${name}.z${version}.txt`), 'utf8')
  expect(recorded.length).toBeGreaterThan(500)
  expect(playMachine(story(name, version), script(version))).toBe(recorded)
})

describe('a machine', () => {
  it.each(versions)('tells what a story of version %i is, and its objects and words', (version) => {
    const machine = new Machine(story('rooms', version))
    expect(machine.awaiting).toBe('none')
    expect(machine.start()).toMatch(/^\nA small house\n\nEntrance Hall\n[^]*\n>$/)
    expect(machine.header).toMatchObject({ version, release: 4, serial: '260104' })
    const { objects } = machine
    const all = Array.from({ length: objects.count }, (_, index) => index + 1)
    const [hall, coat] = [machine.global(0), all.find((one) => objects.name(one) === 'old coat')!]
    expect([objects.name(hall), objects.parent(hall), objects.name(0)]).toEqual(['Entrance Hall', 0, ''])
    expect([objects.parent(coat), objects.name(objects.child(coat))]).toEqual([hall, 'train ticket'])
    expect([0, 1, 2].map((attribute) => objects.hasAttribute(coat, attribute))).toEqual([true, true, false])
    expect([objects.property(coat, 17), objects.count < 25]).toEqual([undefined, true])
    const words = machine.dictionaryWords()
    expect(words.map(({ text }) => text)).toContain(version === 3 ? 'invent' : 'inventory')
    expect(words.every(({ data }) => data.length === 3)).toBe(true)
    machine.step('take coat')
    expect(objects.name(objects.parent(coat))).toBe('yourself')
    expect(machine.step('quit')).toBe('Goodbye.\n')
    expect([machine.finished, machine.awaiting, machine.step('look')]).toEqual([true, 'none', ''])
    expect(machine.start()).toContain('Entrance Hall')
  })

  it.each(versions)('goes back to any snapshot, random numbers and saved games included (version %i)', (version) => {
    const random = createRandom(`snapshots ${version}`)
    const lines = Array.from({ length: 60 }, () => random.pick(roomsCommands))
    const machine = new Machine(story('rooms', version), { seed: 3 })
    const other = new Machine(story('rooms', version), { seed: 9 })
    machine.start()
    other.start()
    const snapshots = []
    const answers: string[] = []
    for (const line of lines) {
      snapshots.push(machine.snapshot())
      answers.push(machine.step(line))
    }
    for (const from of [50, 7, 31, 7]) {
      for (const player of [machine, other]) {
        player.restore(snapshots[from]!)
        expect(lines.slice(from).map((line) => player.step(line))).toEqual(answers.slice(from))
      }
    }
  })

  it('leaves the text of the upper window out, and forgets text that is cleared before it is seen', () => {
    const print = (text: string): number[] => [...text].flatMap((letter) => [0xe5, 0x7f, letter.charCodeAt(0)])
    const upper = [0xeb, 0x7f, 1]
    const lower = [0xeb, 0x7f, 0]
    const cursor = [0xef, 0x5f, 2, 5]
    const askCursor = [0xf0, 0x3f, high(free), low(free)]
    const erase = (window: number): number[] => [0xed, 0x3f, high(window), low(window)]
    const code = [
      ...[...print('a'), 0xea, 0x7f, 3, ...upper, ...cursor],
      ...[...print('up'), ...askCursor, ...lower, ...print('b')],
    ]
    const machine = new Machine(assemble(5, [...code, ...erase(1), ...print('c'), quit]))
    expect(machine.start()).toBe('abc')
    expect([machine.readWord(free), machine.readWord(free + 2)]).toEqual([2, 7])
    expect(new Machine(assemble(5, [...code, ...erase(0xffff), ...print('c'), quit])).start()).toBe('c')
  })
})

describe('a story that goes wrong ends with the address of its instruction', () => {
  const at = codeAddress
  const word = (address: number): readonly number[] => [high(address), low(address)]
  it.each<readonly [string, Version, readonly number[], RegExp, number]>([
    ['divides by zero', 3, [0xd7, 0x5f, 5, 0, 0], /divides by zero/, at],
    ['loops without input', 3, [0x8c, 0xff, 0xff], /budget of 300,000 units/, at],
    ['has an empty stack', 3, [0xb8], /empty stack/, at],
    ['fills its stack', 3, [0xe8, 0x7f, 1, 0x8c, 0xff, 0xfc], /stack has more than 65536 words/, at],
    ['calls without end', 5, [0x8f, 1, 0x42, 0, 0, 0, 0, 0, 0, 0x8f, 1, 0x42], /more than 8192 routines/, at + 9],
    ['jumps out of the file', 3, [0x8c, 0x7f, 0xff], /execution leaves the story/, at],
    ['reads beyond the file', 3, [0xcf, 0x1f, 0xf0, 0x00, 1, 0], /reads at 0xf002/, at],
    ['writes to memory that cannot change', 3, [0xe1, 0x13, ...word(staticMemory), 0, 1, 1], /writes at/, at],
    ['asks for an object that Frotz refuses', 5, [0x83, 0xff, 0xfe, 16], /no object 65534/, at],
    ['decodes an endless string', 3, [0xb2, ...Array<number>(760).fill(0x18)], /ends at 0x800/, at],
    ['saves for ever', 5, [0xbe, 0x09, 0xff, 16, 0x8c, 0xff, 0xfb], /budget of 300,000 units/, -1],
  ])('when it %s', (_, version, code, message, address) => {
    const machine = new Machine(assemble(version, code), { instructionBudget: 300_000 })
    const begun = process.cpuUsage()
    const place = address >= 0 && { address }
    const fault = { name: 'StoryFault', code: 'environment', message: expect.stringMatching(message), ...place }
    expect(() => machine.start()).toThrow(expect.objectContaining(fault))
    expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000)
    expect([machine.awaiting, machine.step('look')]).toEqual(['none', ''])
  })

  const illegal = 'Attempt to address illegal object -2.  This is normally fatal.'
  it.each([
    ['goes on without end', [0x8c, 0xff, 0xff], 'a', true],
    ['asks for an illegal object', [0x83, 0xff, 0xfe, 16], `a@${illegal}\n`, false],
  ])('and tells what it printed when it %s', (_, code, said, isEndless) => {
    const machine = new Machine(assemble(5, [0xe5, 0x7f, 97, ...code]), { instructionBudget: 300 })
    expect(() => machine.start()).toThrow(expect.objectContaining({ said, isEndless }))
    expect(machine.finished).toBe(true)
  })
})

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
