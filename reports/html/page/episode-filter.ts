import type { Change, EpisodeIndex } from './episode-index.js'

/** The fields of a filter, in the order of an address. */
const filterFields = ['text', 'environment', 'model', 'agent', 'column', 'temperature', 'outcome', 'change'] as const
/** A field of a filter. */
export type FilterField = (typeof filterFields)[number]

/** A filter of episodes by names; an empty one selects all. */
export type EpisodeFilter = Readonly<Record<FilterField, string>>

/** Selects every episode. */
export const noFilter = filterOf(() => '')

function filterOf(valueOf: (field: FilterField) => string): EpisodeFilter {
  return Object.fromEntries(filterFields.map((field) => [field, valueOf(field)])) as EpisodeFilter
}

/**
 * Reads a filter from an address such as `#episodes?model=parrot&change=lost`; undefined for an address of something
 * else.
 */
export function readFilter(hash: string): EpisodeFilter | undefined {
  const found = /^#episodes\?(.*)$/s.exec(hash)
  if (found === null) return undefined
  const given = new URLSearchParams(found[1])
  return filterOf((field) => given.get(field) ?? '')
}

/** A filter as an address. */
export function writeFilter(filter: EpisodeFilter): string {
  const given = new URLSearchParams()
  for (const field of filterFields) if (filter[field] !== '') given.set(field, filter[field])
  return given.size === 0 ? '#episodes' : `#episodes?${given.toString()}`
}

/** The choices of each field. */
export function choicesOf({ packed }: EpisodeIndex): Readonly<Record<Exclude<FilterField, 'text'>, readonly string[]>> {
  return {
    environment: packed.environments.map(({ name }) => name),
    model: packed.models,
    agent: packed.agents,
    column: packed.columns,
    temperature: packed.temperatures.map(String),
    outcome: packed.outcomes.filter((_, outcome) => packed.outcome.includes(outcome)),
    change: ['lost', 'gained'] satisfies readonly Change[],
  }
}

/** The rows that a filter selects, in order. Each word of its text must be in the task, a name or the key. */
export function filterRows(index: EpisodeIndex, filter: EpisodeFilter): Uint32Array {
  const { packed, digits, tasks, changes } = index
  const choices = choicesOf(index)
  const axes = (['environment', 'model', 'agent', 'column', 'temperature'] as const)
    .filter((field) => filter[field] !== '')
    .map((field) => ({ list: digits[field], index: choices[field].indexOf(filter[field]) }))
  const outcome = packed.outcomes.indexOf(filter.outcome)
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = new Uint32Array(index.count)
  let count = 0
  for (let row = 0; row < index.count; row++) {
    if (axes.some(({ list, index }) => list[row] !== index)) continue
    if (filter.outcome !== '' && packed.outcome[row] !== outcome) continue
    if (filter.change !== '' && changes[row] !== filter.change) continue
    if (words.length > 0 && !hasWords(row)) continue
    found[count++] = row
  }
  return found.subarray(0, count)

  function hasWords(row: number): boolean {
    const names = [
      tasks[digits.task[row]!]!,
      packed.models[digits.model[row]!]!,
      packed.columns[digits.column[row]!]!,
      index.keyOf(row),
    ]
    const text = names.join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  }
}
