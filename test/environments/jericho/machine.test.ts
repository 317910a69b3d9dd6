import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import { createRandom } from '../../../src/core/random.js'
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
  versions,
} from './stories.js'

describe('a file that is no story of versions 3, 4, 5 and 8 is refused', () => {
  const sound = story('rooms', 5)
  it.each<readonly [string, Uint8Array]>([
    ['an empty file', new Uint8Array()],
    ['text', new TextEncoder().encode('Once upon a time '.repeat(10))],
    ['version 6', sound.with(0, 6)],
    ['a file cut short', sound.slice(0, 300)],
    ['a file that is shorter than its header states', sound.slice(0, -600)],
    ['a file whose tables lie beyond the length that its header states', sound.with(0x1a, 0).with(0x1b, 20)],
    ['static memory inside the header', sound.with(0x0e, 0).with(0x0f, 10)],
    ['globals beyond the end', sound.with(0x0c, 0xff)],
    ['a file too long for its version', new Uint8Array((1 << 17) + 1).fill(3, 0, 1)],
  ])('%s', (_, bytes) => {
    expect(() => new Machine(bytes)).toThrow(
      expect.objectContaining({ code: 'bad-input', message: expect.stringContaining('Z-machine story') }),
    )
  })
})

describe('a machine', () => {
  it.each(versions)('tells what a story of version %i is, and its objects and words', (version) => {
    const machine = new Machine(story('rooms', version))
    expect(machine.awaiting).toBe('none')
    expect(machine.start()).toMatch(/^\nA small house\n\nEntrance Hall\n[^]*\n>$/)
    expect(machine.awaiting).toBe('line')
    expect(machine.header).toMatchObject({ version, release: 4, serial: '260104' })
    const { objects } = machine
    const hall = machine.global(0)
    expect([objects.name(hall), objects.parent(hall), objects.name(0)]).toEqual(['Entrance Hall', 0, ''])
    const coat = Array.from({ length: objects.count }, (_, index) => index + 1).find(
      (n) => objects.name(n) === 'old coat',
    )!
    expect([objects.parent(coat), objects.name(objects.child(coat))]).toEqual([hall, 'train ticket'])
    expect([0, 1, 2].map((attribute) => objects.hasAttribute(coat, attribute))).toEqual([true, true, false])
    expect(objects.property(coat, 17)).toBeUndefined()
    expect(objects.properties(hall)).toEqual([...objects.properties(hall)].sort((a, b) => b - a))
    expect(objects.count).toBeLessThan(25)
    const words = machine.dictionaryWords()
    const text = words.map((word) => word.text)
    expect(text).toContain('kettle')
    expect(text).toContain(version === 3 ? 'invent' : 'inventory')
    expect(text).toEqual([...text].sort())
    expect(words.every((word) => word.data.length === 3)).toBe(true)
    machine.step('take coat')
    expect(objects.name(objects.parent(coat))).toBe('yourself')
    expect(machine.step('quit')).toBe('Goodbye.\n')
    expect([machine.finished, machine.awaiting, machine.step('look')]).toEqual([true, 'none', ''])
    expect(machine.start()).toContain('Entrance Hall')
  })

  it.each(versions)('ends a story of version %i where its header states, whatever stands behind that', (version) => {
    const sound = story('rooms', version)
    // Longer than any story of the version; the sum of the bytes is wrong where they count.
    const padded = new Uint8Array(1 << 20).fill(7, sound.length)
    padded.set(sound)
    const play = (bytes: Uint8Array): readonly unknown[] => {
      const machine = new Machine(bytes, { seed: 3 })
      const said = [machine.start(), ...roomsCommands.map((line) => machine.step(line))]
      return [...said, machine.header, machine.objects.count]
    }
    expect(play(padded)).toEqual(play(sound))
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
    const foreign = new Machine(story('input', version)).snapshot()
    expect(() => {
      machine.restore(foreign)
    }).toThrow(expect.objectContaining({ code: 'usage' }))
  })

  it('says that undo is not provided, in the header and in the answers of both instructions', () => {
    const code = [0xbe, 0x09, 0xff, 16, 0xbe, 0x0a, 0xff, 17, quit]
    const machine = new Machine(assemble(5, code, (bytes) => bytes.set([0, 0x50], 0x10)))
    machine.start()
    expect([machine.global(0), machine.global(1), machine.readWord(0x10)]).toEqual([0xffff, 0xffff, 0x40])
  })

  it.each([
    [5, 26, '880127', []],
    [5, 26, '880128', ['there is no attribute 48']],
  ] as const)('lets Sherlock change attribute 48: version %i, release %i, %s', (version, release, serial, faults) => {
    // set_attr 1 48; clear_attr 1 48; quit
    const bytes = assemble(version, [0x0b, 1, 48, 0x0c, 1, 48, quit], (story) => {
      story.set([0, release], 2)
      story.set(Buffer.from(serial), 0x12)
    })
    const machine = new Machine(bytes)
    const [fault] = faults
    if (fault === undefined) expect(machine.start()).toBe('')
    else expect(() => machine.start()).toThrow(fault)
    expect(machine.finished).toBe(true)
  })

  it('draws its random numbers from the seed', () => {
    const rolls = (seed: number): string => {
      const machine = new Machine(story('rooms', 3), { seed })
      machine.start()
      return Array.from({ length: 10 }, () => machine.step('roll')).join('')
    }
    expect(rolls(12)).toBe(rolls(12))
    expect(rolls(12)).not.toBe(rolls(13))
  })

  it.each([
    [3, '10 48 49 50 51 52 53 54 55 56 0 0'],
    [4, '10 48 49 50 51 52 53 54 55 56 0 0'],
    [5, '10 10 48 49 50 51 52 53 54 55 56 57'],
    [8, '10 10 48 49 50 51 52 53 54 55 56 57'],
  ] as const)('cuts a line at the limit of a story of version %i', (version, expected) => {
    const machine = new Machine(story('input', version))
    machine.start()
    machine.step('go')
    for (let line = 0; line < 9; line++) machine.step('x')
    expect(machine.step('0123456789abcdef').split('\n')[0]!.trim()).toBe(expected)
  })

  it('puts typed letters behind those that are left in the buffer from version 5 on', () => {
    // aread free 0 -> sp; then the same again; quit
    const read = [0xe4, 0x1f, high(free), low(free), 0, 0]
    const machine = new Machine(
      assemble(5, [...read, ...read, quit], (bytes) => {
        bytes.set([8, 2, 97, 98], free)
      }),
    )
    machine.start()
    machine.step('CDÄ\t')
    expect(Array.from({ length: 8 }, (_, index) => machine.readByte(free + index))).toEqual([
      8, 6, 97, 98, 99, 100, 155, 9,
    ])
    machine.step('12345')
    expect(machine.readByte(free + 1)).toBe(8)
    expect(machine.finished).toBe(true)
  })

  it.each([
    [3, 0x200 - 0x40, [0x05, 0xab, 0x24, 0x12, 0x34, 0]],
    [5, 0x200 - 0x40, [0x05, 0xab, 0x44, 0x12, 0x34, 0]],
  ] as const)('reads and writes properties of one byte in version %i', (version, table, properties) => {
    // property 5 to global 0; put_prop 1 5 0x1cd; properties 5, 4 and 9, which has a default value, to globals 1 to 3
    const get = (property: number, variable: number): number[] => [0x11, 1, property, 16 + variable]
    const code = [...get(5, 0), 0xe3, 0x53, 1, 5, 1, 0xcd, ...get(5, 1), ...get(4, 2), ...get(9, 3), quit]
    const first = 0x40 + 2 * (version === 3 ? 31 : 63)
    const machine = new Machine(
      assemble(version, code, (bytes) => {
        bytes.set([high(table), low(table)], first + (version === 3 ? 7 : 12))
        bytes.set([0, ...properties], table)
        bytes.set([0x7f, 0xfe], 0x40 + 2 * 8)
      }),
    )
    machine.start()
    expect([0, 1, 2, 3].map((variable) => machine.global(variable))).toEqual([0xab, 0xcd, 0x1234, 0x7ffe])
    expect(machine.objects.properties(1)).toEqual([5, 4])
    expect(machine.objects.property(1, 4)).toEqual(Uint8Array.of(0x12, 0x34))
  })

  it('asks for a key and takes the first character, and the next ones for the next keys', () => {
    // read_char 1 -> global 0, again to global 1, and read_char without an operand -> global 2
    const machine = new Machine(assemble(5, [0xf6, 0x7f, 1, 16, 0xf6, 0x7f, 1, 17, 0xf6, 0xff, 18, quit]))
    machine.start()
    expect(machine.awaiting).toBe('key')
    for (const line of ['Ye', 'lost', '☃']) machine.step(line)
    expect([machine.global(0), machine.global(1), machine.global(2), machine.finished]).toEqual([89, 101, 63, true])
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
    ['prints for ever', 5, [0xbb, 0x8c, 0xff, 0xfe], /budget of 300,000 units/, at],
    ['has an empty stack', 3, [0xb8], /empty stack/, at],
    ['fills its stack', 3, [0xe8, 0x7f, 1, 0x8c, 0xff, 0xfc], /stack has more than 65536 words/, at],
    ['calls without end', 5, [0x8f, 1, 0x42, 0, 0, 0, 0, 0, 0, 0x8f, 1, 0x42], /more than 8192 routines/, at + 9],
    ['has an opcode of no version', 3, [0x00], /no opcode 0/, at],
    ['has an opcode of a later version', 4, [0xbe, 0x02, 0x5f, 1, 1, 0], /no opcode 190/, at],
    ['has an extended opcode that is not there', 5, [0xbe, 0x1f, 0xff], /no opcode 190, 31/, at],
    ['jumps out of the file', 3, [0x8c, 0x7f, 0xff], /execution leaves the story/, at],
    ['reads beyond the file', 3, [0xcf, 0x1f, 0xf0, 0x00, 1, 0], /reads at 0xf002/, at],
    ['writes to memory that cannot change', 3, [0xe1, 0x13, ...word(staticMemory), 0, 1, 1], /writes at/, at],
    ['uses a local variable that is not there', 3, [0x95, 3], /number 3/, at],
    ['uses a variable of no number', 3, [0x85, 1, 0], /no variable 256/, at],
    ['calls a routine with 16 variables', 3, [0xe0, 0x3f, 0x02, 0x84, 0, 0xb0, 0, 0, 16], /16 local variables/, at],
    ['returns from nowhere', 3, [0xb0], /returns from its first routine/, at],
    ['throws to nowhere', 5, [0x1c, 1, 7], /throws to the routine at depth 7/, at],
    ['asks for an attribute that is not there', 3, [0x0a, 1, 40, 0xc0], /no attribute 40/, at],
    ['asks for an object beyond the last', 3, [0x83, 1, 44, 16], /no object 300/, at],
    ['asks for an object that Frotz refuses', 5, [0x83, 0xff, 0xfe, 16], /no object 65534/, at],
    ['changes a property that is not there', 3, [0xe3, 0x57, 1, 4, 1], /no property 4/, at],
    ['decodes an endless string', 3, [0xb2, ...Array<number>(760).fill(0x18)], /ends at 0x800/, at],
    ['opens stream 3 again and again', 5, [0xf3, 0x4f, 3, ...word(free), 0x8c, 0xff, 0xfa], /more than 16 tables/, at],
    ['copies a large table', 5, [0xfd, 0x03, 0, 0, 0, 0, 0x7f, 0xff], /writes at/, at],
    ['prints a huge table', 5, [0xfe, 1, ...word(free), 0xff, 0xff, 0xff, 0xff, 0, 0], /reads at|budget/, at],
    ['saves for ever', 5, [0xbe, 0x09, 0xff, 16, 0x8c, 0xff, 0xfb], /budget of 300,000 units/, -1],
  ])('when it %s', (_, version, code, message, address) => {
    const machine = new Machine(assemble(version, code), { instructionBudget: 300_000 })
    const begun = performance.now()
    let fault: unknown
    try {
      machine.start()
    } catch (error) {
      fault = error
    }
    expect(performance.now() - begun).toBeLessThan(2000)
    expect(fault).toBeInstanceOf(StoryFault)
    expect(fault).toBeInstanceOf(ShaketableError)
    expect(fault).toMatchObject({ code: 'environment', message: expect.stringMatching(message) })
    if (address >= 0) expect((fault as StoryFault).address).toBe(address)
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

  it('when it prints more than a million characters', () => {
    // print_paddr 0x600, again and again: 768 letters
    const bytes = assemble(3, [0x8d, 0x03, 0x00, 0x8c, 0xff, 0xfc])
    for (let at = 0x600; at < 0x800; at += 2) bytes.set([at === 0x7fe ? 0x98 : 0x18, 0xc6], at)
    expect(() => new Machine(bytes).start()).toThrow('printed more than 1,000,000 characters')
  })

  it('when its abbreviations make a string too long', () => {
    // print_paddr 0x2000: a hundred abbreviations, each of 4,096 words that print nothing
    const bytes = new Uint8Array(0x8000)
    bytes.set(assemble(3, [0x8d, 0x10, 0x00, quit]))
    bytes.set([0x20, 0x00], 0x1f0)
    for (let at = 0x2000; at < 0x20c8; at += 2) bytes.set([at === 0x20c6 ? 0x84 : 0x04, 0x04], at)
    for (let at = 0x4000; at < 0x6000; at += 2) bytes.set([at === 0x5ffe ? 0x90 : 0x10, 0x84], at)
    expect(() => new Machine(bytes).start()).toThrow('a string has more than 50,000 words')
  })
})
