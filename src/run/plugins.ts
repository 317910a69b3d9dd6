import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createJiti } from 'jiti'
import { z } from 'zod'
import { dataFilters, perturbations } from '../../perturbations/index.js'
import type { DataFilter, FilterScene } from '../core/data-filter.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { Perturbation, Scene } from '../core/perturbation.js'
import * as shaketable from '../index.js'

const sentence = (what: string) => z.string(`${what}, a sentence`).max(2000, `${what} of at most 2,000 characters`)

const described = {
  name: z
    .string('a name')
    .regex(
      /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
      'a name of small letters, digits and single dashes, such as my-perturbation',
    )
    .max(60, 'a name of at most 60 characters'),
  version: z.union([z.string(), z.number()], 'a version, such as 1').transform(String).default('1'),
  summary: sentence('a summary').default(''),
  source: sentence('a source').default(''),
}

/** The shape of a perturbation. What definePerturbation() fills in may be missing, so that a plain object will do. */
const lensShape = z.object({
  kind: z.literal('lens', "'lens'; leave it out").default('lens'),
  ...described,
  promise: z.enum(['invariant', 'identity', 'harder', 'easier'], "'invariant', 'identity', 'harder' or 'easier'"),
  graded: z.boolean('true or false').default(false),
  open: z.custom<Perturbation['open']>((value) => typeof value === 'function', 'a function that opens a lens'),
})

const shortName = z.string('a name').min(1, 'a name').max(60, 'a name of at most 60 characters')

/** The shape of a data filter, as defineDataFilter() makes it. */
const filterShape = z.object({
  kind: z.literal('filter'),
  ...described,
  rules: z
    .array(z.object({ name: shortName, summary: sentence('a summary') }), 'a list of rules, each with name and summary')
    .max(100, 'at most 100 rules')
    .default([]),
  environments: z
    .array(
      z.object({ name: shortName, also: z.array(shortName).default([]) }),
      'a list of environments, each with a name',
    )
    .max(100, 'at most 100 environments')
    .default([]),
  open: z.custom<DataFilter['open']>((value) => typeof value === 'function', 'a function that gives a test for rows'),
})

/**
 * Loads the perturbations of a user's own files, `.ts` or `.js`, from any folder: `shaketable` means this very package there. A file
 * exports one as its default, or a list of them; data filters in it are left alone.
 * @throws ShaketableError `bad-input` with the path, for a file that is missing, cannot be read as a module, or exports something else
 */
export async function loadPlugins(paths: readonly string[]): Promise<readonly Perturbation[]> {
  const plugins = await loadAll(paths)
  const lenses = plugins.flatMap(({ plugin }) => (plugin.kind === 'lens' ? [plugin] : []))
  for (const { path, plugin } of plugins) {
    if (plugins.some((one) => one.path === path && one.plugin.kind === 'lens')) continue
    throw wrong(path, `'${plugin.name}' is a data filter, which is used with filter-ind`)
  }
  return lenses
}

/**
 * Loads the data filters of a user's own files, as {@link loadPlugins} loads perturbations.
 * @throws ShaketableError `bad-input` with the path, for a file that holds no data filter either
 */
export async function loadDataFilters(paths: readonly string[]): Promise<readonly DataFilter[]> {
  const plugins = await loadAll(paths)
  for (const { path, plugin } of plugins) {
    if (plugins.some((one) => one.path === path && one.plugin.kind === 'filter')) continue
    throw wrong(path, `'${plugin.name}' is a perturbation of episodes`, 'data filter')
  }
  return plugins.flatMap(({ plugin }) => (plugin.kind === 'filter' ? [plugin] : []))
}

type Plugin = Perturbation | DataFilter

interface Loaded {
  readonly path: string
  readonly plugin: Plugin
}

async function loadAll(paths: readonly string[]): Promise<readonly Loaded[]> {
  const loaded: Loaded[] = []
  for (const path of new Set(paths)) {
    for (const plugin of await loadFile(path)) {
      const other = loaded.find((one) => one.plugin.name === plugin.name)
      if (other !== undefined) {
        const message = `Both ${other.path} and ${path} define a perturbation '${plugin.name}'. Rename one of them.`
        throw new ShaketableError('bad-input', message)
      }
      loaded.push({ path, plugin })
    }
  }
  return loaded
}

