import { type Filling, parseTemplate, readForm } from '../../core/form.js'
import { keepRecent } from '../keep-recent.js'
import type { Literal } from '../pddl/normal-form.js'
import { groundAction } from '../pddl/play.js'
import type { Task, TaskAction } from '../pddl/task.js'
import { checkAction, checkPhrase, lookAction } from './wording.js'
import { wordsOf } from './tokens.js'

/** An action read by a template. */
interface LooseReading {
  readonly template: string
  readonly filling: Filling
}

interface LooseOptions {
  /** The action of each template, where an action can have several. Default: each template is one action. */
  readonly actions?: readonly string[]
  /** Whether an action is possible now; others are ignored, as in AgentBoard. Default: all are possible. */
  isPossible?(action: string): boolean
}

/**
 * Reads an action by any templates as AgentBoard reads it by its own: by the first word that occurs in the templates of
 * one action only, and by the objects in the order of the text, which fill the slots in the template's order. Case is
 * ignored.
 * @param objects spelled as in the text; pass the same list again, since its index is kept
 */
export function readLoosely(
  text: string,
  templates: readonly string[],
  objects: readonly string[],
  { actions = templates, isPossible = () => true }: LooseOptions = {},
): LooseReading | undefined {
  const { phrases, verbs, withoutVerb, withSlots } = takeApart(templates, actions)
  const lower = text.toLowerCase()
  const readExactly = (among: readonly Entry[]): LooseReading | undefined => {
    const longest = objects.reduce((max, { length }) => Math.max(max, length), 0)
    const body = text.trim().replace(/\.$/, '')
    for (const { template, action } of among) {
      if (!isPossible(action)) continue
      const filling = readForm(template, body, (value) => objects.includes(value), longest)
      if (filling !== undefined) return { template, filling }
    }
    return undefined
  }
  for (const { phrase, template, action } of phrases) {
    // A reworded name or verb may contain the phrase.
    if (lower.includes(phrase) && isPossible(action)) return readExactly(withSlots) ?? { template, filling: {} }
  }
  const words = wordsOf(lower)
  for (const word of words) {
    const possible = verbs.get(word)?.filter(({ action }) => isPossible(action)) ?? []
    if (possible.length > 0) return fillIn(nearest(possible, words), findNames(words, objects))
  }
  return readExactly(withoutVerb)
}

interface Entry {
  readonly template: string
  readonly action: string
  readonly slots: readonly string[]
  readonly words: readonly string[]
}

/** Templates prepared for reading. */
interface Parts {
  /** Templates without slots, recognised by a phrase in the text. */
  readonly phrases: readonly (Entry & { readonly phrase: string })[]
  readonly verbs: ReadonlyMap<string, readonly Entry[]>
  /** Templates without a word that identifies them; they need an exact match. */
  readonly withoutVerb: readonly Entry[]
  readonly withSlots: readonly Entry[]
}

/** The required part of AgentBoard's help commands. */
const helpPhrases: Readonly<Record<string, string>> = { [checkAction]: checkPhrase, [lookAction]: lookAction }

const keepParts = keepRecent<Parts>(64)

function takeApart(templates: readonly string[], actions: readonly string[]): Parts {
  const key = templates.map((template, index) => `${template}\t${actions[index]!}`).join('\n')
  return keepParts(key, () => {
    const entries = templates.map((template, index): Entry => {
      const { literals, slots } = parseTemplate(template)
      return { template, action: actions[index]!, slots, words: wordsOf(literals.join(' ').toLowerCase()) }
    })
    const verbs = new Map<string, Entry[]>()
    const withoutVerb: Entry[] = []
    for (const entry of entries) {
      if (helpPhrases[entry.template] !== undefined) continue
      const verb = verbOf(entry, entries)
      if (verb === undefined) withoutVerb.push(entry)
      else verbs.set(verb, [...(verbs.get(verb) ?? []), entry])
    }
    const phrases = entries.flatMap((entry) => {
      const { template, slots, words } = entry
      if (slots.length > 0) return []
      const phrase = helpPhrases[template] ?? (words.length > 1 ? template.toLowerCase() : undefined)
      return phrase === undefined ? [] : [{ ...entry, phrase }]
    })
    return { phrases, verbs, withoutVerb, withSlots: entries.filter(({ slots }) => slots.length > 0) }
  })
}

/** The word that identifies a template among those of other actions. */
function verbOf({ action, words }: Entry, entries: readonly Entry[]): string | undefined {
  return verbAmong(
    action,
    words,
    new Set(entries.filter((other) => other.action !== action).flatMap((other) => other.words)),
  )
}

/** Of several templates with one verb, the one with the largest share of its words in the text. */
function nearest(entries: readonly Entry[], textWords: readonly string[]): Entry {
  const share = ({ words }: Entry): number => words.filter((word) => textWords.includes(word)).length / words.length
  return entries.reduce((best, entry) => (share(entry) > share(best) ? entry : best))
}

function fillIn({ template, slots }: Entry, names: readonly string[]): LooseReading | undefined {
  if (names.length < slots.length) return undefined
  return { template, filling: Object.fromEntries(slots.map((slot, index) => [slot, names[index]!])) }
}

const fixedConditions = new WeakMap<Task, ReadonlyMap<TaskAction, readonly Literal[]>>()

/**
 * Whether objects suit an action in every state: they have its parameters' types, and its preconditions on facts that
 * no action changes hold for them, such as `(ball ?b)` where types are not declared.
 */
export function haveRightTypes(task: Task, action: TaskAction, objects: readonly number[]): boolean {
  if (groundAction(task, action, objects) === undefined) return false
  const conditions = fixedConditions.get(task) ?? fixedConditionsOf(task)
  fixedConditions.set(task, conditions)
  return conditions.get(action)!.every(({ predicate, terms }) => {
    const atom = task.table.find(task.predicate(predicate)!, terms, action.frame.registers)
    return atom !== -1 && task.init.has(atom)
  })
}

/** For each action, the literals of its precondition on its parameters that no action changes. */
function fixedConditionsOf(task: Task): ReadonlyMap<TaskAction, readonly Literal[]> {
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

/** The names in a sequence of words, in order, the longest at each place; case is ignored. */
function findNames(words: readonly string[], names: readonly string[]): readonly string[] {
  const table = tables.get(names) ?? tabulate(names)
  tables.set(names, table)
  const namesSeen: string[] = []
  for (let at = 0; at < words.length;) {
    const name = table.get(words[at]!)?.find((row) => row.words.every((word, index) => words[at + index] === word))
    if (name !== undefined) namesSeen.push(name.name)
    at += name?.words.length ?? 1
  }
  return namesSeen
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

/** Words that say little about an action: they identify it only where no other word does. */
const functionWords = new Set(
  'a an the in on at to from of with using by for and into onto off out up down over under as it is use'.split(' '),
)

/**
 * The word that identifies an action: its name where its template has that as a word, otherwise the first word that no
 * other action's template has.
 * @param words the words of the action's template, in order
 * @param others the words of all other actions' templates
 */
function verbAmong(name: string, words: readonly string[], others: ReadonlySet<string>): string | undefined {
  const content = words.filter((word) => /[\p{L}\p{N}]/u.test(word) && !others.has(word))
  return content.find((word) => word === name) ?? content.find((word) => !functionWords.has(word)) ?? content[0]
}
