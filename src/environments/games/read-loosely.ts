import type { Filling } from '../../core/form.js'
import { parseTemplate, readForm } from '../../core/form.js'
import { keepRecent } from '../keep-recent.js'
import type { Literal } from '../pddl/normal-form.js'
import { groundAction } from '../pddl/play.js'
import type { Task, TaskAction } from '../pddl/task.js'
import { checkAction, checkPhrase, lookAction } from './wording.js'
import { wordsOf } from './tokens.js'

/** What a text says by a template. */
interface LooseReading {
  readonly template: string
  readonly filling: Filling
}

/** How templates are told apart. */
interface LooseOptions {
  /** Of which action each template is, where several may be of one. Default: each is of its own. */
  readonly actions?: readonly string[]
  /** Whether an action can be done at all now; one that can't is passed over, as AgentBoard does. Default: all can. */
  isPossible?(action: string): boolean
}

/**
 * Reads an action by any templates as loosely as AgentBoard reads it by its own: by the first word that belongs to the
 * templates of one action alone, and by the objects in the order in which the text names them, which fill the slots in
 * the template's order. Case does not count.
 * @param objects as they are spelled in the text; the list may come again, as what is made from it is kept
 */
export function readLoosely(
  text: string,
  templates: readonly string[],
  objects: readonly string[],
  { actions = templates, isPossible = () => true }: LooseOptions = {},
): LooseReading | undefined {
  const { phrases, verbs, silent, worded } = takeApart(templates, actions)
  const small = text.toLowerCase()
  const toTheLetter = (among: readonly Entry[]): LooseReading | undefined => {
    const longest = objects.reduce((most, { length }) => Math.max(most, length), 0)
    const body = text.trim().replace(/\.$/, '')
    for (const { template, action } of among) {
      if (!isPossible(action)) continue
      const filling = readForm(template, body, (value) => objects.includes(value), longest)
      if (filling !== undefined) return { template, filling }
    }
    return undefined
  }
  for (const { phrase, template, action } of phrases) {
    // A name or verb of somebody's own may have the phrase in it.
    if (small.includes(phrase) && isPossible(action)) return toTheLetter(worded) ?? { template, filling: {} }
  }
  const words = wordsOf(small)
  for (const word of words) {
    const meant = verbs.get(word)?.filter(({ action }) => isPossible(action)) ?? []
    if (meant.length > 0) return fillIn(nearest(meant, words), findNames(words, objects))
  }
  return toTheLetter(silent)
}

interface Entry {
  readonly template: string
  readonly action: string
  readonly slots: readonly string[]
  readonly words: readonly string[]
}

/** Templates made ready for reading. */
interface Parts {
  /** Templates without slots, which are meant where the text has a phrase in it. */
  readonly phrases: readonly (Entry & { readonly phrase: string })[]
  readonly verbs: ReadonlyMap<string, readonly Entry[]>
  /** Templates without a word of their own; they are read to the letter. */
  readonly silent: readonly Entry[]
  /** All templates with slots. */
  readonly worded: readonly Entry[]
}

/** What is enough of AgentBoard's own words to be understood, and is needed. */
const heard: Readonly<Record<string, string>> = { [checkAction]: checkPhrase, [lookAction]: lookAction }

const keepParts = keepRecent<Parts>(64)

function takeApart(templates: readonly string[], actions: readonly string[]): Parts {
  const key = templates.map((template, index) => `${template}\t${actions[index]!}`).join('\n')
  return keepParts(key, () => {
    const entries = templates.map((template, index): Entry => {
      const { literals, slots } = parseTemplate(template)
      return { template, action: actions[index]!, slots, words: wordsOf(literals.join(' ').toLowerCase()) }
    })
    const verbs = new Map<string, Entry[]>()
    const silent: Entry[] = []
    for (const entry of entries) {
      if (heard[entry.template] !== undefined) continue
      const verb = verbOf(entry, entries)
      if (verb === undefined) silent.push(entry)
      else verbs.set(verb, [...(verbs.get(verb) ?? []), entry])
    }
    const phrases = entries.flatMap((entry) => {
      const { template, slots, words } = entry
      if (slots.length > 0) return []
      const phrase = heard[template] ?? (words.length > 1 ? template.toLowerCase() : undefined)
      return phrase === undefined ? [] : [{ ...entry, phrase }]
    })
    return { phrases, verbs, silent, worded: entries.filter(({ slots }) => slots.length > 0) }
  })
}

