import { opendirSync, statSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { ModelChoice } from './model-choice.js'

/** An entry of the models of an experiment that has checkpoints. */
interface GivenCheckpoints extends Omit<ModelChoice, 'name'> {
  readonly name?: string | undefined
  readonly from: string | readonly string[]
  readonly series?: string | undefined
}

/** One checkpoint as it was found. */
interface Found {
  /** Its base name without the extension: `checkpoint-200`. */
  readonly name: string
  /** As written or matched: `checkpoints/checkpoint-200`. */
  readonly path: string
  /** A file that `shaketable train` made. */
  readonly isFile: boolean
  /** The part of the name with its number: what the wildcards stand for, else the name. */
  readonly numbered: string
}

/** The most checkpoints of one entry, and the most entries of a folder that are looked at. */
const [maxCheckpoints, maxEntries] = [256, 100_000]

/** A name that is safe in requests, tables and messages. A name on a server may also have a path or a tag. */
const safeName = /^[\p{L}\p{N}][\p{L}\p{N}._@+=-]{0,199}$/u
const safeServedName = /^[\p{L}\p{N}][\p{L}\p{N}._@+=/:-]{0,199}$/u

/**
 * The models of an entry with `from`, in the order of the numbers in their names. Files (`.json`, made by
 * `shaketable train`) become models in files; folders, `.gguf` files and names without a file become models behind a
 * server. In `name`, `model` and the texts of `extraBody`, `{name}`, `{step}` and
 * `{path}` stand for those of each checkpoint; a text that is `{step}` alone becomes the number.
 * @param promised files that the experiment makes before it plays
 * @throws ShaketableError `usage` for a pattern that matches nothing or too much, a name without a number, and two
 * checkpoints of one name or number
 */
export function expandCheckpoints(given: GivenCheckpoints, promised: readonly string[] = []): readonly ModelChoice[] {
  const { from, series, name: shown = '{name}', model: served, extraBody, ...shared } = given
  const written = typeof from === 'string' ? [from] : from
  const found = written.flatMap((text) => find(text, promised))
  if (found.length > maxCheckpoints) throw usage(sayMany(written, found.length))
  const numbered = found
    .map((one) => ({ ...one, ...numberOf(one, written) }))
    .sort((one, other) => one.step - other.step)
  const named = series ?? nameSeries(numbered, shown)
  return numbered.map(({ name, path, isFile, step }) => {
    const fill = (template: string): string =>
      template.replaceAll('{name}', name).replaceAll('{step}', String(step)).replaceAll('{path}', path)
    const checkpoint = { series: named, step }
    const body = extraBody && { extraBody: fillBody(extraBody, fill, step) }
    if (!isFile) return { ...shared, ...body, name: fill(shown), model: fill(served ?? '{name}'), checkpoint }
    const option = (['baseUrl', 'apiKeyEnv', 'model', 'extraBody'] as const).find((one) => given[one] !== undefined)
    if (option === undefined) return { ...shared, name: fill(shown), file: path, checkpoint }
    throw usage(
      `from: expected checkpoints behind a server, since ${option} is given, got the file ${path}. Leave ${option} out, or write a narrower pattern.`,
    )
  })
}

function fillBody<T>(given: T, fill: (template: string) => string, step: number): T {
  const inner = (value: unknown): unknown => {
    if (value === '{step}') return step
    if (typeof value === 'string') return fill(value)
    if (Array.isArray(value)) return value.map(inner)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]))
  }
  return inner(given) as T
}

/** @throws ShaketableError `usage` for two checkpoints of one series with the same number */
export function checkSteps(models: readonly ModelChoice[]): void {
  const seen = new Map<string, string>()
  for (const { name, checkpoint } of models) {
    if (checkpoint === undefined) continue
    const key = JSON.stringify([checkpoint.series, checkpoint.step])
    const other = seen.get(key)
    if (other !== undefined && other !== name) {
      throw usage(
        `Expected each checkpoint of the series '${checkpoint.series}' at a step of its own, got '${other}' and '${name}' at ${String(checkpoint.step)}. Write a narrower pattern, or give one of them another series.`,
      )
    }
    seen.set(key, name)
  }
}

function find(text: string, promised: readonly string[]): Found[] {
  const pattern = basename(text)
  if (/[*?]/.test(dirname(text)))
    throw usage(`from: expected wildcards (* and ?) in the last part of the path only, got '${text}'.`)
  if (/[*?]/.test(pattern)) return matchesOf(text, pattern, promised)
  const kind = promised.some((one) => normalize(one) === normalize(text)) ? 'file' : kindOf(text)
  if (kind === undefined && !text.endsWith('.json')) {
    if (!safeServedName.test(text) || text.startsWith('learned:')) throw usage(sayUnsafe(text))
    return [{ name: text, path: text, isFile: false, numbered: text }]
  }
  return [describe(text, kind ?? 'file', pattern)]
}

function matchesOf(text: string, pattern: string, promised: readonly string[]): Found[] {
  const folder = dirname(text)
  const names = new Map<string, 'file' | 'folder' | undefined>()
  for (const name of namesIn(folder)) if (isMatch(name, pattern)) names.set(name, undefined)
  for (const path of promised)
    if (normalize(dirname(path)) === normalize(folder) && isMatch(basename(path), pattern))
      names.set(basename(path), 'file')
  if (names.size === 0)
    throw usage(
      `from: expected '${text}' to match files or folders, but nothing does. Check the path (it begins at the working directory).`,
    )
  if (names.size > maxCheckpoints) throw usage(sayMany([text], names.size))
  return [...names].map(([name, kind]) => {
    const path = text.includes('/') ? join(folder, name) : name
    return describe(path, kind ?? kindOf(path) ?? 'folder', pattern)
  })
}

