import { z } from 'zod'
import { type MaybePromise, after } from '../core/after.js'
import { type Fields, checkFields, describeValue } from './check-fields.js'
import { type WorldDefinition, completeWorld } from './world.js'
import { withDose } from '../core/dose.js'
import type { Enlargement, Environment, EnvironmentCard, Task, TaskSource, World } from '../core/environment.js'
import { hashOf } from '../core/episode.js'
import { ShaketableError, suggest } from '../core/errors.js'
import { fillReferences } from '../files/variables.js'
import type { ActionForm } from '../core/form.js'
import type { Random } from '../core/random.js'
import type { Text } from '../core/text.js'
import { type Vocabulary, vocabularySchema } from './vocabulary.js'

/** An option of an environment in experiment files and flags. `open` checks which of them are required. */
export interface EnvironmentOption {
  /** Its effect and its default, on one line. */
  readonly summary: string
  /** Its type, also when it is given as text. Default `string`, not empty; `words` is a string or a list of strings. */
  readonly type?: 'string' | 'number' | 'boolean' | 'words'
  readonly choices?: readonly string[]
  /** A list, which may be written with commas. */
  readonly list?: true
  /**
   * A path: one file or folder is rarely meant for several environments. `$NAME` in it is the value of that environment
   * variable, so that an experiment file can leave the place of its data open.
   */
  readonly path?: true
}

/** Options by name. */
export type EnvironmentOptions = Readonly<Record<string, EnvironmentOption>>

type One<Option extends EnvironmentOption> = Option extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Option extends { readonly type: 'number' }
    ? number
    : Option extends { readonly type: 'boolean' }
      ? boolean
      : Option extends { readonly type: 'words' }
        ? string | readonly string[]
        : string

/** The argument of `open`: checked values of the options' types. */
export type OptionValues<Options extends EnvironmentOptions> = {
  readonly [Name in keyof Options]?: Options[Name] extends { readonly list: true }
    ? readonly One<Options[Name]>[]
    : One<Options[Name]>
}

/** A task in a definition. `hash` defaults to that of the other fields as plain JSON. */
export type TaskDefinition = Omit<Task, 'hash'> & Partial<Pick<Task, 'hash'>>

/** The part of a definition that may depend on the options. */
export interface EnvironmentSetup {
  /** In the order of play; a function is called once, when the tasks are needed. */
  readonly tasks: readonly TaskDefinition[] | (() => readonly TaskDefinition[])
  /** Sets up one episode. All randomness comes from `random`. */
  begin(task: Task, random: Random): MaybePromise<WorldDefinition>
  /** See Environment.enlarge; `added` is the number of objects that were added. */
  enlarge?(
    task: Task,
    enlargement: Enlargement,
    random: Random,
  ): MaybePromise<{ readonly world: WorldDefinition; readonly added: number }>
  /** The answer to an action that is not understood. Default: `The action is not understood.` */
  readonly refusal?: string | Text
  /** Default: the options as given. */
  readonly settings?: Environment['settings']
  /** See Environment.measure. */
  readonly measure?: string
  /** See Environment.data. */
  readonly data?: TaskSource | undefined
  /** See OpenedEnvironment.notes. Default: none. */
  readonly notes?: readonly string[]
  /** See Environment.normalise. */
  normalise?(action: string): string
  /** See OpenedEnvironment.find. Default: looks among the tasks. */
  find?(id: string): TaskDefinition
  /** Its words as data, which lets every perturbation reword it. Default: none. */
  readonly vocabulary?: Vocabulary
  /** See OpenedEnvironment.diagnose. */
  diagnose?(): MaybePromise<readonly string[]>
}

/**
 * The definition of an environment. The fields of {@link EnvironmentSetup} may stand here or in the result of `open`,
 * which takes precedence.
 */
export interface EnvironmentDefinition<Options extends EnvironmentOptions> extends Partial<EnvironmentSetup> {
  readonly name: string
  /** Default: the name. */
  readonly summary?: string
  /** Where it comes from. Default: `an environment of your own`. */
  readonly source?: string
  /** Changes whenever the same actions would get different answers. Default `1`. */
  readonly version?: string
  readonly options?: Options
  /** See EnvironmentKind.plainText. */
  readonly plainText?: TextVocabulary
  open?(options: OptionValues<Options>): MaybePromise<Partial<EnvironmentSetup>>
}

/** How an environment's actions and items are recognised in plain text, without an episode of it. */
export interface TextVocabulary {
  /** One list for each wording of the environment; a conversation uses the one that it mentions most. */
  readonly forms: readonly (readonly ActionForm[])[]
  /** The item names that some texts mention. */
  names(texts: readonly string[]): readonly string[]
  /** See {@link Environment.normalise}. */
  normalise?(action: string): string
  /** See {@link World.read}. */
  read?: NonNullable<World['read']>
}

