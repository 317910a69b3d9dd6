import { unknownCount } from '../packed.js'
import type { Change, EpisodeIndex } from './episode-index.js'

/** The fields that a choice of names selects, in the order of the page. */
const choiceFields = [
  'environment',
  'kind',
  'model',
  'agent',
  'column',
  'temperature',
  'seed',
  'outcome',
  'change',
  'refused',
] as const
/** The state of the list, in the order of an address. */
const filterFields = ['text', 'find', ...choiceFields, 'sort', 'page'] as const
/** A field of a filter with a choice of names. */
export type ChoiceField = (typeof choiceFields)[number]

/**
 * The state of the list of episodes; an empty field selects all. `text` is words of names, `find` a text of the
 * episodes, `sort` the title of a column (`steps`, `-steps` for the largest first), `page` a number from 1.
 */
export type EpisodeFilter = Readonly<Record<(typeof filterFields)[number], string>>

/** Selects every episode. */
export const noFilter = filterOf(() => '')

function filterOf(valueOf: (field: keyof EpisodeFilter) => string): EpisodeFilter {
  return Object.fromEntries(filterFields.map((field) => [field, valueOf(field)])) as EpisodeFilter
}

/** What an address names: the list or an episode by its key, with the state of the list and a step. */
export interface EpisodeAddress {
  readonly key?: string
  /** The state of the list; absent if the address has none. */
  readonly filter?: EpisodeFilter
  /** A step of the episode, see {@link writeAddress}. */
  readonly step: string
}

/**
 * Reads an address such as `#episodes?model=parrot&change=lost` or `#0123456789ab?step=3`; undefined for an address of
 * something else.
 */
export function readAddress(hash: string): EpisodeAddress | undefined {
  const found = /^#(?:episodes|(?<key>[0-9a-f]{8,20}))(?:\?(?<query>.*))?$/s.exec(hash)
  if (found === null) return undefined
  const { key, query } = found.groups!
  const given = new URLSearchParams(query)
  return {
    ...(key !== undefined && { key }),
    ...(query !== undefined && { filter: filterOf((field) => given.get(field) ?? '') }),
    step: given.get('step') ?? '',
  }
}

/**
 * The state of the list as an address; with a key that of an episode, and of one of its steps: `3`, 0 for what comes
 * before the first, or `clean-3` for a step that only its clean twin has.
 */
export function writeAddress(filter: EpisodeFilter, key = 'episodes', step = ''): string {
  const given = new URLSearchParams()
  if (step !== '') given.set('step', step)
  for (const field of filterFields) if (filter[field] !== '') given.set(field, filter[field])
  return given.size === 0 ? `#${key}` : `#${key}?${given.toString()}`
}

/** Whether an episode has refused actions: any, in memorised wording, or none. */
const refusals = ['some', 'memorised wording', 'none']

/** The choices of each field. */
export function choicesOf({ packed, kinds }: EpisodeIndex): Readonly<Record<ChoiceField, readonly string[]>> {
  return {
    environment: packed.environments.map(({ name }) => name),
    kind: [...new Set(kinds)].filter((kind) => kind !== '').sort(),
    model: packed.models,
    agent: packed.agents,
    column: packed.columns,
    temperature: packed.temperatures.map(String),
    seed: packed.seeds.map(String),
    outcome: packed.outcomes.filter((_, outcome) => packed.outcome.includes(outcome)),
    change: ['lost', 'gained'] satisfies readonly Change[],
    refused: packed.understood.some((count) => count !== unknownCount) ? refusals : [],
  }
}

/** The number of actions that were not understood; {@link unknownCount} if the environment cannot decide it. */
export function refusedSteps({ packed }: EpisodeIndex, row: number): number {
  return packed.understood[row] === unknownCount ? unknownCount : packed.steps[row]! - packed.understood[row]!
}

/** The rows that a filter selects by names and figures, in order. Each word must be in the task, a name or the key. */
export function filterRows(index: EpisodeIndex, filter: EpisodeFilter): Uint32Array {
  const { packed, digits, tasks, goals, kinds, changes } = index
  const choices = choicesOf(index)
  const axes = (['environment', 'model', 'agent', 'column', 'temperature', 'seed'] as const)
    .filter((field) => filter[field] !== '')
    .map((field) => ({ list: digits[field], index: choices[field].indexOf(filter[field]) }))
  const outcome = packed.outcomes.indexOf(filter.outcome)
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = new Uint32Array(index.count)
  let count = 0
  for (let row = 0; row < index.count; row++) {
    if (axes.some(({ list, index }) => list[row] !== index)) continue
    if (filter.kind !== '' && kinds[digits.task[row]!] !== filter.kind) continue
    if (filter.outcome !== '' && packed.outcome[row] !== outcome) continue
    if (filter.change !== '' && changes[row] !== filter.change) continue
    if (filter.refused !== '' && !hasRefusals(row)) continue
    if (words.length > 0 && !hasWords(row)) continue
    found[count++] = row
  }
  return found.subarray(0, count)

  function hasRefusals(row: number): boolean {
    const refused = refusedSteps(index, row)
    if (filter.refused === 'some') return refused > 0
    if (filter.refused === 'none') return refused === 0
    return filter.refused === 'memorised wording' && packed.memorised[row]! > 0
  }

  function hasWords(row: number): boolean {
    const names = [
      tasks[digits.task[row]!]!,
      goals[digits.task[row]!]!,
      packed.models[digits.model[row]!]!,
      packed.columns[digits.column[row]!]!,
      index.keyOf(row),
    ]
    const text = names.join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  }
}
