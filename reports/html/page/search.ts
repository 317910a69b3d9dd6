import type { PackedChunk, ShownTrajectory } from '../packed.js'
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

/** Searches episodes chunk by chunk: how many were searched, and the lines found, by their places. */
export async function* searchEpisodes(
  { firsts, read }: EpisodeChunks,
  query: RegExp,
  episodes: readonly { readonly place: number }[],
): AsyncGenerator<{ readonly searched: number; readonly found: ReadonlyMap<number, FoundLine> }, void, undefined> {
  for (const [chunk, first] of firsts.entries()) {
    const end = firsts[chunk + 1] ?? Infinity
    const wanted = episodes.filter(({ place }) => first <= place && place < end).map(({ place }) => place - first)
    if (wanted.length === 0) continue
    const hits = searchChunk(await read(chunk), query, wanted)
    yield { searched: wanted.length, found: new Map([...hits].map(([at, line]) => [first + at, line])) }
  }
}

/** The first line with the text in each of some episodes of a chunk; a prompt's lines come after all others. */
export function searchChunk(
  { messages, episodes }: PackedChunk,
  pattern: RegExp,
  wanted: readonly number[],
): Map<number, FoundLine> {
  const firstIn = (texts: readonly Text[]): FoundLine | undefined => {
    for (const [label, text, step] of texts) {
      const match = pattern.exec(text ?? '')
      if (match === null) continue
      return { label, ...(step !== undefined && { step }), ...lineAt(match.input, match.index, match[0].length) }
    }
    return undefined
  }
  const inMessages = messages.map(({ content }) => firstIn([['prompt', content]]))
  const hits = new Map<number, FoundLine>()
  for (const at of wanted) {
    const { error, said } = episodes[at]!
    const texts: Text[] = [['error', error], ...(said ? textsOf(said) : [])]
    const inPrompt = said?.prompt.find((message) => inMessages[message] !== undefined)
    const line = firstIn(texts) ?? inMessages[inPrompt ?? -1]
    if (line !== undefined) hits.set(at, line)
  }
  return hits
}

type Text = readonly [label: string, text: string | null | undefined, step?: number]

/** The texts of an episode in the order of play. */
function textsOf({ opening, steps, trials = [] }: ShownTrajectory<number>): Text[] {
  const ofSteps = steps.flatMap((step, place): Text[] => {
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
  })
  const reflections = trials.map(({ reflection }): Text => ['reply', reflection?.reply])
  return [['observation', opening.observation, 0], ['observation', opening.original, 0], ...ofSteps, ...reflections]
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
