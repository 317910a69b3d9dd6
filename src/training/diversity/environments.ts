import { basename } from 'node:path'
import { readForm } from '../../core/form.js'
import { entropyBits, rarefied } from '../../statistics/richness.js'
import type { RowTest } from '../data-filter.js'
import type { Conversation } from '../learn/conversation.js'
import { readTurns } from '../learn/conversation.js'
import { readShown, cutNames, findNames, gatherVocabulary } from '../learn/vocabulary.js'
import type { NameVocabulary } from '../learn/vocabulary.js'
import type { Source } from './sources.js'

/** What the evaluation tasks of an environment are made of; absent where they cannot be played here. */
export interface EvaluationWords {
  readonly environment: string
  /** Templates of its action forms: `take {obj} from {recep}`. */
  readonly templates?: readonly string[]
  /** Names of items: `drawer 1`. */
  readonly names?: readonly string[]
}

/** What is told apart in an action. */
const parts = ['verbs', 'items', 'forms'] as const
type Part = (typeof parts)[number]

/** The actions of a data set, counted: each verb, item and form with its number. */
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

/** What the actions of a data set are made of. */
export interface VarietyOfEnvironments extends Omit<CountedActions, Part>, Readonly<Record<Part, Variety>> {}

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
export interface Overlap extends Readonly<Partial<Record<Part, number>>> {
  readonly environment: string
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
const maxShown = 5

/**
 * Reads the actions of a data set. A form of action is an action with its item names replaced by slots, `take {} from
 * {}`, or the form in the row's prompt that it is made of; an item is a name without its number; a verb is the first
 * word of a form that is not a preposition or an article.
 * @param test the rules of the filter
 */
export function countActions(source: Source, evaluation: readonly EvaluationWords[], test: RowTest): CountedActions {
  const vocabulary = learnNames(source)
  const counts = {
    verbs: new Map<string, number>(),
    items: new Map<string, number>(),
    forms: new Map<string, number>(),
  }
  const dropped = new Map<string, number>()
  let [rows, actions, wrong, droppedRows] = [0, 0, 0, 0]
  const place = { file: source.kind === 'data' ? basename(source.path) : '' }
  for (const { row } of source.rows()) {
    if (rows++ === maxRows) break
    const reasons = [test(row, place) ?? []].flat()
    if (reasons.length > 0) droppedRows++
    for (const name of new Set(reasons.map(({ environment = '' }) => environment))) addTo(dropped, name)
    const conversation = readTurns(row.turns)
    const templates = templatesIn(conversation, vocabulary)
    // The actions of a history in the first message are not the row's own.
    const own = row.turns.filter(({ role }) => role === 'assistant').length
    for (const { action, loss } of conversation.exchanges.slice(conversation.exchanges.length - own)) {
      const text = action.slice(0, maxAction).replace(/\s+/g, ' ').trim()
      if (text === '') continue
      if (!loss) {
        wrong++
        continue
      }
      actions++
      const { form, items } = readAction(text, templates, vocabulary)
      addTo(counts.forms, form)
      addTo(counts.verbs, verbOf(form))
      for (const item of items) addTo(counts.items, item)
    }
  }
  const overlaps = evaluation.map(({ environment, templates, names }): Overlap => {
    const forms = templates?.map((template) => template.replace(slot, '{}').toLowerCase())
    const shared = { verbs: forms?.map(verbOf), items: names?.map(kindOf), forms }
    const shares = parts.flatMap((part) => {
      const known = new Set(shared[part])
      const found = [...counts[part].keys()]
      if (shared[part] === undefined || found.length === 0) return []
      return [[part, found.filter((text) => known.has(text)).length / found.length] as const]
    })
    return { environment, ...Object.fromEntries(shares), dropped: dropped.get(environment) ?? 0 }
  })
  const isCut = rows > maxRows
  const read = Math.min(rows, maxRows)
  return { name: source.name, rows: read, actions, wrong, ...counts, overlaps, dropped: droppedRows, isCut }
}

function learnNames(source: Source): NameVocabulary {
  const conversations: Conversation[] = []
  for (const { row } of source.rows()) {
    if (conversations.push(readTurns(row.turns)) === learnedRows) break
  }
  return gatherVocabulary(conversations)
}

/** Counts a text, of which a bounded number is told apart. */
function addTo(counts: Map<string, number>, text: string): void {
  const key = counts.has(text) || counts.size < maxDifferent ? text : '(others)'
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The forms with slots that a prompt lists, the longest first, each with names for its slots. */
function templatesIn({ head }: Conversation, vocabulary: NameVocabulary): readonly string[] {
  return [...readShown(head, vocabulary).values()]
    .filter(({ listed, key }) => listed && key.includes('{}'))
    .map(({ key }) => key)
    .sort((one, other) => other.length - one.length)
    .map((key) => key.split('{}').reduce((before, after, index) => `${before}{slot${String(index)}}${after}`))
}

/** The form of an action, and the kinds of its items. */
function readAction(
  action: string,
  templates: readonly string[],
  vocabulary: NameVocabulary,
): { readonly form: string; readonly items: readonly string[] } {
  const mentions = findNames(action, vocabulary)
  const form = cutNames(action, mentions)
  const known = templates.map((template) => template.replace(slot, '{}'))
  if (mentions.length === 0 || !known.includes(form)) {
    for (const [index, template] of templates.entries()) {
      const filling = readForm(template, action)
      if (filling !== undefined) {
        return { form: known[index]!.toLowerCase(), items: Object.values(filling).map(kindOf) }
      }
    }
  }
  return { form: form.toLowerCase(), items: mentions.map(({ kind }) => kind) }
}

const slot = /\{[^{}]*\}(?:\/\{[^{}]*\})*/g

/** A name without its number, in lower case. */
function kindOf(name: string): string {
  const kind = name.trim().replace(/[ _-]?\d{1,9}$/, '')
  return kind.toLowerCase()
}

const small = new Set('a an the to from in on into onto with at of by off up down out over under using {}'.split(' '))

function verbOf(form: string): string {
  const words = form.match(/\{\}|[\p{L}_]+/gu) ?? []
  return words.find((word) => !small.has(word)) ?? words.find((word) => word !== '{}') ?? form
}

/** The variety of data sets, each at the size that all of them have, at most {@link rarefiedSize} occurrences. */
export function compareVariety(counted: readonly CountedActions[]): readonly VarietyOfEnvironments[] {
  const sizeOf = (part: Part): number =>
    counted.reduce((least, one) => Math.min(least, totalOf(one[part]) || least), rarefiedSize)
  const [verbs, items, forms] = [sizeOf('verbs'), sizeOf('items'), sizeOf('forms')]
  return counted.map((one) => ({
    ...one,
    verbs: varietyOf(one.verbs, verbs),
    items: varietyOf(one.items, items),
    forms: varietyOf(one.forms, forms),
  }))
}

function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

function varietyOf(texts: ReadonlyMap<string, number>, size: number): Variety {
  const counts = [...texts.values()]
  const [entropy, expected] = [entropyBits(counts), rarefied(counts, size)]
  const most = [...texts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).slice(0, maxShown)
  return {
    different: counts.length,
    occurrences: totalOf(texts),
    ...(expected !== undefined && { rarefied: { value: expected, of: size } }),
    ...(entropy !== undefined && { entropy }),
    most: most.map(([text]) => text.slice(0, 80)),
  }
}
