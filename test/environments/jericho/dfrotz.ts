import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Machine } from '../../../src/environments/jericho/machine/machine.js'
import type { Version } from './stories.js'

const seed = 12

/** A line of input, or an answer to dfrotz's questions for a file, which the machine does not ask. */
export type Line = string | { readonly file: string }

const inputLines = [
  'go',
  'north, lantern',
  'Take the BRASS Lantern. North!',
  '',
  "   n   ,,  can't o'clock",
  'ÄPFEL äpfel Ÿ x2 #a',
  'verylongwords verylo verylong verylongwordx',
  'one two three four five six seven eight nine ten eleven twelve thirteen',
  'a"b.c;d',
  '日本 ☃ tab here',
  '012345678',
  'north',
  'n',
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

/** Compiles a source with Inform 6; `options` come before the file. */
export function compile(source: string, version: number, options: readonly string[] = []): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-'))
  try {
    const target = join(folder, `story.z${version}`)
    const shared = ['-w', '-e', '-Cu', `-v${version}`, '--define', `VER=${version}`]
    const { stdout } = spawnSync('inform', [...shared, ...options, source, target], { encoding: 'utf8' })
    if (!existsSync(target)) throw new Error(stdout)
    return readFileSync(target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether the compiler is here. */
export const hasInform = spawnSync('inform', ['-h']).error === undefined

/** Where Debian's package inform6-library puts the library, if it is there. */
export const informLibrary = ['/usr/share/inform6/library'].find((folder) => existsSync(folder))

/**
 * What is left of a text when the two ways of showing it are set aside: dfrotz prints a screen, so that spaces at the
 * end of a line and empty lines are not reliable, shows no line break behind a prompt, and asks for file names.
 */
export function normalised(text: string): string {
  return text
    .replace(/Please enter a filename \[[^\]]*\]: /g, '')
    .replace(/^(?:[a-z]*>)+/gm, (prompts) => prompts.replaceAll('>', '>\n'))
    .split('\n')
    .map((line) => line.replace(/ +$/, ''))
    .filter((line) => line !== '')
    .join('\n')
}
