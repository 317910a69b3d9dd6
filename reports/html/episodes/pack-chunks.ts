import type { StoredRun, Trajectory } from 'shaketable'
import { gzipSync } from 'node:zlib'
import type { PackedEpisode, PackedTrajectory, ShownMessage } from '../packed.js'
import type { ListedEpisode } from './list-episodes.js'

/** Consecutive episodes as text for the page. */
export interface Chunk {
  /** How many episodes. */
  readonly episodes: number
  /** A {@link PackedChunk} as JSON, gzip and base64. */
  readonly text: string
}

/** A chunk is closed when its JSON is as long as this: small enough to be opened at once, large enough to be compressed well. */
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
  const messages = new Map<string, number>()
  const parts: string[] = []
  let characters = 0
  const numberOf = ({ role, content }: ShownMessage): number => {
    const message = JSON.stringify({ role, content })
    const known = messages.get(message)
    if (known !== undefined) return known
    messages.set(message, messages.size)
    characters += message.length
    return messages.size - 1
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
      const json = `{"messages":[${[...messages.keys()].join(',')}],"episodes":[${parts.join(',')}]}`
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

function shown({ opening, steps, failedCall }: Trajectory): Omit<PackedTrajectory, 'prompt'> {
  return { opening, steps, ...(failedCall !== undefined && { failedCall }) }
}

/** Text as gzip in base64, which has no character that means anything in a page. */
export function pack(text: string): string {
  return gzipSync(text).toString('base64')
}
