import type { RowTest, TrainingRow } from '../data-filter.js'
import { readTurns } from '../learn/conversation.js'
import type { Conversation } from '../learn/conversation.js'
import { readShown } from '../learn/shown.js'
import type { NameVocabulary } from '../learn/vocabulary.js'
import { cutNames, findNames, gatherVocabulary } from '../learn/vocabulary.js'
import { entropyBits, rarefied } from '../../statistics/richness.js'
import { basename } from 'node:path'
import type { Source } from './sources.js'

/** What the evaluation tasks of an environment are made of; absent where they cannot be played here. */
export interface EvaluationWords {
  readonly environment: string
  /** Templates of its action forms: `take {obj} from {recep}`. */
  readonly templates?: readonly string[]
  /** Names of items: `drawer 1`. */
  readonly names?: readonly string[]
}

/** What the actions of a data set are made of. */
export interface VarietyOfEnvironments extends Omit<CountedActions, Part> {
  readonly verbs: Variety
  readonly items: Variety
  readonly forms: Variety
}

/** What is told apart in an action. */
const parts = ['verbs', 'items', 'forms'] as const
type Part = (typeof parts)[number]

/** The actions of a data set, counted. */
export interface CountedActions extends Readonly<Record<Part, ReadonlyMap<string, number>>> {
  readonly name: string
  readonly rows: number
  readonly actions: number
  /** Actions that are not counted, since the data marks them as wrong. */
  readonly wrong: number
  /** With the evaluation's environments, in the order in which they were given. */
  readonly overlaps: readonly Overlap[]
  /** Rows that the filter drops, for any environment. */
  readonly dropped: number
  /** Rows that were not read since there are too many. */
  readonly isCut: boolean
}

/** Kinds of something in the actions of a data set. */
export interface Variety {
  readonly different: number
  /** Number of occurrences; those of items are not those of actions. */
  readonly occurrences: number
  /** Expected number of different ones in a sample of `of` occurrences; absent without occurrences. */
  readonly rarefied?: { readonly value: number; readonly of: number }
  /** In bits; absent without occurrences. */
  readonly entropy?: number
  /** The most frequent ones. */
  readonly most: readonly string[]
}

/** How much of a data set an evaluation environment has too: shares of the different ones, absent without any. */
export interface Overlap {
  readonly environment: string
  readonly verbs?: number
  readonly items?: number
  readonly forms?: number
  /** Rows that the filter drops for it. */
  readonly dropped: number
}

/** Occurrences in the sample by which data sets of different sizes compare, where each has as many. */
const rarefiedSize = 1000
/** Rows from which modifiers of names (`red` of `red ball 1`) are learned. */
const learnedRows = 2000
const maxRows = 200_000
/** Different texts that are counted one by one; the others count as one. */
const maxDifferent = 50_000
const maxAction = 300
const others = '(others)'

/**
 * Reads the actions of a data set. A form of action is an action with its item names replaced by slots, `take {} from
 * {}`, or the form in the row's prompt that it is made of; an item is a name without its number; a verb is the first
 * word of a form that is not a preposition or an article.
 * @param test the rules of the filter
 */
export function countActions(source: Source, evaluation: readonly EvaluationWords[], test: RowTest): CountedActions {
  const vocabulary = learnNames(source)
  const [verbs, items, forms] = [new Counter(), new Counter(), new Counter()]
  const dropped = new Map<string, number>()
  let [rows, actions, wrong, droppedRows, isCut] = [0, 0, 0, 0, false]
  const place = { file: source.kind === 'data' ? basename(source.path) : '' }
  for (const { row } of source.rows()) {
    if (rows === maxRows) {
      isCut = true
      break
    }
    rows++
    const reasons = [test(row, place) ?? []].flat()
    if (reasons.length > 0) droppedRows++
    for (const name of new Set(reasons.map(({ environment = '' }) => environment))) {
      dropped.set(name, (dropped.get(name) ?? 0) + 1)
    }
    const conversation = readTurns(row.turns)
    const templates = [...readShown(conversation.head, vocabulary).values()]
      .filter(({ listed, key }) => listed && key.includes('{}'))
      .map(({ key }) => key)
    const found = actionsOf(row, conversation)
    wrong += found.wrong
    for (const action of found.right) {
      const read = readAction(action, templates, vocabulary)
      actions++
      forms.add(read.form)
      verbs.add(verbOf(read.form))
      for (const item of read.items) items.add(item)
    }
  }
  const overlaps = evaluation.map(({ environment, templates, names }): Overlap => {
    const known = templates?.map((template) => template.replace(slot, '{}').toLowerCase())
    const shared = { verbs: known?.map(verbOf), items: names?.map(kindOf), forms: known }
    return {
      environment,
      ...(shared.verbs && verbs.shareIn(shared.verbs, 'verbs')),
      ...(shared.items && items.shareIn(shared.items, 'items')),
      ...(shared.forms && forms.shareIn(shared.forms, 'forms')),
      dropped: dropped.get(environment) ?? 0,
    }
  })
  return {
    name: source.name,
    rows,
    actions,
    wrong,
    verbs: verbs.counts,
    items: items.counts,
    forms: forms.counts,
    overlaps,
    dropped: droppedRows,
    isCut,
  }
}

