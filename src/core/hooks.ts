import type { Fields } from './check-fields.js'
import { checkExamples, checkFields, describeValue, isStrings } from './check-fields.js'
import type { Briefing, Dose, World } from './environment.js'
import { ShaketableError, messageOf } from './errors.js'
import type { BriefingText, Failure, Lens, Moment, Part, View } from './perturbation.js'
import type { Random } from './random.js'
import type { Piece, Text } from './text.js'
import { isText, textOf } from './text.js'

/**
 * The hooks of a lens except `form` and `name`. Their arguments are frozen copies; their results are checked and
 * counted. A missing hook, and text outside the scope, change nothing.
 */
export interface Hooks {
  prose?(text: string, part: Part): string
  wrap(world: World): World
  brief(briefing: Briefing): Briefing
  /** Applies `commands` to the lists of an observation, then `view` to the whole. */
  view(pieces: Text, about: Omit<View, 'pieces' | 'commands'>, turn: number): Text
  /** Applies `commands` to a list of admissible actions. */
  list(commands: readonly string[], turn: number): readonly string[]
  /** Whether `commands` added this command to a list. */
  isAdded(command: string): boolean
  act?(action: string, turn: number): Failure<Text> | undefined
  /** The counts of changes so far. */
  dose(): Required<Pick<Dose, 'characters' | 'views' | 'viewed' | 'added' | 'listed'>>
}

const worldFields: Fields = {
  briefing: 'object',
  opening: 'text',
  originalOpening: 'string',
  names: 'strings',
  step: 'function',
  refuse: 'function',
}
const briefFields: Fields = { system: 'string?', instruction: 'text?', examples: 'list?', help: 'strings?' }
const failureFields: Fields = { fails: 'string', answer: 'text', charged: 'boolean?', delay: 'any?' }
const hookNames = ['prose', 'goal', 'brief', 'view', 'commands', 'act', 'wrap'] as const

/** For lenses without any of these hooks, which are the most common; avoids work per episode. */
const noHooks: Hooks = {
  wrap: (world) => world,
  brief: (briefing) => briefing,
  view: (pieces) => pieces,
  list: (commands) => commands,
  isAdded: () => false,
  dose: () => ({ characters: 0, views: 0, viewed: 0, added: 0, listed: 0 }),
}

