import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { usageError } from '../core/errors.js'
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
  /** Its base name without the extension: `checkpoint-200`; a name on a server as it is. */
  readonly name: string
  /** As written or matched: `checkpoints/checkpoint-200`. */
  readonly path: string
  /** The part of the name with its number: what the wildcards stand for, else the name. */
  readonly numbered: string
}

/** The most checkpoints of one entry. */
const maxCheckpoints = 256

const isFile = (path: string): boolean => path.endsWith('.json')
const plainName = (path: string): string => basename(path).replace(/\.(?:json|gguf)$/, '')

/**
 * The models of an entry with `from`, in the order of the numbers in their names. Files (`.json`, made by
 * `shaketable train`) become models in files; folders, `.gguf` files and names without a file become models behind a
 * server. In `name`, `model` and the texts of `extraBody`, `{name}`, `{step}` and
 * `{path}` stand for those of each checkpoint; a text that is `{step}` alone becomes the number.
 * @throws ShaketableError `usage` for a pattern that matches nothing or too much, and a name without a number
 */
export function expandCheckpoints(checkpoints: GivenCheckpoints): readonly ModelChoice[] {
  const { from, series, name: shown = '{name}', model: served, extraBody, ...shared } = checkpoints
  const found = [from].flat().flatMap(find)
  if (found.length > maxCheckpoints) {
    throw usage(
      `at most ${String(maxCheckpoints)} checkpoints, got ${found.length.toLocaleString('en')}. Write a narrower pattern`,
    )
  }
  const numbered = found.map((one) => ({ ...one, ...numberOf(one) })).sort((one, other) => one.step - other.step)
  const named = series ?? nameSeries(numbered, shown)
  return numbered.map(({ name, path, step }) => {
    const fill = (template: string): string =>
      template.replaceAll('{name}', name).replaceAll('{step}', String(step)).replaceAll('{path}', path)
    const fillValue = (_: string, value: unknown): unknown =>
      value === '{step}' ? step : typeof value === 'string' ? fill(value) : value
    const own = { ...shared, name: fill(shown), checkpoint: { series: named, step } }
    if (isFile(path) && (checkpoints.baseUrl ?? served) !== undefined)
      throw usage(`checkpoints behind a server, since baseUrl or model is given, got the file ${path}`)
    if (isFile(path)) return { ...own, file: path }
    const body = extraBody && (JSON.parse(JSON.stringify(extraBody), fillValue) as typeof extraBody)
    return { ...own, model: fill(served ?? '{name}'), ...(body && { extraBody: body }) }
  })
}

/** @throws ShaketableError `usage` for two checkpoints of one series with the same number */
export function checkSteps(models: readonly ModelChoice[]): void {
  const seen = new Map<string, string>()
  for (const { name, checkpoint } of models) {
    if (checkpoint === undefined) continue
    const key = JSON.stringify([checkpoint.series, checkpoint.step])
    const other = seen.get(key)
    if (other !== undefined && other !== name) {
      throw usageError(
        `Expected each checkpoint of the series '${checkpoint.series}' at a step of its own, got '${other}' and '${name}' at ${String(checkpoint.step)}. Write a narrower pattern, or give one of them another series.`,
      )
    }
    seen.set(key, name)
  }
}

/** The checkpoint of a path or a name, or those of a pattern: folders, `.gguf` and `.json` files. */
function find(text: string): Found[] {
  const [folder, pattern] = [dirname(text), basename(text)]
  if (/[*?]/.test(folder)) throw usage(`wildcards (* and ?) in the last part of the path only, got '${text}'`)
  const [, before = '', wild, after = ''] = /^([^*?]*)(.*[*?])([^*?]*)$/.exec(pattern) ?? []
  if (wild === undefined) {
    const name = isFile(text) || existsSync(text) ? plainName(text) : text
    return [{ name, path: text, numbered: name }]
  }
  const escaped = [before, wild, after].map((part) => part.replace(/[.+^${}()|[\]\\/]/g, '\\$&'))
  const any = escaped[1]!.replace(/\*+/g, '.*').replaceAll('?', '.')
  const fits = new RegExp(`^${escaped[0]!}(${any})${escaped[2]!}$`, 'su')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const found = names.flatMap((entry): Found[] => {
    const path = text.includes('/') ? join(folder, entry) : entry
    const matched = entry.startsWith('.') ? undefined : fits.exec(entry)?.[1]
    if (matched === undefined || !(/\.(?:json|gguf)$/.test(entry) || statSync(path).isDirectory())) return []
    const [name, part] = [plainName(path), plainName(matched)]
    return [{ name, path, numbered: /\d/.test(part) ? part : name }]
  })
  if (found.length > 0) return found
  throw usage(
    `'${text}' to match folders, .gguf files or models of shaketable train (.json), but nothing does. Check the path (it begins at the working directory)`,
  )
}

/** The last number in a name, and the name without it. */
function numberOf({ name, numbered }: Found): { readonly step: number; readonly rest: string } {
  const text = /\d+(?:\.\d+)?(?!.*\d)/s.exec(numbered)?.[0] ?? ''
  if (text === '' || Number(text) > maxStep) {
    throw usage(
      `a number up to ${maxStep.toLocaleString('en')} in the name of each checkpoint, which gives their order, got '${name.slice(0, 200)}'. Write a narrower pattern, and list it as a model of its own, with checkpoint: { series: …, step: … }`,
    )
  }
  const place = name.lastIndexOf(text)
  return { step: Number(text), rest: `${name.slice(0, place)} ${name.slice(place + text.length)}` }
}

/** The name of a series: that of its checkpoints without the number, or else of their folder. */
function nameSeries(found: readonly (Found & { readonly rest: string })[], shown: string): string {
  const rests = new Set(
    found.map(({ rest }) => rest.replace(/^[\s._@+=/:-]+|[\s._@+=/:-]+$/g, '').replace(/[._@+=-]? [._@+=-]?/, '-')),
  )
  if (rests.size > 1) {
    throw usage(
      `names that differ in their number alone, got ${[...rests].slice(0, 5).join(', ').slice(0, 300)} around it. Give the entry a series, which names the curve: series: my-model`,
    )
  }
  const [rest] = rests
  const named = rest || basename(dirname(found[0]!.path)).replace(/^\.*$/, 'checkpoints')
  return shown.replaceAll('{name}', named).replaceAll(/[._@+=-]?\{(?:step|path)\}/g, '') || 'checkpoints'
}

function usage(expected: string) {
  return usageError(`from: expected ${expected}.`)
}