async function loadFile(path: string): Promise<readonly Plugin[]> {
  const file = resolve(path)
  if (!existsSync(file) || !statSync(file).isFile()) {
    throw new ShaketableError('bad-input', `There is no plug-in file at ${path}. Give the path of a .ts or .js file.`)
  }
  const exported = await importFile(path, file)
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported]
  if (list.length === 0) throw wrong(path, 'its default export is an empty list')
  return list.map((value) => checkShape(path, value))
}

async function importFile(path: string, file: string): Promise<unknown> {
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    interopDefault: false,
    virtualModules: { shaketable },
  })
  let module: unknown
  try {
    module = await jiti.import(file)
  } catch (thrown) {
    throw new ShaketableError('bad-input', `The plug-in ${path} cannot be loaded: ${messageOf(thrown)}`, {
      cause: thrown,
    })
  }
  const exported = typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  if (exported === undefined) throw wrong(path, 'it has no default export')
  return exported
}

function checkShape(path: string, value: unknown): Plugin {
  if (typeof value !== 'object' || value === null) {
    throw wrong(path, `its default export is ${value === null ? 'null' : `a ${typeof value}`}`)
  }
  const isFilter = 'kind' in value && value.kind === 'filter'
  const kind = isFilter ? 'data filter' : 'perturbation'
  const plugin = isFilter ? checked(path, value, filterShape, kind) : checked(path, value, lensShape, kind)
  const { name } = plugin
  if (name === 'none' || [...perturbations, ...dataFilters].some((one) => one.name === name)) {
    throw wrong(path, `the name '${name}' is taken; choose another`, kind)
  }
  if (plugin.kind === 'filter') return { ...plugin, open: (scene: FilterScene) => (value as DataFilter).open(scene) }
  return { ...plugin, open: (scene: Scene) => checkLens(name, (value as Perturbation).open(scene)) }
}

function checked<T>(path: string, value: object, shape: z.ZodType<T>, kind: keyof typeof made): T {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const { path: place, message } = result.error.issues[0]!
  const given: unknown = (value as Readonly<Record<string, unknown>>)[String(place[0])]
  const got =
    given === undefined ? 'nothing' : typeof given === 'string' ? `'${given.slice(0, 60)}'` : `a ${typeof given}`
  throw wrong(path, `for '${place.join('.')}' it needs ${message}, got ${got}`, kind)
}

const hooks = ['form', 'name', 'prose']

/** Says what is wrong with a lens while it is opened, not in the middle of an episode. */
function checkLens(name: string, lens: unknown): ReturnType<Perturbation['open']> {
  if (typeof lens !== 'object' || lens === null) {
    const got = lens === null ? 'null' : typeof lens
    throw new ShaketableError(
      'perturbation',
      `open() of '${name}' must give a lens, an object with the hooks ${hooks.join(', ')}, got ${got}.`,
    )
  }
  for (const [hook, value] of Object.entries(lens)) {
    if (hook === 'rules') {
      if (value === undefined || (Array.isArray(value) && value.every((rule) => typeof rule === 'string'))) continue
      throw new ShaketableError('perturbation', `The 'rules' of the lens of '${name}' must be a list of action forms.`)
    }
    if (!hooks.includes(hook)) {
      throw new ShaketableError(
        'perturbation',
        `The lens of '${name}' has '${hook}', which is no hook. There are ${hooks.join(', ')}.`,
      )
    }
    if (value !== undefined && typeof value !== 'function') {
      throw new ShaketableError(
        'perturbation',
        `The hook '${hook}' of '${name}' must be a function, got ${typeof value}.`,
      )
    }
  }
  return lens
}

const made = {
  perturbation: 'definePerturbation({ name, summary, source, promise, open })',
  'data filter': 'defineDataFilter({ name, summary, source, open })',
} as const

function wrong(path: string, why: string, kind: keyof typeof made = 'perturbation'): ShaketableError {
  const what = `Export one made by ${made[kind]} as the default, or a list of them.`
  return new ShaketableError('bad-input', `The plug-in ${path} defines no ${kind}: ${why}. ${what}`)
}
