import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Jiti } from 'jiti'
import { writtenPerturbations } from '../../perturbations/index.js'
import { checkFields, describeValue } from '../define/check-fields.js'
import { hashOf } from '../core/episode.js'
import { isObject } from '../files/json.js'
import { ShaketableError, messageOf, nearMiss, unknownName } from '../core/errors.js'
import { outsideMessageOf } from '../environments/secrets.js'
import { readWordingsFile } from '../training/wordings-file.js'
import { type Kind, type Kinds, commonProblem, definitions } from './definitions.js'
import { guardHooks } from './guard.js'
import { type Entered, type Registry, createRegistry, shipped } from './registry.js'

/** A definition made by one of the define functions. */
export type Definition = Kinds[Kind]

/**
 * Loads plug-ins: files (`.ts`, `.js`) from any folder, packages installed in the working folder, or definitions
 * themselves. A `.json` file has wordings that a model wrote (see `shaketable paraphrase`). A module exports one
 * definition or a list of them as its default, or several by name. Its import `shaketable` resolves to this very
 * package. A hash of the module's text is added to versions or settings, so that episodes are played again after the
 * text changed.
 * @throws ShaketableError `bad-input` with the file's name, if it is missing, cannot be loaded, or exports something
 * else
 */
export async function loadRegistry(
  sources: readonly (string | Definition)[],
  folder = process.cwd(),
): Promise<Registry> {
  if (sources.length === 0) return shipped
  const entered: Entered[] = []
  for (const source of new Set(sources)) {
    const path = typeof source === 'string' ? source : 'given as an object'
    const { found, hash } =
      typeof source === 'string' ? await loadModule(source, folder) : { found: [source], hash: '' }
    for (const value of found) {
      const definition = checkDefinition(path, value, hash)
      checkNew(definition, entered)
      entered.push(definition)
    }
  }
  return createRegistry(entered)
}

/** @throws ShaketableError `bad-input` if the name is taken */
function checkNew({ kind, path, definition: { name } }: Entered, before: readonly Entered[]): void {
  // Perturbations of episodes and of data share one set of names.
  const kinds: readonly Kind[] = kind === 'lens' || kind === 'filter' ? ['lens', 'filter'] : [kind]
  const isShipped = kinds.some((other) => shipped.list(other).some((definition) => definition.name === name))
  const isReserved = kind === 'lens' && (name === 'none' || /^p[1-4]$/.test(name))
  const other = before.find((definition) => kinds.includes(definition.kind) && definition.definition.name === name)
  if (!isShipped && !isReserved && other === undefined) return
  const owner = other === undefined ? 'that ships with shaketable' : `of ${other.path}`
  throw wrong(path, `the name '${name}' is taken by a ${definitions[kind].called} ${owner}; choose another`)
}

/** The definitions of a file or a package, with a hash of its text. */
async function loadModule(
  source: string,
  folder: string,
): Promise<{ readonly found: readonly unknown[]; readonly hash: string }> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    interopDefault: false,
    virtualModules: await frontDoors(),
    transformModules: [source],
  })
  const file = findModule(source, folder, jiti)
  if (file.endsWith('.json')) {
    const wordings = readWordingsFile(file)
    return { found: writtenPerturbations(wordings), hash: hashOf(wordings.words, 8) }
  }
  const module = await jiti.import(file).catch((cause: unknown) => {
    const message = `The plug-in ${source} cannot be loaded: ${outsideMessageOf(cause)}`
    throw new ShaketableError('bad-input', message, { cause })
  })
  const files = [file, ...(existsSync(resolve(folder, source)) ? [] : manifestOf(file))]
  return {
    found: definitionsOf(source, module),
    hash: hashOf(
      files.map((path) => readFileSync(path, 'utf8')),
      8,
    ),
  }
}

/** The modules of this package that a plug-in may import, as this process has loaded them. */
async function frontDoors(): Promise<Readonly<Record<string, unknown>>> {
  return {
    shaketable: await import('shaketable'),
    'shaketable/statistics': await import('shaketable/statistics'),
    'shaketable/testing': await import('shaketable/testing'),
  }
}

