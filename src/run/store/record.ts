import type { EpisodeRow, Trajectory } from '../../core/episode.js'
import { hashOf } from '../../core/episode.js'
import type { Message } from '../../core/model.js'
import type { PlayedCell } from '../play-cell.js'

/** An episode as it goes into the store: lines of JSON without their line ends, ready to be sent between threads. */
export interface SealedEpisode {
  readonly row: EpisodeRow
  readonly rowLine: string
  readonly trajectoryLine: string
  /** Messages of the first prompt that this sealer has not sealed before. */
  readonly prompts: readonly SealedPrompt[]
}

/** One message of a prompt, named by a hash of its content. */
export interface SealedPrompt {
  readonly hash: string
  readonly line: string
}

/** A trajectory as stored: the first prompt's messages by hash. */
export interface StoredTrajectory extends Omit<Trajectory, 'prompt'> {
  readonly key: string
  readonly prompt: readonly string[]
}

/** Makes a function that turns played episodes into lines, with each message of a prompt written out only once. */
export function createSealer(): (played: PlayedCell) => SealedEpisode {
  const hashes = new Map<string, string>()
  return ({ row, trajectory }) => {
    const prompts: SealedPrompt[] = []
    const prompt = trajectory.prompt.map((message: Message) => {
      const address = `${message.role} ${message.content}`
      const known = hashes.get(address)
      if (known !== undefined) return known
      const hash = hashOf(message, 20)
      if (hashes.size >= mostHashes) hashes.clear()
      hashes.set(address, hash)
      prompts.push({ hash, line: JSON.stringify({ hash, ...message }) })
      return hash
    })
    const stored: StoredTrajectory = { key: row.key, ...trajectory, prompt }
    return { row, rowLine: JSON.stringify(row), trajectoryLine: JSON.stringify(stored), prompts }
  }
}

/** A trajectory as people read it, its prompt put together again; messages that are missing are left out. */
export function unseal(stored: StoredTrajectory, messageOf: (hash: string) => Message | undefined): Trajectory {
  const { prompt, opening, steps, trials, failedCall } = stored
  return {
    prompt: prompt.flatMap((hash) => {
      const message = messageOf(hash)
      return message === undefined ? [] : [{ role: message.role, content: message.content }]
    }),
    opening,
    steps,
    ...(trials && { trials }),
    ...(failedCall && { failedCall }),
  }
}

/** The memory stays bounded; a message that is sealed twice is still stored once, as the store looks too. */
const mostHashes = 20_000
