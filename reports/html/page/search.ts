import type { PackedChunk, ShownStep } from '../packed.js'
import type { EpisodeChunks } from './chunks.js'

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
    const found = searchChunk(await read(chunk), query, wanted)
    yield { searched: wanted.length, found: new Map([...found].map(([at, line]) => [first + at, line])) }
  }
}

type Texts = readonly (readonly [label: string, text: string | null | undefined])[]

/** The first line with the text in each of some episodes of a chunk; a prompt's lines come after all others. */
export function searchChunk(
  { messages, openings, steps, episodes }: PackedChunk,
  pattern: RegExp,
  wanted: readonly number[],
): Map<number, FoundLine> {
  const firstIn = (texts: Texts): FoundLine | undefined => {
    for (const [label, text] of texts) {
      const match = pattern.exec(text ?? '')
      if (match !== null) return { label, ...lineAt(match.input, match.index, match[0].length) }
    }
    return undefined
  }
  const inOpenings = openings.map((one) => firstIn(observationsOf(one)))
  const inSteps = steps.map((step) => firstIn(textsOf(step)))
  const inMessages = messages.map(({ content }) => firstIn([['prompt', content]]))
  const found = new Map<number, FoundLine>()
  for (const at of wanted) {
    const { error, said } = episodes[at]!
    const atStep = (step: number, line: FoundLine | undefined) => line && { ...line, step }
    const lines = [
      firstIn([['error', error]]),
      ...(said === undefined
        ? []
        : [
            atStep(0, inOpenings[said.opening]),
            ...said.steps.map((step, place) => atStep(place + 1, inSteps[step])),
            firstIn((said.trials ?? []).map(({ reflection }) => ['reply', reflection?.reply])),
            ...said.prompt.map((message) => inMessages[message]),
          ]),
    ]
    const line = lines.find((one) => one !== undefined)
    if (line !== undefined) found.set(at, line)
  }
  return found
}

function observationsOf({ observation, original }: Pick<ShownStep, 'observation' | 'original'>): Texts {
  return [observation, original].map((text) => ['observation', text])
}

function textsOf(step: ShownStep): Texts {
  const { thoughts = [], reasoning = [], reply, toolCalls = [], action, command } = step
  const isRefused = step.understood === false || command === null
  const replies = [...thoughts, ...reasoning, reply, ...toolCalls.map((call) => `${call.name}(${call.arguments})`)]
  return [
    ...replies.map((text) => ['reply', text] as const),
    [isRefused ? 'refused' : 'action', action],
    ['action', command],
    ...observationsOf(step),
    ['error', step.formatError],
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
