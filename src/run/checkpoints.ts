import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { ShaketableError } from '../core/errors.js'
import { maxStep } from './experiment-schema.js'
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

/** The most checkpoints of one entry. */
const maxCheckpoints = 256

/** A name that is safe in requests, tables and messages, with a path or a tag as servers have them. */
const safeName = /^[\p{L}\p{N}][\p{L}\p{N}._@+=/:-]{0,199}$/u

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
  if (found.length > maxCheckpoints) {
    throw usage(
      `from: expected at most ${String(maxCheckpoints)} checkpoints, got ${found.length.toLocaleString('en')} from ${written.join(', ').slice(0, 200)}. Write a narrower pattern.`,
    )
  }
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
  return JSON.parse(JSON.stringify(given), (_, value: unknown) =>
    value === '{step}' ? step : typeof value === 'string' ? fill(value) : value,
  ) as T
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
  const [folder, pattern] = [dirname(text), basename(text)]
  if (/[*?]/.test(folder))
    throw usage(`from: expected wildcards (* and ?) in the last part of the path only, got '${text}'.`)
  const made = promised.filter((path) => normalize(dirname(path)) === normalize(folder)).map((path) => basename(path))
  const isMade = (name: string): boolean => made.includes(name) || (name === pattern && name.endsWith('.json'))
  const kindOf = (path: string): 'file' | 'folder' | undefined => {
    const stat = isMade(basename(path)) ? undefined : statSync(path, { throwIfNoEntry: false })
    return stat === undefined ? (isMade(basename(path)) ? 'file' : undefined) : stat.isDirectory() ? 'folder' : 'file'
  }
  if (!/[*?]/.test(pattern)) return [describe(text, kindOf(text), pattern)]
  const source = pattern.replace(/[.+^${}()|[\]\\/]/g, '\\$&').replace(/\*+/g, '.*')
  const fits = new RegExp(`^${source.replaceAll('?', '.')}$`, 'su')
  // Hidden files, and the stamps of files that an experiment made, are none.
  const there = existsSync(folder) ? readdirSync(folder).filter((name) => !/^\.|\.made$/.test(name)) : []
  const names = [...new Set([...there, ...made])].filter((name) => fits.test(name))
  if (names.length === 0)
    throw usage(
      `from: expected '${text}' to match files or folders, but nothing does. Check the path (it begins at the working directory).`,
    )
  return names
    .map((name) => (text.includes('/') ? join(folder, name) : name))
    .map((path) => describe(path, kindOf(path) ?? 'folder', pattern))
}

/** @param kind absent for a name on a server */
function describe(path: string, kind: 'file' | 'folder' | undefined, pattern: string): Found {
  const whole = basename(path)
  const extension = kind === 'file' ? /\.(?:json|gguf)$/i.exec(whole)?.[0] : ''
  if (extension === undefined) {
    throw usage(
      `from: expected folders, .gguf files or models of shaketable train (.json), got the file ${path.slice(0, 200)}. Write a narrower pattern, such as checkpoint-*.`,
    )
  }
  const name = kind === undefined ? path : whole.slice(0, whole.length - extension.length)
  const [first, last] = [pattern.search(/[*?]/), Math.max(pattern.lastIndexOf('*'), pattern.lastIndexOf('?'))]
  const wild = first < 0 ? name : name.slice(first, whole.length - (pattern.length - 1 - last))
  if (safeName.test(name) && !name.startsWith('learned:'))
    return { name, path, isFile: /json$/i.test(extension), numbered: /\d/.test(wild) ? wild : name }
  throw usage(
    `from: expected names of letters, digits, dots, dashes, underscores and @ + =, got ${JSON.stringify(name.slice(0, 100))}. Rename it, or write a narrower pattern.`,
  )
}

const thousands: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 }

/** The last number in a name, with k, m or b after it for thousands, millions or billions; and the name without it. */
function numberOf(
  { name, numbered }: Found,
  written: readonly string[],
): { readonly step: number; readonly rest: string } {
  const [text, digits, unit = ''] =
    [...numbered.matchAll(/(\d+(?:\.\d+)?)(?:([kmb])(?![a-z]))?/gi)].at(-1) ?? ([] as string[])
  const step = Number(digits) * (thousands[unit.toLowerCase()] ?? 1)
  if (text === undefined || !(step <= maxStep)) {
    throw usage(
      `from: expected a number up to ${maxStep.toLocaleString('en')} in the name of each checkpoint, which gives their order, got '${name.slice(0, 200)}' from ${written.join(', ').slice(0, 200)}. Write a narrower pattern, such as checkpoint-*, and list it as a model of its own, with checkpoint: { series: …, step: … } where it belongs to the curve.`,
    )
  }
  const place = name.lastIndexOf(text)
  return { step, rest: `${name.slice(0, place)} ${name.slice(place + text.length)}` }
}

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

function usage(message: string): ShaketableError {
  return new ShaketableError('usage', message)
}