/** The word by which a template is known among those of other actions. */
function verbOf({ action, words }: Entry, entries: readonly Entry[]): string | undefined {
  return verbAmong(
    action,
    words,
    new Set(entries.filter((other) => other.action !== action).flatMap((other) => other.words)),
  )
}

/** Of several templates with one verb the one that has most of its words in the text. */
function nearest(meant: readonly Entry[], said: readonly string[]): Entry {
  const share = ({ words }: Entry): number => words.filter((word) => said.includes(word)).length / words.length
  return meant.reduce((best, entry) => (share(entry) > share(best) ? entry : best))
}

function fillIn({ template, slots }: Entry, names: readonly string[]): LooseReading | undefined {
  if (names.length < slots.length) return undefined
  return { template, filling: Object.fromEntries(slots.map((slot, index) => [slot, names[index]!])) }
}

const demands = new WeakMap<Task, ReadonlyMap<TaskAction, readonly Literal[]>>()

/**
 * Whether objects are of the right kind for an action: of its parameters' types, and such that whatever its
 * precondition says of facts that no action ever changes, as `(ball ?b)` where types are not declared, holds.
 */
export function areOfRightKind(task: Task, action: TaskAction, objects: readonly number[]): boolean {
  if (groundAction(task, action, objects) === undefined) return false
  const wanted = demands.get(task) ?? lastingDemands(task)
  demands.set(task, wanted)
  return wanted.get(action)!.every(({ predicate, terms }) => {
    const atom = task.table.find(task.predicate(predicate)!, terms, action.frame.registers)
    return atom !== -1 && task.init.has(atom)
  })
}

/** For each action what its precondition demands of its parameters that no action ever changes. */
function lastingDemands(task: Task): ReadonlyMap<TaskAction, readonly Literal[]> {
  const changing = new Set(task.actions.flatMap(({ normal }) => normal.effects.map(({ literal }) => literal.predicate)))
  return new Map(
    task.actions.map((action) => {
      const { precondition, registers, schema } = action.normal
      const known = (term: number): boolean => term < schema.parameters.length || registers.isName(term)
      const literals = precondition.length === 1 ? precondition[0]!.positive : []
      return [action, literals.filter(({ predicate, terms }) => !changing.has(predicate) && terms.every(known))]
    }),
  )
}

/** A name as words. */
interface Name {
  readonly name: string
  readonly words: readonly string[]
}

const tables = new WeakMap<readonly string[], ReadonlyMap<string, readonly Name[]>>()

/**
 * The names that stand in a row of words, in order, the longest at each place; case does not count. The same list of
 * names may come again.
 */
function findNames(words: readonly string[], names: readonly string[]): readonly string[] {
  const table = tables.get(names) ?? tabulate(names)
  tables.set(names, table)
  const found: string[] = []
  for (let at = 0; at < words.length;) {
    const name = table.get(words[at]!)?.find((one) => one.words.every((word, index) => words[at + index] === word))
    if (name !== undefined) found.push(name.name)
    at += name?.words.length ?? 1
  }
  return found
}

function tabulate(names: readonly string[]): ReadonlyMap<string, readonly Name[]> {
  const table = new Map<string, Name[]>()
  for (const name of names) {
    const words = wordsOf(name.toLowerCase())
    const first = words[0]
    if (first === undefined) continue
    const known = table.get(first) ?? []
    known.push({ name, words })
    table.set(
      first,
      known.sort((a, b) => b.words.length - a.words.length),
    )
  }
  return table
}

/** Words that tell little of what is done: they name an action only where it has no other word of its own. */
const small = new Set(
  'a an the in on at to from of with using by for and into onto off out up down over under as it is use'.split(' '),
)

/**
 * The word by which an action is known: its own name where its template has that as a word, otherwise the first word
 * that no other action's template has.
 * @param words of the action's template, in order
 * @param others of all other actions' templates
 */
export function verbAmong(name: string, words: readonly string[], others: ReadonlySet<string>): string | undefined {
  const own = words.filter((word) => /[\p{L}\p{N}]/u.test(word) && !others.has(word))
  return own.find((word) => word === name) ?? own.find((word) => !small.has(word)) ?? own[0]
}