/** @param name the perturbation's name, for error messages */
export function createHooks(name: string, lens: Lens, random: Random, scope: ReadonlySet<Part>): Hooks {
  if (hookNames.every((hook) => lens[hook] === undefined)) return noHooks
  const counts = { characters: 0, views: 0, viewed: 0, added: 0, listed: 0 }
  const added = new Set<string>()
  const place = (hook: string): string => `What the hook '${hook}' of '${name}' gave`
  const wrong = (hook: string, expected: string, got: unknown): never => {
    throw new ShaketableError('perturbation', `${place(hook)} must be ${expected}, got ${describeValue(got)}.`)
  }
  const call = <T>(hook: string, work: () => T): T => callHook(name, hook, work)
  const momentOf = (hook: string, turn: number): Moment => ({ turn, random: random.fork(hook).fork(String(turn)) })

  const changeList = (list: readonly string[], turn: number, counted: boolean): readonly string[] => {
    if (lens.commands === undefined) return list
    const collision = list.find((command) => added.has(command))
    if (collision !== undefined) {
      throw new ShaketableError(
        'perturbation',
        `The hook 'commands' of '${name}' added '${collision}' to a list, but the environment lists it itself now. Add commands that it never understands.`,
      )
    }
    const shown = call('commands', () => lens.commands!(frozen(list), momentOf('commands', turn)))
    if (!isStrings(shown)) return wrong('commands', 'a list of strings', shown)
    const changes = compareLists(list, shown)
    checkList(name, lens.lists ?? 'reorder', changes)
    if (lens.lists === 'add') for (const command of changes.added) added.add(command)
    if (counted) counts.listed += changes.added.length + changes.hidden.length + changes.moved
    return shown
  }
  const changeLists = (text: Text, part: Part, turn: number): Text => {
    const reached = scope.has(part === 'observations' ? 'admissible' : part)
    if (lens.commands === undefined || !reached) return text
    return text.map((piece): Piece => {
      if (typeof piece === 'string' || !('list' in piece)) return piece
      return { ...piece, list: changeList(piece.list, turn, true) }
    })
  }
  const count = (before: string, after: string): void => {
    if (before !== after) counts.characters += Math.max(before.length, after.length)
  }

  const goalOf = (goal: string): string => {
    if (lens.goal === undefined || !scope.has('instruction')) return goal
    const reworded = call('goal', () => lens.goal!(goal, momentOf('goal', 0)))
    if (typeof reworded !== 'string') return wrong('goal', 'a string', reworded)
    count(goal, reworded)
    return reworded
  }
  const textsOf = (briefing: Briefing): BriefingText => {
    const given = call('brief', () => lens.brief!(frozen(briefing), momentOf('brief', 0)))
    checkFields(place('brief'), given, briefFields, 'perturbation')
    checkExamples(place('brief'), given.examples ?? [], 'strings', 'perturbation')
    const { instruction } = given
    const pick = <Field extends keyof BriefingText>(field: Field, part: Part): BriefingText[Field] =>
      scope.has(part) ? ((given as BriefingText)[field] ?? briefing[field]) : briefing[field]
    const texts: BriefingText = {
      system: pick('system', 'instruction'),
      instruction: pick('instruction', 'instruction'),
      examples: pick('examples', 'examples'),
      help: pick('help', 'instruction'),
    }
    count(briefing.system, texts.system)
    if (instruction !== undefined) count(textOf(briefing.instruction), textOf(texts.instruction))
    count(exampleText(briefing), exampleText(texts))
    count(briefing.help.join(), texts.help.join())
    return typeof texts.instruction === 'string' ? { ...texts, instruction: [texts.instruction] } : texts
  }

  return {
    ...(lens.prose && {
      prose(text, part) {
        const seen: unknown = call('prose', () => lens.prose!(text, part))
        return typeof seen === 'string' ? seen : wrong('prose', 'a string, the text itself where nothing changes', seen)
      },
    }),
    wrap(world) {
      if (lens.wrap === undefined) return world
      const wrapped = call('wrap', () => lens.wrap!(world))
      const { briefing, opening, originalOpening, names, step, refuse } = { ...(wrapped as Partial<World> | undefined) }
      const parts = { briefing, opening, originalOpening, names, step, refuse }
      checkFields(place('wrap'), typeof wrapped === 'object' ? parts : wrapped, worldFields, 'perturbation')
      return wrapped
    },
    brief(given) {
      if (!lens.goal && !lens.brief && !lens.commands) return given
      const briefing: Briefing = {
        ...given,
        goal: goalOf(given.goal),
        instruction: changeLists(given.instruction, 'instruction', 0),
        examples: given.examples.map((example) => ({
          ...example,
          opening: changeLists(example.opening, 'examples', 0),
          exchanges: example.exchanges.map(({ action, observation }) => ({
            action,
            observation: changeLists(observation, 'examples', 0),
          })),
        })),
      }
      return lens.brief === undefined ? briefing : { ...briefing, ...textsOf(briefing) }
    },
    view(given, about, turn) {
      const pieces = changeLists(given, 'observations', turn)
      if (lens.view === undefined || !scope.has('observations')) return pieces
      const shown = pieces.find((piece) => typeof piece !== 'string' && 'list' in piece)
      const view: View = {
        pieces,
        ...about,
        ...(typeof shown === 'object' && 'list' in shown && { commands: shown.list }),
      }
      const seen: unknown = call('view', () => lens.view!(frozen(view), momentOf('view', turn)))
      if (!isText(seen))
        return wrong('view', 'a string or a list of pieces, the pieces themselves where nothing changes', seen)
      const text = typeof seen === 'string' ? [seen] : seen
      const [before, after] = [textOf(pieces), textOf(text)]
      if (after !== before) {
        counts.views++
        counts.viewed += before.length
        counts.added += Math.max(0, after.length - before.length)
      }
      return text
    },
    list: (commands, turn) => (scope.has('admissible') ? changeList(commands, turn, false) : commands),
    isAdded: (command) => added.size > 0 && added.has(command),
    ...(lens.act && {
      act(action, turn) {
        const failure: unknown = call('act', () => lens.act!(action, momentOf('act', turn)))
        if (failure === undefined) return undefined
        checkFields(place('act'), failure, failureFields, 'perturbation')
        const { fails, answer, delay, ...rest } = failure as Failure
        if (fails !== 'before' && fails !== 'after')
          return wrong('act', "a failure that fails 'before' or 'after'", fails)
        if (delay !== undefined && (fails === 'before' || !Number.isInteger(delay) || delay < 1)) {
          return wrong('act', "a failure whose 'delay', with 'after' alone, is a whole number of turns from 1", delay)
        }
        return { ...rest, fails, answer: typeof answer === 'string' ? [answer] : answer, ...(delay && { delay }) }
      },
    }),
    dose: () => ({ ...counts }),
  }
}

