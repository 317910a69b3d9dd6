import type { Step, StoredRun, Trajectory, Trial } from 'shaketable'
import { gzipSync } from 'node:zlib'
import type { PackedEpisode, PackedTrajectory, ShownMessage, ShownStep, ShownTrial } from '../packed.js'
import type { ListedEpisode } from './list-episodes.js'

/** Consecutive episodes as text for the page. */
export interface Chunk {
  /** How many episodes. */
  readonly episodes: number
  /** A {@link PackedChunk} as JSON, gzip and base64. */
  readonly text: string
}

/**
 * A chunk is closed when its JSON is as long as this: small enough to be opened at once, large enough to be compressed
 * well.
 */
const chunkCharacters = 500_000
/** Trajectories are asked for in batches of so many. */
const batchEpisodes = 512

/** Packs episodes with what was said in them, one chunk at a time, holding no more than a batch. */
export function* packChunks(
  episodes: readonly ListedEpisode[],
  trajectories: StoredRun['trajectories'],
): Generator<Chunk, void, undefined> {
  let chunk = openChunk()
  for (let from = 0; from < episodes.length; from += batchEpisodes) {
    const batch = episodes.slice(from, from + batchEpisodes)
    const said = trajectories?.(batch.map(({ key }) => key))
    for (const episode of batch) {
      chunk.add(episode, said?.get(episode.key))
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
    add(episode: ListedEpisode, trajectory: Trajectory | undefined): void {
      const said = trajectory && { ...shown(trajectory), prompt: trajectory.prompt.map(numberOf) }
      const part = JSON.stringify(packEpisode(episode, said))
      parts.push(part)
      characters += part.length
    },
    close(): Chunk {
      const json = `{"messages":[${messages.join(',')}],"episodes":[${parts.join(',')}]}`
      return { episodes: parts.length, text: pack(json) }
    },
  }
}

function packEpisode({ key, error, measures, dose }: ListedEpisode, said: PackedTrajectory | undefined): PackedEpisode {
  const { modelCalls, promptTokens, completionTokens } = measures
  return {
    key,
    calls: { made: modelCalls, promptTokens, completionTokens },
    ...(error !== undefined && { error }),
    ...(dose !== undefined && { changed: dose }),
    ...(said !== undefined && { said }),
  }
}

function shown({ opening, steps, trials }: Trajectory): Omit<PackedTrajectory, 'prompt'> {
  return {
    opening,
    steps: steps.map(showStep),
    ...(trials !== undefined && { trials: trials.map(showTrial) }),
  }
}

/**
 * Leaves out what another play of the same step could have otherwise, which rows of older versions tell: times and
 * attempts.
 */
function showStep(step: Step): ShownStep {
  const { reply, thoughts, action, command, observation, original, progress, understood, memorised, failed } = step
  const { formatError, fault, reasoning, toolCalls, cut } = step
  return {
    action,
    observation,
    progress,
    ...present({
      understood,
      reply,
      thoughts,
      command,
      original,
      memorised,
      failed,
      formatError,
      fault,
      reasoning,
      toolCalls,
      cut,
    }),
  }
}

function showTrial({ from, outcome, progress, reflection }: Trial): ShownTrial {
  if (reflection === undefined) return { from, outcome, progress }
  const { reply, fault } = reflection
  return { from, outcome, progress, reflection: { reply, ...(fault !== undefined && { fault }) } }
}

function present<Given extends object>(given: Given): { [Key in keyof Given]?: Exclude<Given[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as typeof given
}

/** Text as gzip in base64, which has no character that means anything in a page. */
export function pack(text: string): string {
  return gzipSync(text).toString('base64')
}
