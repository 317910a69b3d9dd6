import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Machine } from '../../../src/environments/jericho/machine/machine.js'

/** The stories of our own that the interpreter is compared on, their sources beside them. */
export const storyFolder = join(
  dirname(createRequire(import.meta.url).resolve('shaketable/package.json')),
  'test/fixtures/jericho',
)

export const versions = [3, 4, 5, 8] as const
export type Version = (typeof versions)[number]

export function story(name: string, version: Version): Uint8Array {
  return readFileSync(join(storyFolder, `${name}.z${version}`))
}

export const roomsCommands: readonly string[] = [
  ...['look', 'take the coat', 'take ticket', 'n', 'get kettle', 'put ticket in kettle', 'undo', 'i', 'roll', 'w'],
  ...['roll', 'take gnome', 'drop coat', 'put gnome into coat', 'save', 'put coat into gnome', 'take stand', 'e', 's'],
  'take bread',
  ...['restore', 'look', '', 'frobnicate', 'put kettle in barrel', 'e', 'drop bread', 'w', 'take coat', 'z'],
]

/** Where the code of an assembled story begins, and free memory that it may change. */
export const codeAddress = 0x500
export const free = 0x400
export const staticMemory = 0x480

/** A story of a few instructions: objects, globals and a dictionary without entries, then the code. */
export function assemble(
  version: Version,
  code: readonly number[],
  change: (bytes: Uint8Array) => void = () => undefined,
): Uint8Array {
  const bytes = new Uint8Array(0x800)
  const word = (address: number, value: number): void => bytes.set([high(value), low(value)], address)
  bytes[0] = version
  word(0x04, staticMemory)
  word(0x06, codeAddress)
  word(0x08, 0x4a0)
  word(0x0a, 0x40)
  word(0x0c, 0x200)
  word(0x0e, staticMemory)
  word(0x18, 0x1f0)
  bytes.set([0, version === 3 ? 7 : 9, 0, 0], 0x4a0)
  bytes.set(code, codeAddress)
  change(bytes)
  return bytes
}

export const high = (address: number): number => address >> 8
export const low = (address: number): number => address & 255
export const quit = 0xba

const seed = 12

/** A line of input, or an answer to dfrotz's questions for a file, which the machine does not ask. */
export type Line = string | { readonly file: string }

const inputLines = [
  ...['go', 'north, lantern', 'Take the BRASS Lantern. North!', '', "   n   ,,  can't o'clock", 'ÄPFEL äpfel Ÿ x2 #a'],
  'verylongwords verylo verylong verylongwordx',
  'one two three four five six seven eight nine ten eleven twelve thirteen',
  ...['a"b.c;d', '日本 ☃ tab here', '012345678', 'north', 'n'],
]

/** The compared stories with what is typed in them. */
export const scripts: Readonly<Record<string, (version: Version) => readonly Line[]>> = {
  arithmetic: () => [],
  memory: () => [],
  input: (version) => [
    ...inputLines,
    ...(version >= 5 ? ['Hello yz ello north he Zhe helloz'] : []),
    ...(version >= 4 ? ['A', '', 'é', 'x', 'q', 'timed words here'] : []),
    ...[{ file: 'nothing.sav' }, { file: 'one.sav' }, 'yes', { file: 'one.sav' }, 'no'],
    ...(version >= 5 ? ['undo'] : []),
    ...['restart', 'quit'],
  ],
  rooms: (version) => [
    ...['look', 'take the coat', 'take ticket', 'n', 'get kettle', 'put ticket in kettle', 'undo', 'i', 'roll', 'w'],
    ...['take gnome', 'drop coat', 'put gnome into coat', 'save', { file: 'rooms.sav' }, 'put coat into gnome'],
    ...['take gnome', 'take stand', 'look', 'roll', 'restore', { file: 'rooms.sav' }, 'look', 'roll', '', 'frobnicate'],
    ...(version >= 5 ? ['undo', 'undo', 'look'] : []),
    'quit',
  ],
}

/** Plays a story on the machine and returns all its text, each answer on a new line. */
export function playMachine(bytes: Uint8Array, lines: readonly Line[]): string {
  const machine = new Machine(bytes, { seed })
  const texts = [machine.start()]
  for (const line of lines) if (typeof line === 'string') texts.push(machine.step(line))
  return normalised(texts.join('\n'))
}

/**
 * What is left of a text when the two ways of showing it are set aside: dfrotz prints a screen, so that spaces at the
 * end of a line and empty lines are not reliable, shows no line break behind a prompt, and asks for file names.
 */
function normalised(text: string): string {
  return text
    .replace(/Please enter a filename \[[^\]]*\]: /g, '')
    .replace(/^(?:[a-z]*>)+/gm, (prompts) => prompts.replaceAll('>', '>\n'))
    .split('\n')
    .map((line) => line.replace(/ +$/, ''))
    .filter((line) => line !== '')
    .join('\n')
}
