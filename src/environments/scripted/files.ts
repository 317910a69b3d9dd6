import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod'
import type { TaskSource } from '../../core/environment.js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { packagedData } from '../../files/packaged.js'
import { jsonLinesIn, parseJsonInput } from '../../files/read-json.js'
import { readText } from '../../files/read-text.js'
import { sortByCodePoint } from '../pddl/code-points.js'
import { type PlayableScript, readPlayable } from './read-playable.js'

/** A script and its id. */
export interface NamedScript {
  readonly id: string
  readonly source: PlayableScript['source']
  readonly goal: string
}

/** Scripts of our own, each written for a persona. */
export const ownScripts = packagedData(
  'src/environments/scripted/scripts.yaml',
  z.array(z.object({ id: z.string(), persona: z.string(), script: z.record(z.string(), z.unknown()) })),
)

/** The scripts of some files, and what is wrong with those that cannot be used. */
export interface ScriptFiles {
  readonly scripts: readonly NamedScript[]
  readonly leftOut?: NonNullable<TaskSource['leftOut']>
}

const advice = 'Give files of JSON lines, a script each, files with one script, or folders of such files.'
const shownReasons = 5

/**
 * Reads scripts: each is a JSON object, or in the field `script` of one that may have an `id` too. A file has one, or
 * one a line; a folder's `.json` and `.jsonl` files are read in the order of their names by code point.
 * @throws ShaketableError `bad-input` where a file cannot be read, or no script can be used
 */
export function readScriptFiles(paths: readonly string[]): ScriptFiles {
  const scripts = new Map<string, NamedScript>()
  const reasons: string[] = []
  let found = 0
  for (const file of paths.flatMap(listFiles)) {
    const text = readText('The file of scripts', file, advice)
    for (const { value, fault, place, id } of recordsOf(text, file)) {
      found++
      try {
        if (fault !== undefined) throw new ShaketableError('bad-input', `It is not JSON: ${fault}.`)
        const script = nameScript(value, id)
        if (scripts.has(script.id)) throw new ShaketableError('bad-input', `Another script has the id '${script.id}'.`)
        scripts.set(script.id, script)
      } catch (thrown) {
        if (!(thrown instanceof ShaketableError)) throw thrown
        reasons.push(`${place}: ${thrown.message.replace(/\.$/, '')}`)
      }
    }
  }
  if (scripts.size === 0) {
    const why = reasons[0] ?? 'the files are empty'
    throw new ShaketableError('bad-input', `There is no script that can be played: ${why}. ${advice}`)
  }
  if (reasons.length === 0) return { scripts: [...scripts.values()] }
  const count = reasons.length
  const rest = count > shownReasons ? `; and ${String(count - shownReasons)} more` : ''
  return {
    scripts: [...scripts.values()],
    leftOut: {
      count,
      of: found,
      text: `scripted: ${String(count)} of ${String(found)} scripts ${count === 1 ? 'is' : 'are'} LEFT OUT. ${reasons.slice(0, shownReasons).join('; ')}${rest}.`,
    },
  }
}

function listFiles(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter((name) => /\.jsonl?$/.test(name) && !name.startsWith('.'))
    if (names.length > 0) return sortByCodePoint(names).map((name) => join(path, name))
    throw new Error('expected .json and .jsonl files in it, got none')
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing ? 'there is no such file or folder' : messageOf(cause)
    throw new ShaketableError('bad-input', `The scripts ${path} cannot be read: ${why}. ${advice}`, { cause })
  }
}

/** The records of a file, each with the id that it has where it gives none. */
function recordsOf(text: string, file: string) {
  const name = basename(file)
  const stem = name.replace(/\.jsonl?$/, '')
  const { value: whole } = parseJsonInput(text)
  if (whole !== undefined) return [{ value: whole, place: name, id: stem }]
  return Array.from(jsonLinesIn(text), ({ number, ...parsed }) => {
    return { ...parsed, place: `${name}:${String(number)}`, id: `${stem}/${String(number)}` }
  })
}

/** Reads a record. @throws ShaketableError `bad-input` where it has no playable script */
export function nameScript(value: unknown, otherwise: string): NamedScript {
  const record = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  if (record === undefined) throw new ShaketableError('bad-input', 'Expected a JSON object, got something else.')
  const { id } = record
  if (id !== undefined && !isId(id)) {
    throw new ShaketableError('bad-input', "Expected an 'id' of 1 to 100 printable characters, got something else.")
  }
  const { source, goal } = readPlayable(Object.hasOwn(record, 'script') ? record['script'] : record)
  return { id: id === undefined ? otherwise : String(id), source, goal }
}

function isId(id: unknown): id is string | number {
  return (
    typeof id === 'number' ||
    (typeof id === 'string' && id.length <= 100 && /^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u.test(id))
  )
}
