import type { PackedChunk, PackedEpisode, PackedTrajectory, ShownStep } from '../packed.js'

/** The kinds of text that a search can be limited to, by the word before its colon; an action may be a refused one. */
const textKinds = ['observation', 'action', 'refused', 'reply', 'prompt', 'error'] as const
type TextKind = (typeof textKinds)[number]

/** What is searched for: a text in any case, in all texts or in those of one kind. */
export interface TextQuery {
  readonly kind?: TextKind
  /** In lower case. */
  readonly words: string
}

/** Reads `pen 1` or `refused: open`; undefined if it is too short to search for. */
export function readQuery(text: string): TextQuery | undefined {
  const given = text.replaceAll('\n', ' ')
  const [, prefix = '', rest = ''] = /^\s*(?:(\w+):)?\s*(.*?)\s*$/s.exec(given)!
  const kind = textKinds.find((one) => one === prefix.toLowerCase())
  const words = lowered(kind === undefined ? given.trim() : rest)
  if (words.length < (kind === undefined ? 2 : 1)) return undefined
  return { words, ...(kind !== undefined && { kind }) }
}

/** A line of an episode with the text that was searched for, from `from` to `to`. */
export interface FoundLine {
  /** `action`, `observation`, … */
  readonly label: string
  /** The number of the step from 1; 0 for what comes before the first, undefined for what belongs to no step. */
  readonly step: number | undefined
  readonly line: string
  readonly from: number
  readonly to: number
}

/** The texts of the episodes of a chunk as one text for a fast search. */
export interface ChunkText {
  /** The texts, each followed by a line end. */
  readonly text: string
  /** Where each text begins, with its kind and step. */
  readonly starts: readonly number[]
  readonly kinds: readonly TextKind[]
  readonly steps: readonly (number | undefined)[]
  /** Where the texts of each episode begin. */
  readonly episodes: readonly number[]
  /** The messages of prompts, and the indexes of those of each episode. */
  readonly messages: readonly string[]
  readonly prompts: readonly (readonly number[])[]
  /** Whether each episode has a trajectory. */
  readonly isSaid: readonly boolean[]
  /** The length of all texts. */
  readonly characters: number
}

/** Joins the texts of a chunk. */
export function chunkTextOf({ episodes, messages }: PackedChunk): ChunkText {
  const texts: string[] = []
  const starts: number[] = []
  const kinds: TextKind[] = []
  const steps: (number | undefined)[] = []
  const firsts: number[] = []
  let at = 0
  for (const episode of episodes) {
    firsts.push(at)
    for (const { kind, step, text } of textsOf(episode)) {
      texts.push(text)
      starts.push(at)
      kinds.push(kind)
      steps.push(step)
      at += text.length + 1
    }
  }
  texts.push('')
  const contents = messages.map(({ content }) => content)
  return {
    text: texts.join('\n'),
    starts,
    kinds,
    steps,
    episodes: firsts,
    messages: contents,
    prompts: episodes.map(({ said }) => said?.prompt ?? []),
    isSaid: episodes.map(({ said }) => said !== undefined),
    characters: contents.reduce((sum, { length }) => sum + length, at),
  }
}

interface EpisodeText {
  readonly kind: TextKind
  readonly step: number | undefined
  readonly text: string
}

function* textsOf({ error, said }: PackedEpisode): Generator<EpisodeText, void, undefined> {
  if (error !== undefined) yield { kind: 'error', step: undefined, text: error }
  if (said === undefined) return
  yield { kind: 'observation', step: 0, text: said.opening.observation }
  if (said.opening.original !== undefined) yield { kind: 'observation', step: 0, text: said.opening.original }
  for (const [at, step] of said.steps.entries()) {
    for (const { kind, text } of stepTexts(step)) yield { kind, step: at + 1, text }
  }
  yield* reflectionsOf(said)
}

function stepTexts(step: ShownStep): { kind: TextKind; text: string }[] {
  const { thoughts = [], reasoning = [], reply, toolCalls = [], action, command, observation, original } = step
  const isRefused = step.understood === false || command === null
  const replies = [...thoughts, ...reasoning, reply, ...toolCalls.map((call) => `${call.name}(${call.arguments})`)]
  const texts: readonly (readonly [TextKind, string | null | undefined])[] = [
    ...replies.map((text) => ['reply', text] as const),
    [isRefused ? 'refused' : 'action', action],
    ['action', command],
    ['observation', observation],
    ['observation', original],
    ['error', step.formatError],
  ]
  return texts.flatMap(([kind, text]) => (text ? [{ kind, text }] : []))
}