function learnNames(source: Source): NameVocabulary {
  const conversations: Conversation[] = []
  for (const { row } of source.rows()) {
    if (conversations.push(readTurns(row.turns)) === learnedRows) break
  }
  return gatherVocabulary(conversations)
}

/** The actions of a row's own turns, without those of a history in its first message. */
function actionsOf(
  { turns }: TrainingRow,
  { exchanges }: Conversation,
): { readonly right: readonly string[]; readonly wrong: number } {
  const count = turns.filter(({ role }) => role === 'assistant').length
  const own = exchanges
    .slice(exchanges.length - count)
    .map(({ action, loss }) => ({ action: action.slice(0, maxAction).replace(/\s+/g, ' ').trim(), loss }))
    .filter(({ action }) => action !== '')
  const right = own.filter(({ loss }) => loss).map(({ action }) => action)
  return { right, wrong: own.length - right.length }
}

/** The form of an action, and the kinds of its items. */
function readAction(
  action: string,
  templates: readonly string[],
  vocabulary: NameVocabulary,
): { readonly form: string; readonly items: readonly string[] } {
  const mentions = findNames(action, vocabulary)
  const form = cutNames(action, mentions)
  if (mentions.length > 0 && templates.includes(form)) {
    return { form: form.toLowerCase(), items: mentions.map(({ kind }) => kind) }
  }
  let best: { readonly template: string; readonly filling: readonly string[] } | undefined
  for (const template of templates) {
    const filling = fillingOf(template, action)
    if (filling !== undefined && template.length > (best?.template.length ?? 0)) best = { template, filling }
  }
  if (best !== undefined) return { form: best.template.toLowerCase(), items: best.filling.map(kindOf) }
  return { form: form.toLowerCase(), items: mentions.map(({ kind }) => kind) }
}

/**
 * The texts in the slots of a form, each up to the first place where the form goes on; undefined if it does not fit.
 */
function fillingOf(template: string, action: string): string[] | undefined {
  const pieces = template.split('{}')
  const last = pieces.at(-1)!
  if (!action.startsWith(pieces[0]!)) return undefined
  const filling: string[] = []
  let from = pieces[0]!.length
  for (const piece of pieces.slice(1, -1)) {
    const at = piece === '' ? -1 : action.indexOf(piece, from + 1)
    if (at === -1) return undefined
    filling.push(action.slice(from, at))
    from = at + piece.length
  }
  const end = action.length - last.length
  if (end <= from || !action.endsWith(last)) return undefined
  return [...filling, action.slice(from, end)]
}

const slot = /\{[^{}]*\}(?:\/\{[^{}]*\})*/g

/** A name without its number, in lower case. */
function kindOf(name: string): string {
  return name
    .trim()
    .replace(/[ _-]?\d{1,9}$/, '')
    .toLowerCase()
}

const small = new Set('a an the to from in on into onto with at of by off up down out over under using {}'.split(' '))

function verbOf(form: string): string {
  const words = form.match(/\{\}|[\p{L}_]+/gu) ?? []
  return words.find((word) => !small.has(word)) ?? words.find((word) => word !== '{}') ?? form
}

/** Counts texts, of which a bounded number is told apart. */
class Counter {
  readonly counts = new Map<string, number>()

  add(text: string): void {
    const key = this.counts.has(text) || this.counts.size < maxDifferent ? text : others
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
  }

  /** The share of the different texts that are among others, under a name; nothing without any. */
  shareIn(others: readonly string[], name: Part): Readonly<Partial<Record<Part, number>>> {
    if (this.counts.size === 0) return {}
    const known = new Set(others)
    return { [name]: [...this.counts.keys()].filter((text) => known.has(text)).length / this.counts.size }
  }
}

/** The variety of data sets, each at the size that all of them have, at most {@link rarefiedSize} occurrences. */
export function compareVariety(counted: readonly CountedActions[]): readonly VarietyOfEnvironments[] {
  const sizes = Object.fromEntries(
    parts.map((part) => [
      part,
      counted.reduce((least, one) => Math.min(least, totalOf(one[part]) || least), rarefiedSize),
    ]),
  ) as Record<Part, number>
  return counted.map(({ verbs, items, forms, ...others }) => ({
    ...others,
    verbs: varietyOf(verbs, sizes.verbs),
    items: varietyOf(items, sizes.items),
    forms: varietyOf(forms, sizes.forms),
  }))
}

function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

const maxShown = 5

function varietyOf(texts: ReadonlyMap<string, number>, size: number): Variety {
  const counts = [...texts.values()]
  const [entropy, expected] = [entropyBits(counts), rarefied(counts, size)]
  return {
    different: counts.length,
    occurrences: totalOf(texts),
    ...(expected !== undefined && { rarefied: { value: expected, of: size } }),
    ...(entropy !== undefined && { entropy }),
    most: [...texts]
      .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      .slice(0, maxShown)
      .map(([text]) => text.slice(0, 80)),
  }
}