/** The path of a file, or that of the main module of an installed package. */
function findModule(source: string, folder: string, jiti: Jiti): string {
  const path = resolve(folder, source)
  const parentURL = pathToFileURL(join(folder, 'plugins.js'))
  const found = existsSync(path) ? path : jiti.esmResolve(source, { parentURL, try: true })
  const file = found?.startsWith('file:') ? fileURLToPath(found) : found
  if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile()) return file
  throw new ShaketableError(
    'bad-input',
    `There is no plug-in file at ${source.slice(0, 200)}, and no package of that name in ${folder}. Give the path of a .ts, .js or .json file, or the name of an installed package.`,
  )
}

function manifestOf(file: string): string[] {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest)) return [manifest]
  }
  return []
}

/** The definitions that a module exports. A named export is one if its `kind` is, or nearly is, one of ours. */
function definitionsOf(path: string, module: unknown): readonly unknown[] {
  const { default: main, ...named } = module as Readonly<Record<string, unknown>>
  const kinds = Object.keys(definitions)
  const hasKind = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && 'kind' in value && nearMiss(String(value.kind), kinds) !== undefined
  const values = new Set([...(main === undefined ? [] : [main].flat()), ...Object.values(named).filter(hasKind)])
  if (values.size > 0) return [...values]
  throw wrong(path, main === undefined ? 'it exports none' : 'its default export is an empty list')
}

function checkDefinition(path: string, value: unknown, hash: string): Entered {
  if (!isObject(value)) throw wrong(path, `expected a definition, got ${describeValue(value)}`)
  // One without a kind can only be a perturbation written by hand.
  const { kind: named = 'lens', name } = value
  const kinds = Object.keys(definitions) as Kind[]
  const kind = kinds.find((candidate) => candidate === named)
  if (kind === undefined) throw wrong(path, unknownName('kind of definition', String(named), kinds))
  const { called, code, fields, hooks, complete } = definitions[kind]
  try {
    const place = typeof name === 'string' ? `The ${called} '${name.slice(0, 60)}'` : `A ${called}`
    if (fields !== undefined) checkFields(place, value, fields)
  } catch (thrown) {
    throw wrong(path, messageOf(thrown))
  }
  const problem = commonProblem(value)
  if (problem !== undefined) {
    const [field, needs] = problem
    throw wrong(path, `for '${field}' it needs ${needs}, got ${describeValue(value[field])}`)
  }
  const owner = { called, name: String(name), path, code }
  const guarded = { ...guardHooks(owner, value, hooks), kind } as unknown as Definition
  return { kind, path, definition: withHash(complete?.(guarded as never) ?? guarded, hash) }
}

/** Adds the hash of the text to what determines the keys of its episodes, since people forget to raise versions. */
function withHash(definition: Definition, hash: string): Definition {
  if (hash === '') return definition
  switch (definition.kind) {
    case 'lens':
      return { ...definition, version: `${definition.version}+${hash}` }
    case 'agent':
      return { ...definition, settings: { ...definition.settings, plugin: hash } }
    case 'model':
      return {
        ...definition,
        create(option?: string) {
          const model = definition.create(option)
          return { ...model, settings: { ...model.settings, plugin: hash } }
        },
      }
    case 'environment':
      return {
        ...definition,
        async open(options?: Readonly<Record<string, unknown>>) {
          // Guarded hooks give an object of their own each time.
          const opened = await definition.open(options)
          return Object.defineProperty(opened, 'version', { value: `${opened.version}+${hash}`, enumerable: true })
        },
      }
    default:
      return definition
  }
}

/** An error with what is wrong with a plug-in. */
function wrong(path: string, why: string): ShaketableError {
  return new ShaketableError(
    'bad-input',
    `The plug-in ${path} cannot be used: ${why.replace(/[.?]$/, '')}. Export a definition made by definePerturbation(), defineEnvironment() or the like, a list of them, or several by names.`,
  )
}