function reflectionsOf({ trials = [], steps }: PackedTrajectory): EpisodeText[] {
  return trials.flatMap(({ reflection }, index) => {
    const step = trials[index + 1]?.from ?? steps.length
    return reflection === undefined ? [] : [{ kind: 'reply' as const, step, text: reflection.reply }]
  })
}

/**
 * Finds a text in some episodes of a chunk.
 * @param wanted indexes of episodes, ascending
 * @param found is called with each of these episodes that has the text, and the first line with it; a prompt's lines
 *   come after all others
 */
export function searchChunk(
  chunk: ChunkText,
  { kind, words }: TextQuery,
  wanted: readonly number[],
  found: (episode: number, line: FoundLine) => void,
): void {
  const { text, starts, kinds, steps, episodes, messages, prompts } = chunk
  const searched = lowered(text)
  const isWanted = (one: TextKind): boolean =>
    kind === undefined || one === kind || (kind === 'action' && one === 'refused')
  const linesOfMessages = isWanted('prompt') ? messages.map((message) => lineWith(message, words)) : []
  /** The first place of the words from `from` on, in a text of a wanted kind; infinite if there is none. */
  const advance = (from: number): number => {
    for (let at = searched.indexOf(words, from); at !== -1;) {
      const item = lastAtMost(starts, at)
      if (isWanted(kinds[item]!)) return at
      at = item + 1 < starts.length ? searched.indexOf(words, starts[item + 1]) : -1
    }
    return Infinity
  }
  let next = kind === 'prompt' ? Infinity : -1
  for (const episode of wanted) {
    const [start, end] = [episodes[episode]!, episodes[episode + 1] ?? text.length]
    if (next < start) next = advance(start)
    if (next < end) {
      const item = lastAtMost(starts, next)
      const textEnd = (starts[item + 1] ?? text.length) - 1
      const line = lineAt(text, next, words.length, starts[item]!, textEnd)
      found(episode, { label: kinds[item]!, step: steps[item], ...line })
      continue
    }
    const prompt = prompts[episode]!.map((message) => linesOfMessages[message]).find((line) => line !== undefined)
    if (prompt !== undefined) found(episode, { label: 'prompt', step: undefined, ...prompt })
  }
}

type Line = Pick<FoundLine, 'line' | 'from' | 'to'>

function lineWith(text: string, words: string): Line | undefined {
  const at = lowered(text).indexOf(words)
  return at === -1 ? undefined : lineAt(text, at, words.length, 0, text.length)
}

/** Characters of a line before and after what was found. */
const maxBefore = 60
const maxAfter = 100

/** The line around a place of a text, within a part of the text. */
function lineAt(text: string, at: number, length: number, start: number, end: number): Line {
  const lineStart = Math.max(start, text.lastIndexOf('\n', at - 1) + 1, 0)
  const newline = text.indexOf('\n', at + length)
  const lineEnd = newline === -1 ? end : Math.min(end, newline)
  const first = at - lineStart > maxBefore ? at - maxBefore : lineStart
  const last = lineEnd - at - length > maxAfter ? at + length + maxAfter : lineEnd
  const before = `${first > lineStart ? '…' : ''}${text.slice(first, at).replace(/^[\udc00-\udfff]/, '')}`
  const after = `${text.slice(at + length, last).replace(/[\ud800-\udbff]$/, '')}${last < lineEnd ? '…' : ''}`
  // JSON copies the line, which would otherwise keep all of the text in memory.
  const line = JSON.parse(JSON.stringify(before + text.slice(at, at + length) + after)) as string
  return { line, from: before.length, to: before.length + length }
}

/** Lower case of the same length, so that places in it are places in the text. */
function lowered(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replaceAll('\u0130', 'i').toLowerCase()
}

/** The index of the last number of an ascending list that is at most a value. */
function lastAtMost(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (ascending[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}