/** A kind of environment that experiments can name: its card, its options, and how to open it. */
export interface EnvironmentKind {
  readonly kind: 'environment'
  readonly name: string
  readonly summary: string
  readonly source: string
  readonly options: EnvironmentOptions
  /** Absent if its actions cannot be recognised in plain text. */
  readonly plainText?: TextVocabulary
  /**
   * Opens the environment.
   * @throws ShaketableError `usage` or `bad-input` if an option is unknown or cannot be used as given
   */
  open(options?: Readonly<Record<string, unknown>>): MaybePromise<OpenedEnvironment>
}

/** An environment with what is needed outside of episodes. */
export interface OpenedEnvironment extends Environment {
  /** Sentences to show before the numbers, such as parts of a prompt file that could not be read. */
  readonly notes: readonly string[]
  /**
   * One task by its id, without reading all others; it may be of another split.
   * @throws ShaketableError `bad-input` with the near miss where there is no such task, or it cannot be played.
   */
  find(id: string): Task
  /**
   * Tries what the environment needs beyond its files, such as a server, and tells in sentences what it found; for
   * `shaketable doctor --env`.
   * @throws ShaketableError where something does not work
   */
  diagnose?(): MaybePromise<readonly string[]>
}

const setupFields: Fields = {
  tasks: 'list|function?',
  begin: 'function?',
  enlarge: 'function?',
  refusal: 'text?',
  settings: 'object?',
  measure: 'string?',
  data: 'object?',
  notes: 'strings?',
  normalise: 'function?',
  find: 'function?',
  vocabulary: 'object?',
  diagnose: 'function?',
}
const definitionFields: Fields = {
  kind: 'any?',
  name: 'string',
  summary: 'string?',
  source: 'string?',
  version: 'string?',
  options: 'object?',
  plainText: 'object?',
  open: 'function?',
  ...setupFields,
}
const optionFields: Fields = {
  summary: 'string',
  type: 'string?',
  choices: 'strings?',
  list: 'boolean?',
  path: 'boolean?',
}
const taskFields: Fields = {
  id: 'string',
  goal: 'string',
  kind: 'string?',
  difficulty: 'string?',
  hash: 'string?',
  data: 'any?',
}

/**
 * Defines an environment; a file that exports one as its default is a plug-in. The smallest one has a name, tasks, and
 * a `begin` that gives an opening and a `step`.
 * @throws ShaketableError `usage` for a field that is unknown or not of its type
 */
export function defineEnvironment<const Options extends EnvironmentOptions = Record<never, EnvironmentOption>>(
  definition: EnvironmentDefinition<Options>,
): EnvironmentKind {
  const { name } = definition
  checkFields(`The environment '${String(name)}'`, definition, definitionFields)
  const { summary = name, source = 'an environment of your own', options = {}, plainText } = definition
  if (definition.vocabulary !== undefined) checkVocabulary(name, definition.vocabulary)
  for (const [option, environmentOption] of Object.entries<EnvironmentOption>(options)) {
    checkFields(`The option '${option}' of the environment '${name}'`, environmentOption, optionFields)
  }
  if (definition.open === undefined) requireSetup(name, definition)
  return {
    kind: 'environment',
    name,
    summary,
    source,
    options,
    ...(plainText && { plainText }),
    open(optionValues = {}) {
      const values = readOptions(name, options, optionValues)
      const setup = definition.open?.(values as OptionValues<Options>) ?? {}
      return after(setup, (defined) => {
        checkFields(`What open() of the environment '${name}' gave`, defined, setupFields)
        if (defined.vocabulary !== undefined) checkVocabulary(name, defined.vocabulary)
        return completeEnvironment({ ...definition, summary, source }, defined, values)
      })
    },
  }
}

function requireSetup(name: string, ...places: readonly Partial<EnvironmentSetup>[]): void {
  for (const field of ['tasks', 'begin'] as const) {
    if (places.some((place) => place[field] !== undefined)) continue
    throw new ShaketableError(
      'usage',
      `The environment '${name}' has no '${field}'. Give it in the definition, or in what open() gives.`,
    )
  }
}

type Card = Partial<EnvironmentSetup> & Pick<Environment, 'name' | 'summary' | 'source'> & { readonly version?: string }

