import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { usageError } from '../core/errors.js'
import { maxStep } from './experiment-schema.js'
import type { ModelChoice } from './model-choice.js'

interface GivenCheckpoints extends Omit<ModelChoice, 'name'> {
  readonly name?: string | undefined
  readonly from: string | readonly string[]
  readonly series?: string | undefined
}

const maxCheckpoints = 256

const isFile = (path: string): boolean => path.endsWith('.json')

/**
 * The models of an entry with `from`, in the order of the last numbers in their names. Files (`.json`, made by
 * `shaketable train`) become models in files; folders, `.gguf` files and names without a file become models behind a
 * server. In `name`, `model` and the texts of `extraBody`, `{name}`, `{step}` and
 * `{path}` stand for those of each checkpoint; a text that is `{step}` alone becomes the number.
 * @throws ShaketableError `usage` for a pattern that matches nothing or too much, and a name without a number
 */
export function expandCheckpoints(checkpoints: GivenCheckpoints): readonly ModelChoice[] {
  const { from, series, name: shown = '{name}', model: served, extraBody, ...shared } = checkpoints
  const paths = [from].flat().flatMap(findPaths)
  if (paths.length > maxCheckpoints)
    throw usage(`at most ${String(maxCheckpoints)} checkpoints, got ${String(paths.length)}. Write a narrower pattern`)
  const found = paths.map((path) => {
    const isThere = isFile(path) || existsSync(path)
    const name = isThere ? basename(path).replace(/\.(?:json|gguf)$/, '') : path
    const step = stepOf(name)
    const fill = (template: string): string =>
      template.replaceAll('{name}', name).replaceAll('{step}', String(step)).replaceAll('{path}', path)
    return { path, step, fill, series: series ?? nameSeries(fill(shown), path) }
  })
  const names = new Set(found.map((checkpoint) => checkpoint.series))
  if (names.size > 1) {
    const got = [...names].slice(0, 5).join(', ').slice(0, 300)
    throw usage(`names that differ in their number alone, got ${got}. Give the entry a series: series: my-model`)
  }
  found.sort((one, other) => one.step - other.step)
  return found.map(({ path, step, fill, series: named }) => {
    const own = { ...shared, name: fill(shown), checkpoint: { series: named, step } }
    if (isFile(path) && (checkpoints.baseUrl ?? served) !== undefined)
      throw usage(`checkpoints behind a server, since baseUrl or model is given, got the file ${path}`)
    if (isFile(path)) return { ...own, file: path }
    const fillValue = (_: string, value: unknown): unknown =>
      value === '{step}' ? step : typeof value === 'string' ? fill(value) : value
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

/** The path or name itself, or the folders, `.gguf` and `.json` files that its last part, with `*`, matches. */
function findPaths(text: string): readonly string[] {
  if (!text.includes('*')) return [text]
  const [folder, pattern] = [dirname(text), basename(text)]
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const fits = new RegExp(`^(?!\\.)${escaped.join('.*')}$`, 'su')
  const paths = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((entry) => fits.test(entry))
    .map((entry) => (text.includes('/') ? join(folder, entry) : entry))
    .filter((path) => /\.(?:json|gguf)$/.test(path) || statSync(path).isDirectory())
  if (paths.length > 0) return paths
  throw usage(
    `'${text}' to match folders, .gguf files or models of shaketable train (.json), but nothing does. Check the path: it begins at the working directory, and only its last part may have *`,
  )
}

const lastNumber = /\d+(?:\.\d+)?(?!.*\d)/s

function stepOf(name: string): number {
  const [text = ''] = lastNumber.exec(name) ?? []
  if (text !== '' && Number(text) <= maxStep) return Number(text)
  throw usage(
    `a number up to ${maxStep.toLocaleString('en')} in the name of each checkpoint, which gives their order, got '${name.slice(0, 200)}'. Write a narrower pattern, and list it as a model of its own, with checkpoint: { series: …, step: … }`,
  )
}

/** The name of a series: a displayed name without its last number, or else that of the folder. */
function nameSeries(displayed: string, path: string): string {
  const parts = displayed.split(lastNumber).map((part) => part.replace(/^[\s._@+=/:-]+|[\s._@+=/:-]+$/g, ''))
  return parts.filter((part) => part !== '').join('-') || basename(dirname(path)).replace(/^\.*$/, 'checkpoints')
}

function usage(expected: string) {
  return usageError(`from: expected ${expected}.`)
}
