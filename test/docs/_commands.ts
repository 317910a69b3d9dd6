import { CommanderError } from 'commander'
import { createProgram } from '../../src/cli/commands.js'
import { messageOf } from '../../src/core/errors.js'
import type { Block } from './_pages.js'

/** A command of a shell block, on one line, with its comment. */
export interface ShellLine {
  readonly text: string
  readonly line: number
  /** What `# exit code 3` says; 0 if nothing does. */
  readonly exitCode: number
}

/** The commands of a block: one a line, or several lines that end in a backslash. */
export function linesOf(block: Block): ShellLine[] {
  const found: ShellLine[] = []
  let open: { text: string; line: number } | undefined
  for (const [number, text] of block.text.split('\n').entries()) {
    open = open === undefined ? { text, line: block.line + number } : { ...open, text: `${open.text} ${text.trim()}` }
    if (open.text.endsWith('\\')) {
      open = { ...open, text: open.text.slice(0, -1).trimEnd() }
      continue
    }
    if (!/^\s*(#|$)/.test(open.text)) {
      found.push({ ...open, exitCode: Number(/#.*\bexit code (\d+)/.exec(open.text)?.[1] ?? 0) })
    }
    open = undefined
  }
  return found
}

/** The arguments of each `shaketable` of a line of shell, without comments. */
export function argumentsIn(line: string): string[][] {
  const code = line.replace(/("[^"]*"|'[^']*')|(?:^|\s)#.*$/g, (_, quoted = '') => String(quoted))
  const word = /(?:"[^"]*"|'[^']*'|[^\s"'|&;<>()])+/.source
  return [...code.matchAll(new RegExp(`(?<![\\w./-])shaketable((?:\\s+${word})*)`, 'g'))].map(([, words]) =>
    (words!.match(new RegExp(word, 'g')) ?? []).map((one) => one.replace(/"([^"]*)"|'([^']*)'/g, '$1$2')),
  )
}

/** What is wrong with the arguments of `shaketable`, by commander's own definitions; undefined if nothing is. */
export async function problemOfArguments(words: readonly string[]): Promise<string | undefined> {
  const name = words.find((word) => !word.startsWith('-') && word !== 'help')
  const program = await createProgram(name)
  const quiet = { writeErr: () => undefined, writeOut: () => undefined }
  for (const one of program.commands.flatMap((command) => [command, ...command.commands])) {
    one.configureOutput(quiet)
    if (one.commands.length === 0) one.action(() => undefined)
  }
  return program
    .configureOutput(quiet)
    .parseAsync(words, { from: 'user' })
    .then(
      () => undefined,
      (thrown: unknown) =>
        thrown instanceof CommanderError && thrown.exitCode === 0 ? undefined : messageOf(thrown).replaceAll('\n', ' '),
    )
}