/**
 * Calls a hook.
 * @throws ShaketableError `perturbation` that names perturbation and hook, whatever the hook throws
 */
export function callHook<T>(name: string, hook: string, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof ShaketableError) throw thrown
    const isFrozen = thrown instanceof TypeError && /read only|not extensible|Cannot delete/.test(thrown.message)
    const hint = isFrozen ? ' A hook may not change what it is given: return a changed copy.' : ''
    throw new ShaketableError('perturbation', `The hook '${hook}' of '${name}' threw: ${messageOf(thrown)}.${hint}`, {
      cause: thrown,
    })
  }
}

interface ListChanges {
  readonly added: readonly string[]
  readonly hidden: readonly string[]
  /** Number of commands in both lists whose relative order differs. */
  readonly moved: number
  readonly twice: string | undefined
}

function compareLists(list: readonly string[], shown: readonly string[]): ListChanges {
  const [before, after] = [new Set(list), new Set(shown)]
  const kept = [...before].filter((command) => after.has(command))
  const order = [...after].filter((command) => before.has(command))
  return {
    added: [...after].filter((command) => !before.has(command)),
    hidden: [...before].filter((command) => !after.has(command)),
    moved: order.filter((command, index) => command !== kept[index]).length,
    twice: after.size === shown.length || before.size < list.length ? undefined : shown.find(isRepeated),
  }
}

function isRepeated(command: string, index: number, list: readonly string[]): boolean {
  return list.indexOf(command) < index
}

function checkList(name: string, may: NonNullable<Lens['lists']>, { added, hidden, twice }: ListChanges): void {
  const wrong =
    twice !== undefined
      ? `shows '${twice}' twice. Show each command once`
      : added[0] !== undefined && may !== 'add' && may !== 'alias'
        ? `adds '${added[0]}', but its lens says lists: '${may}'. Say lists: 'add', or leave it out`
        : hidden[0] !== undefined && may !== 'hide'
          ? `hides '${hidden[0]}', but its lens says lists: '${may}'. Say lists: 'hide', or keep it`
          : undefined
  if (wrong !== undefined) throw new ShaketableError('perturbation', `The hook 'commands' of '${name}' ${wrong}.`)
}

function exampleText({ examples }: BriefingText): string {
  const texts = examples.map(({ opening, exchanges }) =>
    [textOf(opening), ...exchanges.flatMap(({ action, observation }) => [action, textOf(observation)])].join('\n'),
  )
  return texts.join('\n')
}

/** A deeply frozen copy of plain data. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  const copy: unknown = Array.isArray(value)
    ? value.map(frozen)
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozen(inner) as unknown]))
  return Object.freeze(copy) as T
}
