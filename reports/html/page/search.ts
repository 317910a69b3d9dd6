import type { ShownEpisode } from '../packed.js'
import type { EpisodeChunks } from './episodes.js'

/** Reads a text to search for, in any case; undefined if it is too short. */
export function readQuery(text: string): RegExp | undefined {
  const words = text.replaceAll('\n', ' ').trim()
  return words.length < 2 ? undefined : new RegExp(words.replace(/[^\p{L}\p{N}\s_]/gu, '\\$&'), 'i')
}

/** A line of an episode with the text that was searched for, from `from` to `to`. */
export interface FoundLine {
  /** `action`, `observation`, … */
  readonly label: string
  /** The number of the step from 1; 0 for what comes before the first, absent for what belongs to no step. */
  readonly step?: number
  readonly line: string
  readonly from: number
  readonly to: number
}

/** Searches episodes chunk by chunk: how many were searched, and the lines found, with their places. */
export async function* searchEpisodes(
  { firsts, read }: EpisodeChunks,
  query: RegExp,
  episodes: readonly { readonly place: number }[],
): AsyncGenerator<{ readonly searched: number; readonly found: readonly (readonly [number, FoundLine])[] }> {
  for (const [chunk, first] of firsts.entries()) {
    const end = firsts[chunk + 1] ?? Infinity
    const places = episodes.map(({ place }) => place).filter((place) => first <= place && place < end)
    if (places.length === 0) continue
    const shown = await read(chunk)
    const lines = places.map((place) => [place, searchEpisode(shown[place - first]!, query)] as const)
    yield { searched: places.length, found: lines.flatMap(([place, line]) => (line ? [[place, line] as const] : [])) }
  }
}

/** The first line of an episode with the text; those of its prompt come after all others. */
export function searchEpisode(episode: ShownEpisode, query: RegExp): FoundLine | undefined {
  for (const [label, text, step] of textsOf(episode)) {
    const match = query.exec(text ?? '')
    if (match === null) continue
    return { label, ...(step !== undefined && { step }), ...lineAt(match.input, match.index, match[0].length) }
  }
  return undefined
}

type Text = readonly [label: string, text: string | null | undefined, step?: number]

/** The texts of an episode in the order of play, and its prompt. */
function textsOf({ error, said }: ShownEpisode): Text[] {
  if (said === undefined) return [['error', error]]
  const { opening, steps, trials = [], prompt } = said
  return [
    ['error', error],
    ['observation', opening.observation, 0],
    ['observation', opening.original, 0],
    ...steps.flatMap((step, place): Text[] => {
      const { thoughts = [], reasoning = [], reply, toolCalls = [], action, command } = step
      const isRefused = step.understood === false || command === null
      const replies = [...thoughts, ...reasoning, reply, ...toolCalls.map((call) => `${call.name}(${call.arguments})`)]
      const texts: readonly Text[] = [
        ...replies.map((text) => ['reply', text] as const),
        [isRefused ? 'refused' : 'action', action],
        ['action', command],
        ['observation', step.observation],
        ['observation', step.original],
        ['error', step.formatError],
      ]
      return texts.map(([label, text]) => [label, text, place + 1])
    }),
    ...trials.map(({ reflection }): Text => ['reply', reflection?.reply]),
    ...prompt.map(({ content }): Text => ['prompt', content]),
  ]
}

/** Characters of a line before and after what was found. */
const maxBefore = 60
const maxAfter = 100

/** The line around a place of a text, cut. */
function lineAt(text: string, at: number, length: number): Pick<FoundLine, 'line' | 'from' | 'to'> {
  const start = text.lastIndexOf('\n', at) + 1
  const newline = text.indexOf('\n', at + length)
  const end = newline === -1 ? text.length : newline
  const [first, last] = [Math.max(start, at - maxBefore), Math.min(end, at + length + maxAfter)]
  // A surrogate pair is not split.
  const before = `${first > start ? '…' : ''}${text.slice(first, at).replace(/^[\udc00-\udfff]/, '')}`
  const after = `${text.slice(at + length, last).replace(/[\ud800-\udbff]$/, '')}${last < end ? '…' : ''}`
  return { line: before + text.slice(at, at + length) + after, from: before.length, to: before.length + length }
}
