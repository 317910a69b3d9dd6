import { crc32 } from 'node:zlib'
import type { EpisodeRow, Reflection, Step, Trajectory } from '../../core/episode.js'
import { hashOf, jsonLine } from '../../core/episode.js'
import { measure } from '../../play/measure.js'
import type { Attempt, Message } from '../../core/model.js'
import type { Played } from '../../play/play.js'
import { checksumBytes } from '../../files/checksum.js'
import { maxLineBytes } from '../../files/lines.js'

/** A played episode: its row for reports, and its trajectory for people. */
export interface PlayedCell {
  readonly row: EpisodeRow
  readonly trajectory: Trajectory
}

/** An episode as lines of JSON without line ends, ready to be stored or sent between threads. */
export interface SealedEpisode {
  readonly row: EpisodeRow
  readonly rowLine: string
  /** Empty if it is unknown, as where the file of a merged run was removed. */
  readonly trajectoryLine: string
  /** The record of its calls; absent if it is empty. */
  readonly attemptsLine?: string
  /** Number of attempted calls; absent if they are not recorded. */
  readonly attempts?: number
  /** Messages of the first prompt that this sealer has not written before. */
  readonly prompts: readonly SealedPrompt[]
}

/** An episode as it is sent between machines. */
export type SentEpisode = Omit<SealedEpisode, 'row'>

/** One message of a prompt, named by a hash of its content. */
interface SealedPrompt {
  readonly hash: string
  readonly line: string
}

/** A trajectory as stored: the first prompt's messages by hash. */
export interface StoredTrajectory extends Omit<Trajectory, 'prompt'> {
  readonly key: string
  /** The CRC-32 of the episode's row, by which an edited row is noticed. Absent in those of older versions. */
  readonly rowCrc?: string
  readonly prompt: readonly string[]
}

/** The calls of one reply. */
type ReplyCalls = Pick<Step, 'attempts' | 'milliseconds'>

/**
 * The calls of an episode. They are stored apart from the row and the trajectory, whose bytes therefore do not depend
 * on retries.
 */
export interface EpisodeCalls {
  /** One entry per step of the trajectory. */
  readonly steps: readonly ReplyCalls[]
  /** One entry per trial, if there are several. */
  readonly reflections?: readonly ReplyCalls[]
  /** The attempts of the call that ended the episode without a reply. */
  readonly failedCall?: readonly Attempt[]
}

/** A line of attempts.jsonl. */
export interface StoredCalls extends EpisodeCalls {
  readonly key: string
}

/** Separates a trajectory from its calls. */
function separateCalls({ failedCall, ...whole }: Trajectory) {
  const steps = whole.steps.map(separateReply)
  const reflections = whole.trials?.map(({ reflection }) => reflection && separateReply(reflection))
  const trials = whole.trials?.map((trial, index) =>
    reflections![index] === undefined ? trial : { ...trial, reflection: reflections![index]!.reply },
  )
  return {
    content: { ...whole, steps: steps.map(({ reply }) => reply), ...(trials && { trials }) },
    calls: {
      steps: steps.map(({ calls }) => calls),
      ...(reflections?.some(Boolean) && { reflections: reflections.map((one) => one?.calls ?? {}) }),
      ...(failedCall && { failedCall }),
    } satisfies EpisodeCalls,
  }
}

function separateReply<Replied extends Step | Reflection>({ attempts, milliseconds, ...reply }: Replied) {
  const calls: ReplyCalls = { ...(attempts && { attempts }), ...(milliseconds !== undefined && { milliseconds }) }
  return { reply: reply as unknown as Replied, calls }
}

/** Adds the calls to a trajectory. One of an older version has them already. */
export function joinCalls(trajectory: Trajectory, calls: EpisodeCalls | undefined): Trajectory {
  if (calls === undefined) return trajectory
  const { steps, trials } = trajectory
  const { reflections = [], failedCall } = calls
  return {
    ...trajectory,
    steps: steps.map((step, index) => ({ ...calls.steps[index], ...step })),
    ...(trials && {
      trials: trials.map((trial, index) =>
        trial.reflection ? { ...trial, reflection: { ...reflections[index], ...trial.reflection } } : trial,
      ),
    }),
    ...(failedCall && { failedCall }),
  }
}

