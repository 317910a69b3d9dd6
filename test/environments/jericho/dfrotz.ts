import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** Plays a story with dfrotz and returns its text. */
export function playDfrotz(bytes: Uint8Array, lines: readonly Line[]): string {
  return inFolder((folder) => {
    writeFileSync(join(folder, 'story'), withoutStyles(bytes))
    const input = lines.map((line) => `${typeof line === 'string' ? line : line.file}\n`).join('')
    const options = ['-q', '-m', '-s', String(seed), '-w', '255', '-Z', '0', '-u', '0', 'story']
    const { stdout } = spawnSync(dfrotz!, options, {
      cwd: folder,
      input,
      encoding: 'utf8',
      env: { LANG: 'C.UTF-8' },
      timeout: 30_000,
      maxBuffer: 1 << 26,
    })
    return normalised(stdout)
  })
}

/** Compiles a source with Inform 6; `options` come before the file. */
export function compile(source: string, version: number, options: readonly string[] = []): Uint8Array {
  return inFolder((folder) => {
    const target = join(folder, `story.z${version}`)
    const shared = ['-w', '-e', '-Cu', `-v${version}`, '--define', `VER=${version}`]
    const { stdout } = spawnSync('inform', [...shared, ...options, source, target], { encoding: 'utf8' })
    if (!existsSync(target)) throw new Error(stdout)
    return readFileSync(target)
  })
}

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

/** dfrotz 2.54 leaves out bold and italic text: a choice of these styles becomes a choice of roman text. */
function withoutStyles(bytes: Uint8Array): Uint8Array {
  const plain = Uint8Array.from(bytes)
  for (let at = 0; at + 2 < plain.length; at++) {
    if (plain[at] === 0xf1 && plain[at + 1] === 0x7f && [2, 4, 6].includes(plain[at + 2]!)) plain[at + 2] = 0
  }
  return plain
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const dfrotz = ['/usr/games/dfrotz', 'dfrotz'].find((command) => spawnSync(command, ['-v']).error === undefined)
/** Whether the compiler is here. */
export const hasInform = spawnSync('inform', ['-h']).error === undefined

/** Whether the compiler and the interpreter to compare with are here. */
export const hasFrotz = dfrotz !== undefined && hasInform

/** Where Debian's package inform6-library puts the library, if it is there. */
export const informLibrary = ['/usr/share/inform6/library'].find((folder) => existsSync(folder))