function completeEnvironment(
  card: Card,
  defined: Partial<EnvironmentSetup>,
  options: Readonly<Record<string, unknown>>,
): OpenedEnvironment {
  const { name, summary, source, version = '1' } = card
  requireSetup(name, defined, card)
  /** A field, read when it is asked for; a function is called as a method of the object that has it. */
  const read = <Field extends keyof EnvironmentSetup>(field: Field): Partial<EnvironmentSetup>[Field] => {
    const place = field in defined ? defined : card
    const value: unknown = place[field]
    return (typeof value === 'function' ? value.bind(place) : value) as Partial<EnvironmentSetup>[Field]
  }
  const [measure, vocabulary] = [read('measure'), read('vocabulary')]
  const environment: EnvironmentCard = { name, ...(vocabulary && { vocabulary }) }
  const refusal = read('refusal') ?? 'The action is not understood.'
  const complete = (world: WorldDefinition, { goal }: Task): World =>
    completeWorld(world, { environment, goal, refusal })
  const [normalise, enlarge, diagnose] = [read('normalise'), read('enlarge'), read('diagnose')]
  let listed: readonly Task[] | undefined
  const tasks = (): readonly Task[] => (listed ??= listTasks(name, read('tasks')))
  return {
    name,
    version,
    summary,
    source,
    ...(measure !== undefined && { measure }),
    settings: read('settings') ?? options,
    get tasks() {
      return tasks()
    },
    get data() {
      return read('data')
    },
    get notes() {
      return read('notes') ?? []
    },
    ...(normalise && { normalise }),
    ...(diagnose && { diagnose }),
    find(id) {
      const find = read('find')
      return find === undefined ? findTask(name, tasks(), id) : completeTask(name, find(id))
    },
    begin: (task, random) => after(read('begin')!(task, random), (world) => complete(world, task)),
    ...(enlarge && {
      enlarge: (task, enlargement, random) =>
        after(enlarge(task, enlargement, random), ({ world, added }) =>
          withDose(complete(world, task), () => ({ objects: added })),
        ),
    }),
  }
}

function listTasks(name: string, tasks: EnvironmentSetup['tasks'] | undefined): readonly Task[] {
  const listed: unknown = typeof tasks === 'function' ? tasks() : tasks
  const wrong = (what: string): ShaketableError => new ShaketableError('environment', what)
  if (!Array.isArray(listed))
    throw wrong(`What tasks() of the environment '${name}' gave must be a list, got ${describeValue(listed)}.`)
  const completed = (listed as readonly TaskDefinition[]).map((task) => completeTask(name, task))
  const ids = new Set<string>()
  for (const { id } of completed) {
    if (ids.has(id)) throw wrong(`The environment '${name}' has two tasks '${id}'. Rename one.`)
    ids.add(id)
  }
  return completed
}

function completeTask(name: string, task: TaskDefinition): Task {
  checkFields(`A task of the environment '${name}'`, task, taskFields, 'environment')
  return task.hash === undefined ? { ...task, hash: hashOf(task, 16) } : (task as Task)
}

function findTask(name: string, tasks: readonly Task[], id: string): Task {
  const match = tasks.find((task) => task.id === id)
  if (match !== undefined) return match
  const ids = tasks.map((task) => task.id)
  throw new ShaketableError(
    'bad-input',
    `The environment '${name}' has no task '${id.slice(0, 200)}'.${suggest(id, ids)} --list shows them.`,
  )
}

/** Checks options as experiment files and flags give them. @throws ShaketableError `usage` with the near miss */
function readOptions(
  name: string,
  options: EnvironmentOptions,
  optionValues: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const known = Object.keys(options)
  const values: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(optionValues)) {
    if (!Object.hasOwn(options, key)) {
      const unknown = `The environment '${name}' has no option '${key.slice(0, 100)}'`
      throw new ShaketableError('usage', `${unknown}.${suggest(key, known)} Known: ${known.join(', ') || 'none'}.`)
    }
    const option = options[key]!
    const place = `The option '${key}' of the environment '${name}'`
    const filled = option.path ? fillReferences(value, process.env, place) : value
    if (filled !== undefined) values[key] = readOption(place, option, filled)
  }
  return values
}

/** The values of each type of option, also as texts of a command line. */
const optionTypes = {
  string: ['a string that is not empty', z.string().min(1)],
  number: ['a number', z.union([z.number(), z.string().trim().min(1).pipe(z.coerce.number())])],
  boolean: ['true or false', z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])],
  words: [
    'a string that is not empty, or a list of strings',
    z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  ],
} as const

function readOption(place: string, { type = 'string', choices, list }: EnvironmentOption, value: unknown): unknown {
  const [words, schema] = choices ? [`one of ${choices.join(', ')}`, z.enum(choices)] : optionTypes[type]
  const read = (answer: unknown): unknown => {
    const parsed = schema.safeParse(answer)
    if (parsed.success) return parsed.data
    throw new ShaketableError('usage', `${place} cannot be used: expected ${words}, got ${describeValue(answer)}.`)
  }
  if (!list) return read(value)
  const parts: unknown = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value
  return Array.isArray(parts) && parts.length > 0 ? parts.map(read) : [read(parts)]
}

/** @throws ShaketableError `usage` that names the environment and the field */
function checkVocabulary(environment: string, vocabulary: Vocabulary): void {
  const [issue] = vocabularySchema.safeParse(vocabulary).error?.issues ?? []
  if (issue === undefined) return
  const place = `The vocabulary of the environment '${environment}'`
  throw new ShaketableError('usage', `${place}: '${issue.path.join('.')}' cannot be used: ${issue.message}.`)
}