/** Number of attempted calls of an episode. */
export function countAttempts({ steps, reflections = [], failedCall = [] }: EpisodeCalls): number {
  return [...steps, ...reflections].reduce((sum, { attempts = [] }) => sum + attempts.length, failedCall.length)
}

function hasCalls({ steps, reflections = [], failedCall }: EpisodeCalls): boolean {
  return failedCall !== undefined || [...steps, ...reflections].some((calls) => Object.keys(calls).length > 0)
}

/** The outcome of an episode that cannot be played to an end, or cannot be stored. */
export function broken(error: string): Played {
  return {
    result: { outcome: 'environment-error', progress: 0, measures: measure([]), error },
    trajectory: { prompt: [], opening: { observation: '' }, steps: [] },
  }
}

/**
 * Creates a function that serialises played episodes, with each message of a prompt only once. An episode with a line
 * that could not be read again becomes an environment error.
 */
export function createSealer(): (played: PlayedCell) => SealedEpisode {
  const hashes = new Map<string, string>()
  const sealAny = sealerOf(hashes)
  return (played) => {
    const sealed = sealAny(played)
    const { rowLine, trajectoryLine, attemptsLine = '', prompts } = sealed
    const lines = [rowLine, trajectoryLine, attemptsLine, ...prompts.map(({ line }) => line)]
    const longest = lines.reduce((most, line) => Math.max(most, bytesOf(line)), 0)
    if (longest <= maxLineBytes) return sealed
    // Its messages are not stored, so the next episode with them must bring them.
    hashes.clear()
    const { result, trajectory } = broken(
      `A line of this episode would have ${megabytes(longest)} MiB, and at most ${megabytes(maxLineBytes)} MiB can be read again. The texts of its environment, perturbation or agent are too long; make them shorter.`,
    )
    const { key, environment, task, column, model, agent, temperature, seed, date } = played.row
    const names = { key, environment, task, column, model, agent, temperature, seed, ...(date && { date }) }
    return sealAny({ row: { ...names, ...result }, trajectory })
  }
}

const megabytes = (bytes: number): string => Math.ceil(bytes / 2 ** 20).toLocaleString('en')

/** Bytes of a line in its file. */
function bytesOf(line: string): number {
  // Most are far below, and need not be counted.
  return line.length * 3 < maxLineBytes / 2 ? 0 : Buffer.byteLength(line) + checksumBytes + 1
}

function sealerOf(hashes: Map<string, string>): (played: PlayedCell) => SealedEpisode {
  return ({ row: played, trajectory }) => {
    const { content, calls } = separateCalls(trajectory)
    const { attempts, ...measures } = played.measures
    const row = { ...played, measures }
    const prompts: SealedPrompt[] = []
    const prompt = trajectory.prompt.map((message: Message) => {
      const address = `${message.role} ${message.content}`
      const known = hashes.get(address)
      if (known !== undefined) return known
      const hash = hashOf(message, 20)
      if (hashes.size >= maxHashes) hashes.clear()
      hashes.set(address, hash)
      prompts.push({ hash, line: jsonLine({ hash, ...message }) })
      return hash
    })
    const rowLine = jsonLine(row)
    const stored: StoredTrajectory = { key: row.key, rowCrc: crcOf(rowLine), ...content, prompt }
    return {
      row,
      rowLine,
      trajectoryLine: jsonLine(stored),
      prompts,
      ...(hasCalls(calls) && { attemptsLine: jsonLine({ key: row.key, ...calls } satisfies StoredCalls) }),
      ...(attempts !== undefined && { attempts }),
    }
  }
}

/** The CRC-32 of a line, 8 hexadecimal digits. */
export function crcOf(line: string): string {
  return crc32(line).toString(16).padStart(8, '0')
}

/** Restores a stored trajectory with its prompt; missing messages are left out. */
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

/** Bounds memory. A message that is sealed twice is still stored once, since the store checks too. */
const maxHashes = 20_000
