import type { PackedChunk, ShownOpening, ShownStep } from '../packed.js'
import type { EpisodeChunks } from './chunks.js'

/** The kinds of text that a search can be limited to, by the word before its colon; an action may be a refused one. */
const textKinds = ['observation', 'action', 'refused', 'reply', 'prompt', 'error'] as const
type TextKind = (typeof textKinds)[number]

/** What is searched for: a text in any case, in all texts or in those of one kind. */
export interface TextQuery {
  readonly kind?: TextKind
  readonly pattern: RegExp
}

/** Reads `pen 1` or `refused: open`; undefined if it is too short to search for. */
export function readQuery(text: string): TextQuery | undefined {
  const given = text.replaceAll('\n', ' ').trim()
  const [, prefix = '', rest = ''] = /^(?:(\w+):)?\s*(.*)$/s.exec(given)!
  const kind = textKinds.find((one) => one === prefix.toLowerCase())
  const words = kind === undefined ? given : rest
  if (words.length < (kind === undefined ? 2 : 1)) return undefined
  return { pattern: new RegExp(words.replace(/[^\p{L}\p{N}\s_]/gu, '\\$&'), 'i'), ...(kind !== undefined && { kind }) }
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

/** What a search has found in one chunk. */
interface SearchedChunk {
  /** The number of episodes that were searched, and of those among them without a trajectory. */
  readonly searched: number
  readonly untold: number
  readonly found: ReadonlyMap<number, FoundLine>
}

/** Searches episodes chunk by chunk. */
export async function* searchEpisodes(
  { firsts, read }: EpisodeChunks,
  query: TextQuery,
  episodes: readonly { readonly place: number }[],
): AsyncGenerator<SearchedChunk, void, undefined> {
  for (const [chunk, first] of firsts.entries()) {
    const end = firsts[chunk + 1] ?? Infinity
    const wanted = episodes.filter(({ place }) => first <= place && place < end).map(({ place }) => place - first)
    if (wanted.length === 0) continue
    const content = await read(chunk)
    const found = [...searchChunk(content, query, wanted)].map(([episode, line]) => [first + episode, line] as const)
    const untold = wanted.filter((episode) => content.episodes[episode]!.said === undefined).length
    yield { searched: wanted.length, untold, found: new Map(found) }
  }
}

type Texts = readonly (readonly [TextKind, string | null | undefined])[]

/**
 * The first line with the text in each of some episodes of a chunk that has it; a prompt's lines come after all others.
 */
export function searchChunk(
  { messages, openings, steps, episodes }: PackedChunk,
  { kind, pattern }: TextQuery,
  wanted: readonly number[],
): Map<number, FoundLine> {
  const isWanted = (one: TextKind): boolean =>
    kind === undefined || one === kind || (kind === 'action' && one === 'refused')
  const firstIn = (texts: Texts): FoundLine | undefined => {
    for (const [label, text] of texts) {
      const match = isWanted(label) ? pattern.exec(text ?? '') : null
      if (match !== null) return { label, ...lineAt(match.input, match.index, match[0].length) }
    }
    return undefined
  }
  const inOpening = once(openings, (opening) => firstIn(observations(opening)))
  const inStep = once(steps, (step) => firstIn(stepTexts(step)))
  const inMessage = once(messages, ({ content }) => firstIn([['prompt', content]]))
  const found = new Map<number, FoundLine>()
  for (const at of wanted) {
    const { error, said } = episodes[at]!
    const reflections = (said?.trials ?? []).map(({ reflection }, trial, trials) => ({
      step: trials[trial + 1]?.from ?? said!.steps.length,
      line: firstIn([['reply', reflection?.reply]]),
    }))
    const lines = [
      firstIn([['error', error]]),
      ...(said === undefined
        ? []
        : [
            atStep(0, inOpening(said.opening)),
            ...said.steps.map((step, place) => atStep(place + 1, inStep(step))),
            ...reflections.map(({ step, line }) => atStep(step, line)),
            ...said.prompt.map(inMessage),
          ]),
    ]
    const line = lines.find((one) => one !== undefined)
    if (line !== undefined) found.set(at, line)
  }
  return found
}

/** A function of the items of a list that is computed once for each. */
function once<Item, Result>(items: readonly Item[], compute: (item: Item) => Result): (index: number) => Result {
  const known = new Map<number, Result>()
  return (index) => {
    if (!known.has(index)) known.set(index, compute(items[index]!))
    return known.get(index)!
  }
}

function atStep(step: number, line: FoundLine | undefined): FoundLine | undefined {
  return line && { ...line, step }
}

function observations({ observation, original }: ShownOpening): Texts {
  return [
    ['observation', observation],
    ['observation', original],
  ]
}

function stepTexts(step: ShownStep): Texts {
  const { thoughts = [], reasoning = [], reply, toolCalls = [], action, command } = step
  const isRefused = step.understood === false || command === null
  const replies = [...thoughts, ...reasoning, reply, ...toolCalls.map((call) => `${call.name}(${call.arguments})`)]
  return [
    ...replies.map((text) => ['reply', text] as const),
    [isRefused ? 'refused' : 'action', action],
    ['action', command],
    ...observations(step),
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
