import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createJiti } from 'jiti'
import { z } from 'zod'
import { dataFilters, perturbations } from '../../perturbations/index.js'
import type { DataFilter, FilterScene } from '../core/data-filter.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { Lens, Perturbation, Scene } from '../core/perturbation.js'
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
 * exports one as its default, or a list of them; data filters in it are left alone. `warn` hears of hooks that ask for
 * the date or for randomness that no seed decides.
 * @throws ShaketableError `bad-input` with the path, for a file that is missing, cannot be read as a module, or exports something else
 */
export async function loadPlugins(
  paths: readonly string[],
  warn: Warn = () => undefined,
): Promise<readonly Perturbation[]> {
  const plugins = await loadAll(paths, warn)
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
  const plugins = await loadAll(paths, () => undefined)
  for (const { path, plugin } of plugins) {
    if (plugins.some((one) => one.path === path && one.plugin.kind === 'filter')) continue
    throw wrong(path, `'${plugin.name}' is a perturbation of episodes`, 'data filter')
  }
  return plugins.flatMap(({ plugin }) => (plugin.kind === 'filter' ? [plugin] : []))
}

type Plugin = Perturbation | DataFilter
type Warn = (message: string) => void

interface Loaded {
  readonly path: string
  readonly plugin: Plugin
}

async function loadAll(paths: readonly string[], warn: Warn): Promise<readonly Loaded[]> {
  const loaded: Loaded[] = []
  for (const path of new Set(paths)) {
    for (const plugin of await loadFile(path, warn)) {
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

async function loadFile(path: string, warn: Warn): Promise<readonly Plugin[]> {
  const file = resolve(path)
  if (!existsSync(file) || !statSync(file).isFile()) {
    throw new ShaketableError('bad-input', `There is no plug-in file at ${path}. Give the path of a .ts or .js file.`)
  }
  const exported = await importFile(path, file)
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported]
  if (list.length === 0) throw wrong(path, 'its default export is an empty list')
  return list.map((value) => checkShape(path, value, warn))
}

async function importFile(path: string, file: string): Promise<unknown> {
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    interopDefault: false,
    virtualModules: { shaketable },
  })
  let module: unknown
  try {
    module = await untilIdle(jiti.import(file))
  } catch (thrown) {
    throw new ShaketableError('bad-input', `The plug-in ${path} cannot be loaded: ${messageOf(thrown)}`, {
      cause: thrown,
    })
  }
  const exported = typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  if (exported === undefined) throw wrong(path, 'it has no default export')
  return exported
}

/** A module that has not settled after so long is given up. */
const maxLoadMs = 60_000

/** Waits for a module, as long as there is anything that could settle it. */
async function untilIdle<T>(loading: Promise<T>): Promise<T> {
  let stop = (): void => undefined
  const never = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('it waits (await) for something that does not come. Remove that await.'))
  })
  process.once('beforeExit', stop)
  const timer = setTimeout(stop, maxLoadMs).unref()
  try {
    return await Promise.race([loading, never])
  } finally {
    process.off('beforeExit', stop)
    clearTimeout(timer)
  }
}

function checkShape(path: string, value: unknown, warn: Warn): Plugin {
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
  const guard = createGuard(name, warn)
  if (plugin.kind === 'filter') {
    return { ...plugin, open: (scene: FilterScene) => guard('open', () => (value as DataFilter).open(scene)) }
  }
  const guarded = new WeakMap<Lens, Lens>()
  const open = (scene: Scene): Lens => {
    const lens = guard('open', () => (value as Perturbation).open(scene))
    const known = guarded.get(lens) as Lens | undefined
    if (known !== undefined) return known
    const made = guardLens(checkLens(name, lens), guard)
    guarded.set(lens, made)
    return made
  }
  return { ...plugin, open }
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

type Guard = <T>(hook: string, work: () => T) => T

/** Calls hooks of a plug-in: refuses a promise, and tells once of each hook that it asks for what no seed decides. */
function createGuard(plugin: string, warn: Warn): Guard {
  const told = new Set<string>()
  return (hook, work) => {
    const given = watch(work, (what) => {
      if (told.has(`${hook} ${what}`)) return
      told.add(`${hook} ${what}`)
      warn(
        `The hook '${hook}' of '${plugin}' asks for ${what}, so the same seed may give another text. Use scene.random instead.`,
      )
    })
    if (!(given instanceof Promise)) return given
    given.catch(() => undefined)
    throw new ShaketableError(
      'perturbation',
      `The hook '${hook}' of '${plugin}' gave a promise, but hooks must answer at once. Make it a plain function; what takes time belongs into the module, before its export.`,
    )
  }
}

/** Calls a function that answers at once, and tells when it asks for randomness or for the date. */
function watch<T>(work: () => T, tell: (what: string) => void): T {
  const { Date: date } = globalThis
  const chance: { random: () => number } = Math
  const { random } = chance
  chance.random = () => {
    tell('Math.random()')
    return random()
  }
  globalThis.Date = new Proxy(date, {
    apply(target, self, given) {
      tell('the date')
      return Reflect.apply(target, self, given) as unknown
    },
    construct(target, given, made) {
      if (given.length === 0) tell('the date')
      return Reflect.construct(target, given, made) as object
    },
    get(target, key) {
      if (key === 'now') tell('the date')
      return Reflect.get(target, key) as unknown
    },
  })
  try {
    return work()
  } finally {
    chance.random = random
    globalThis.Date = date
  }
}

/** The same lens, its hooks called through the guard. */
function guardLens(lens: Lens, guard: Guard): Lens {
  const { rules } = lens
  return {
    ...(rules && { rules }),
    ...(lens.form && { form: (template) => guard('form', () => lens.form!(template)) }),
    ...(lens.name && { name: (name) => guard('name', () => lens.name!(name)) }),
    ...(lens.prose && { prose: (text, part) => guard('prose', () => lens.prose!(text, part)) }),
  }
}

const hooks = ['form', 'name', 'prose']

/** Says what is wrong with a lens while it is opened, not in the middle of an episode. */
function checkLens(name: string, lens: unknown): Lens {
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
        `The lens of '${name}' has '${hook}', which is not a hook. There are ${hooks.join(', ')}.`,
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
