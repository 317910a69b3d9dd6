import type { Plan, PlannedColumn, Step, StoredRun, Trajectory, Trial } from '../../../src/define.js'
import { outcomes, pairsOf } from '../../../src/define.js'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type {
  PackedEpisode,
  PackedFile,
  PackedIndex,
  PackedTrajectory,
  ShownMessage,
  ShownStep,
  ShownTrial,
} from '../packed.js'
import { keyDigits, unknownCount } from '../packed.js'
import { wellFormed } from '../visible.js'
import type { ListedEpisode } from './list-episodes.js'

/** Consecutive episodes as text for the page. */
interface Chunk {
  /** How many episodes. */
  readonly episodes: number
  /** A {@link PackedChunk} as JSON, gzip and base64. */
  readonly text: string
}

/** A chunk is closed when its JSON reaches this length: small enough to open quickly, large enough to compress well. */
const chunkCharacters = 500_000
/** Trajectories are read in batches of this size. */
const batchEpisodes = 512

/** Packs episodes with their trajectories, one chunk at a time; at most one batch is in memory. */
export function* packChunks(
  episodes: readonly ListedEpisode[],
  { trajectories, shrunk }: Pick<StoredRun, 'trajectories' | 'shrunk'>,
): Generator<Chunk, void, undefined> {
  let chunk = openChunk()
  for (let from = 0; from < episodes.length; from += batchEpisodes) {
    const batch = episodes.slice(from, from + batchEpisodes)
    const read = trajectories?.(batch.map(({ key }) => key))
    for (const episode of batch) {
      chunk.add(episode, read?.get(episode.key), shrunk?.get(episode.key)?.sentence)
      if (chunk.characters() < chunkCharacters) continue
      yield chunk.close()
      chunk = openChunk()
    }
  }
  if (chunk.characters() > 0) yield chunk.close()
}

function openChunk() {
  const messages: string[] = []
  const numbers = new Map<string, Map<string, number>>()
  const parts: string[] = []
  let characters = 0
  const numberOf = ({ role, content }: ShownMessage): number => {
    const ofRole = numbers.get(role) ?? new Map<string, number>()
    numbers.set(role, ofRole)
    const known = ofRole.get(content)
    if (known !== undefined) return known
    ofRole.set(content, messages.length)
    characters += messages[messages.push(JSON.stringify({ role, content })) - 1]!.length
    return messages.length - 1
  }
  return {
    characters: () => characters,
    add(episode: ListedEpisode, trajectory: Trajectory | undefined, shrunk: string | undefined): void {
      const part = JSON.stringify(packEpisode(episode, trajectory && packTrajectory(trajectory, numberOf), shrunk))
      parts.push(part)
      characters += part.length
    },
    close(): Chunk {
      const json = `{"messages":[${messages.join(',')}],"episodes":[${parts.join(',')}]}`
      return { episodes: parts.length, text: pack(json) }
    },
  }
}

function packEpisode(
  { key, error, measures, dose }: ListedEpisode,
  trajectory: PackedTrajectory | undefined,
  shrunk: string | undefined,
): PackedEpisode {
  const { modelCalls, promptTokens, completionTokens } = measures
  return {
    key,
    calls: { made: modelCalls, promptTokens, completionTokens },
    error,
    changed: dose,
    shrunk,
    said: trajectory,
  }
}

function packTrajectory(
  { prompt, opening, steps, trials }: Trajectory,
  numberOf: (message: ShownMessage) => number,
): PackedTrajectory {
  return {
    opening,
    steps: steps.map(packStep),
    trials: trials?.map(packTrial),
    prompt: prompt.map(numberOf),
  }
}

/** Leaves out times and attempts, which differ when the same step is played again. */
function packStep(step: Step): ShownStep {
  const { action, observation, progress, understood, reply, thoughts, command, original, memorised, failed } = step
  const { formatError, fault, reasoning, toolCalls, cut } = step
  const turn = { action, observation, progress, understood, reply, thoughts, command, original, memorised, failed }
  return { ...turn, formatError, fault, reasoning, toolCalls, cut }
}

function packTrial({ from, outcome, progress, reflection }: Trial): ShownTrial {
  return { from, outcome, progress, reflection: reflection && { reply: reflection.reply, fault: reflection.fault } }
}

/** Text as gzip in base64, which has no special character of HTML. */
export function pack(text: string): string {
  return gzipSync(text).toString('base64')
}

/** A file of the report. */
interface ReportFile {
  readonly file: string
  readonly text: string
}