/** The names in a folder, without hidden files and the stamps of files that an experiment made. */
function* namesIn(folder: string): Generator<string> {
  let entries
  try {
    entries = opendirSync(folder)
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return
    throw usage(`from: cannot read the folder ${folder}: ${messageOf(thrown)}. Check its permissions.`)
  }
  try {
    for (let count = 0; ; count++) {
      const entry = entries.readSync()
      if (entry === null) return
      if (count === maxEntries)
        throw usage(
          `from: expected a folder of at most ${maxEntries.toLocaleString('en')} entries, got more in ${folder}. Move the checkpoints to a folder of their own.`,
        )
      if (!entry.name.startsWith('.') && !entry.name.endsWith('.made')) yield entry.name
    }
  } finally {
    entries.closeSync()
  }
}

/** Whether a name fits a pattern, where `*` stands for any characters and `?` for one. */
function isMatch(name: string, pattern: string): boolean {
  let [at, in_, star, kept] = [0, 0, -1, 0]
  while (at < name.length) {
    if (pattern[in_] === '*') [star, kept, in_] = [in_, at, in_ + 1]
    else if (pattern[in_] === '?' || pattern[in_] === name[at]) [at, in_] = [at + 1, in_ + 1]
    else if (star >= 0) [in_, at, kept] = [star + 1, kept + 1, kept + 1]
    else return false
  }
  return /^\**$/.test(pattern.slice(in_))
}

function describe(path: string, kind: 'file' | 'folder', pattern: string): Found {
  const whole = basename(path)
  const extension = kind === 'file' ? /\.(?:json|gguf)$/i.exec(whole)?.[0] : ''
  if (extension === undefined) {
    throw usage(
      `from: expected folders, .gguf files or models of shaketable train (.json), got the file ${path.slice(0, 200)}. Write a narrower pattern, such as checkpoint-*.`,
    )
  }
  const name = whole.slice(0, whole.length - extension.length)
  if (!safeName.test(name)) throw usage(sayUnsafe(name))
  const [first, last] = [pattern.search(/[*?]/), Math.max(pattern.lastIndexOf('*'), pattern.lastIndexOf('?'))]
  const numbered = first < 0 ? name : name.slice(first, whole.length - (pattern.length - 1 - last))
  return { name, path, isFile: /json$/i.test(extension), numbered: /\d/.test(numbered) ? numbered : name }
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? undefined : stat.isDirectory() ? 'folder' : 'file'
}

const thousands: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 }

/** The last number in a name, with k, m or b after it for thousands, millions or billions; and the name without it. */
function numberOf(
  { name, numbered }: Found,
  written: readonly string[],
): { readonly step: number; readonly rest: string } {
  const match = [...numbered.matchAll(/(\d+(?:\.\d+)?)(?:([kmb])(?![a-z]))?/gi)].at(-1)
  if (match === undefined) {
    throw usage(
      `from: expected a number in the name of each checkpoint, which gives their order, got '${name}' from ${written.join(', ').slice(0, 200)}. Write a narrower pattern, such as checkpoint-*, and list it as a model of its own, with checkpoint: { series: …, step: … } where it belongs to the curve.`,
    )
  }
  const [text, digits, unit = ''] = match
  const step = Number(digits) * (thousands[unit.toLowerCase()] ?? 1)
  if (!(step <= maxStep))
    throw usage(
      `from: expected a step of at most ${maxStep.toLocaleString('en')}, got ${digits!.slice(0, 40)} in '${name}'. Rename it.`,
    )
  const place = name.lastIndexOf(text)
  return { step, rest: `${name.slice(0, place)} ${name.slice(place + text.length)}` }
}

/** The largest step of a checkpoint. */
export const maxStep = 1e15

/** The name of a series: that of its checkpoints without the number, or else of their folder. */
function nameSeries(found: readonly (Found & { readonly rest: string })[], shown: string): string {
  const rests = [
    ...new Set(
      found.map(({ rest }) => rest.replace(/^[\s._@+=/:-]+|[\s._@+=/:-]+$/g, '').replace(/[._@+=-]? [._@+=-]?/, '-')),
    ),
  ]
  if (rests.length > 1) {
    throw usage(
      `from: expected names that differ in their number alone, got ${rests.slice(0, 5).join(', ').slice(0, 300)} around it. Give the entry a series, which names the curve: series: my-model.`,
    )
  }
  const rest = rests[0] || basename(dirname(found[0]!.path)).replace(/^\.*$/, 'checkpoints')
  return shown.replaceAll('{name}', rest).replaceAll(/[._@+=-]?\{(?:step|path)\}/g, '') || 'checkpoints'
}

function sayMany(written: readonly string[], count: number): string {
  return `from: expected at most ${String(maxCheckpoints)} checkpoints, got ${count.toLocaleString('en')} from ${written.join(', ').slice(0, 200)}. Write a narrower pattern.`
}

function sayUnsafe(name: string): string {
  return `from: expected names of letters, digits, dots, dashes, underscores and @ + =, got ${JSON.stringify(name.slice(0, 100))}. Rename it, or write a narrower pattern.`
}

function usage(message: string): ShaketableError {
  return new ShaketableError('usage', message)
}
