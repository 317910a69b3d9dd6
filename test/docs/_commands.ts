import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { messageOf } from '../../src/core/errors.js'
import type { Block } from './_pages.js'
import { root } from './_pages.js'

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

const cli = join(root, 'src/cli')

/** Each command by name, as `src/cli` defines it; a new one at every call, since commander keeps what it has parsed. */
const makers: ReadonlyMap<string, () => Command> = new Map(
  (
    await Promise.all(
      readdirSync(cli)
        .filter((name) => /^[^_].*\.ts$/.test(name) && name !== 'main.ts')
        .map(async (name) => Object.entries((await import(join(cli, name))) as Record<string, unknown>)),
    )
  )
    .flat()
    .filter(([name]) => name.endsWith('Command'))
    .map(([, make]) => [(make as () => Command)().name(), make as () => Command]),
)

/** What is wrong with the arguments of `shaketable`, by commander's own definitions; undefined if nothing is. */
export async function problemOfArguments([name = '', ...rest]: readonly string[]): Promise<string | undefined> {
  if (['--help', '--version', ''].includes(name)) return undefined
  const make = makers.get(name === 'help' ? (rest[0] ?? 'run') : name)
  if (make === undefined) return `there is no command '${name}'`
  if (name === 'help' || rest.includes('--help')) return undefined
  const command = make()
  const quiet = { writeErr: () => undefined, writeOut: () => undefined }
  for (const one of [command, ...command.commands]) {
    one
      .exitOverride()
      .configureOutput(quiet)
      .action(() => undefined)
  }
  return command.parseAsync(rest, { from: 'user' }).then(
    () => undefined,
    (thrown: unknown) => messageOf(thrown).replaceAll('\n', ' '),
  )
}