/** Chunks in the page, or in files beside it. */
interface PlacedChunks {
  /** How many episodes each chunk holds. */
  readonly episodes: readonly number[]
  /** Their texts; empty if they are in files. */
  readonly inline: readonly string[]
  readonly files?: readonly PackedFile[]
}

/** Limits of a page that holds its episodes itself, in episodes and in characters of their chunks. */
const maxInline = { episodes: 10_000, characters: 24_000_000 }
/** A file is closed when it reaches this length. */
const fileCharacters = 4_000_000

/** Decides where chunks go, and yields each file when it is full. */
export function* placeChunks(
  chunks: Iterable<Chunk>,
  episodes: number,
  max = maxInline,
): Generator<ReportFile, PlacedChunks, undefined> {
  const counts: number[] = []
  const files: PackedFile[] = []
  const held: string[] = []
  let characters = 0
  let inFiles = episodes > max.episodes
  const close = (): ReportFile => {
    const texts: string[] = []
    for (let size = 0; held.length > 0 && size < fileCharacters; size += texts.at(-1)!.length) texts.push(held.shift()!)
    for (const { length } of texts) characters -= length
    const hash = createHash('sha256').update(texts.join(',')).digest('hex').slice(0, 16)
    const file = `report-episodes-${String(files.length + 1).padStart(4, '0')}.js`
    files.push({ file, hash, chunks: texts.length })
    return { file, text: scriptOf(hash, texts) }
  }
  for (const chunk of chunks) {
    counts.push(chunk.episodes)
    held.push(chunk.text)
    characters += chunk.text.length
    inFiles ||= characters > max.characters
    while (inFiles && characters >= fileCharacters) yield close()
  }
  if (!inFiles) return { episodes: counts, inline: held }
  if (held.length > 0) yield close()
  return { episodes: counts, inline: [], files }
}

/** Whether a file name is one that {@link placeChunks} makes. */
export function isSideFile(file: string): boolean {
  return /^report-episodes-\d{4,}\.js$/.test(file)
}

/** A script that passes its texts to the page. They are base64, so that no text of an episode can run. */
function scriptOf(hash: string, texts: readonly string[]): string {
  return `shaketableEpisodes(${JSON.stringify(hash)},${JSON.stringify(texts)})\n`
}

/** A longer goal is cut where it names an episode; the prompt has all of it. */
const maxGoal = 500

/** The summaries of a column's perturbations, with their names if there are several. */
function ruleOf({ perturbations }: PlannedColumn): string {
  const rules = perturbations.map(({ name, summary }) => (perturbations.length > 1 ? `${name}: ${summary}` : summary))
  return wellFormed(rules.join('; '))
}

/**
 * Packs the index of the listed episodes.
 * @param chunks the number of episodes in each chunk
 */
export function packIndex(
  plan: Plan,
  episodes: readonly ListedEpisode[],
  chunks: readonly number[],
  files: readonly PackedFile[] | undefined,
): PackedIndex {
  let first = 0
  return {
    environments: plan.environments.map(({ name, tasks }) => ({
      name: wellFormed(name),
      tasks: tasks.map(({ id }) => wellFormed(id)),
      goals: tasks.map(({ goal = '' }) => wellFormed(goal.length > maxGoal ? `${goal.slice(0, maxGoal)}…` : goal)),
      kinds: tasks.map(({ kind = '' }) => wellFormed(kind)),
    })),
    columns: plan.columns.map(({ label }) => wellFormed(label)),
    rules: plan.columns.map(ruleOf),
    clean: plan.columns.findIndex(({ perturbations }) => perturbations.length === 0),
    models: plan.models.map(({ name }) => wellFormed(name)),
    agents: plan.agents.map(({ name }) => wellFormed(name)),
    pairs: pairsOf(plan).map(({ model, agent }) => [plan.models.indexOf(model), plan.agents.indexOf(agent)]),
    temperatures: plan.temperatures,
    seeds: plan.seeds,
    outcomes,
    places: episodes.map(({ place }, index) => place - (episodes[index - 1]?.place ?? -1)),
    keys: episodes.map(({ key }) => key.slice(0, keyDigits)).join(''),
    outcome: episodes.map(({ outcome }) => outcomes.indexOf(outcome)),
    progress: episodes.map(({ progress }) => Math.round(10_000 * progress) / 10_000),
    steps: episodes.map(({ measures }) => measures.steps),
    understood: episodes.map(({ measures }) => measures.understood ?? unknownCount),
    memorised: episodes.map(({ measures }) => measures.memorised ?? unknownCount),
    formatErrors: episodes.map(({ measures }) => measures.formatErrors),
    chunks: chunks.map((count) => (first += count) - count),
    ...(files !== undefined && { files }),
  }
}
