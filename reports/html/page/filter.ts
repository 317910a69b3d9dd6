import type { Episode } from './episodes.js'

/** The fields that a choice of names selects, in the order of the page. */
export const choiceFields = [
  ...(['environment', 'kind', 'model', 'agent', 'condition', 'temperature', 'seed', 'outcome', 'change'] as const),
] as const
/** The state of the list, in the order of an address. */
const filterFields = ['text', 'find', ...choiceFields, 'page'] as const

/**
 * The state of the list of episodes; an empty field selects all. `text` is words of names, `find` a text of the
 * episodes, `page` a number from 1.
 */
export type EpisodeFilter = Readonly<Record<(typeof filterFields)[number], string>>

/** Selects every episode. */
export const noFilter = filterOf(() => '')

function filterOf(valueOf: (field: keyof EpisodeFilter) => string): EpisodeFilter {
  return Object.fromEntries(filterFields.map((field) => [field, valueOf(field)])) as EpisodeFilter
}

/**
 * Reads an address such as `#episodes?model=parrot&change=lost` or `#0123456789ab?step=3`: the list, or an episode by
 * its key, with the state of the list where there is one, and a step; undefined for an address of something else.
 */
export function readAddress(
  hash: string,
): { readonly key?: string; readonly filter?: EpisodeFilter; readonly step: string } | undefined {
  const match = /^#(?:episodes|(?<key>[0-9a-f]{8,20}))(?:\?(?<query>.*))?$/s.exec(hash)
  if (match === null) return undefined
  const { key, query } = match.groups!
  const parameters = new URLSearchParams(query)
  return {
    ...(key !== undefined && { key }),
    ...(query !== undefined && { filter: filterOf((field) => parameters.get(field) ?? '') }),
    step: parameters.get('step') ?? '',
  }
}

/**
 * The state of the list as an address; with a key that of an episode, and of one of its steps: `3`, 0 for what comes
 * before the first, or `clean-3` for a step that only its clean twin has.
 */
export function writeAddress(filter: EpisodeFilter, key = 'episodes', step = ''): string {
  const parameters = new URLSearchParams()
  if (step !== '') parameters.set('step', step)
  for (const field of filterFields) if (filter[field] !== '') parameters.set(field, filter[field])
  return parameters.size === 0 ? `#${key}` : `#${key}?${parameters.toString()}`
}

/** The different values of a field. */
export function choicesOf(episodes: readonly Episode[], field: (typeof choiceFields)[number]): string[] {
  return [...new Set(episodes.map((episode) => String(episode[field])))].filter((value) => value !== '')
}

/** The episodes that a filter selects by names and figures. Each word must be in the task, a name or the key. */
export function filterEpisodes(episodes: readonly Episode[], filter: EpisodeFilter): readonly Episode[] {
  const fields = choiceFields.filter((field) => filter[field] !== '')
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  return episodes.filter((episode) => {
    if (fields.some((field) => String(episode[field]) !== filter[field])) return false
    if (words.length === 0) return true
    const { task, goal, model, condition, key } = episode
    const text = [task, goal, model, condition, key].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
