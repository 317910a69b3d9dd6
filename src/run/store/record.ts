import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { type Trajectory, hashOf } from '../../core/episode.js'
import type { EpisodeRow } from '../../results/episode-row.js'
import { jsonLine } from '../../files/json.js'
import { measure } from '../../play/measure.js'
import type { Message } from '../../core/model.js'
import type { Played } from '../../play/play.js'
import { maxLineBytes } from '../../files/lines.js'
import { readRow } from './rows.js'

/** A played episode: its row for reports, and its trajectory for people. */
export interface PlayedCell {
  readonly row: EpisodeRow
  readonly trajectory: Trajectory
}

/** An episode as lines of JSON without line ends, ready to be stored or sent between threads. */
export interface SealedEpisode {
  readonly row: EpisodeRow
  readonly rowLine: string
  /** Empty if it is unknown, as in a merged run whose line cannot be read. */
  readonly trajectoryLine: string
  /** Number of attempted calls, which is not part of the row; absent if they are not recorded. */
  readonly attempts?: number
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
  readonly prompt: readonly string[]
}

/** The outcome of an episode that cannot be played to an end, or cannot be stored. */
export function broken(error: string): Played {
  return {
    result: { outcome: 'environment-error', progress: 0, measures: measure([]), error },
    trajectory: { prompt: [], opening: { observation: '' }, steps: [] },
  }
}

/** Serialises a played episode. One with a line that could not be read again becomes an environment error. */
export function sealEpisode(played: PlayedCell): SealedEpisode {
  const sealed = seal(played)
  const { rowLine, trajectoryLine, prompts } = sealed
  if ([rowLine, trajectoryLine, ...prompts.map(({ line }) => line)].every(isReadable)) return sealed
  const { result, trajectory } = broken(
    `A line of this episode would have more than ${String(maxLineBytes >> 20)} MiB, which cannot be read again. The texts of its environment, perturbation or agent are too long; make them shorter.`,
  )
  const { key, environment, task, condition, model, agent, temperature, seed, date } = played.row
  const names = { key, environment, task, condition, model, agent, temperature, seed, ...(date && { date }) }
  return seal({ row: { ...names, ...result }, trajectory })
}

function seal({ row, trajectory }: PlayedCell): SealedEpisode {
  const prompts = trajectory.prompt.map((message): SealedPrompt => {
    const hash = hashOf(message, 20)
    return { hash, line: jsonLine({ hash, ...message }) }
  })
  const prompt = prompts.map(({ hash }) => hash)
  const trajectoryLine = jsonLine({ key: row.key, ...trajectory, prompt } satisfies StoredTrajectory)
  return { ...sealRow(row), trajectoryLine, prompts }
}

/** An episode without its trajectory. */
export function sealRow(played: EpisodeRow): SealedEpisode {
  const { attempts, ...measures } = played.measures
  const row = { ...played, measures }
  const sealed = { row, rowLine: jsonLine(row), trajectoryLine: '', prompts: [] }
  return { ...sealed, ...(attempts !== undefined && { attempts }) }
}

/** Whether a line is short enough for its file. Most are far below, and their bytes need not be counted. */
function isReadable(line: string): boolean {
  return line.length * 3 <= maxLineBytes || Buffer.byteLength(line) <= maxLineBytes
}

/** Restores a stored trajectory with its prompt; missing messages are left out. */
export function unseal(stored: StoredTrajectory, messages: ReadonlyMap<string, Message>): Trajectory {
  const { opening, steps, trials, failedCall } = stored
  const prompt = stored.prompt.flatMap((hash) => {
    const { role, content } = messages.get(hash) ?? {}
    return role === undefined || content === undefined ? [] : [{ role, content }]
  })
  return { prompt, opening, steps, ...(trials && { trials }), ...(failedCall && { failedCall }) }
}

/** Packs an episode into a text, to be sent to another machine. */
export async function packEpisode(episode: SentEpisode): Promise<string> {
  return (await promisify(deflateRaw)(JSON.stringify(episode), { level: 1 })).toString('base64')
}

/** Bytes of an episode, before they are compressed. */
const maxOutputLength = 256 << 20

/**
 * Unpacks the episode with a key, sealed anew: what a worker sent as one line may be several.
 * @throws Error for anything that is not this episode
 */
export async function unpackEpisode(packed: unknown, key: string): Promise<SealedEpisode> {
  const bytes = await promisify(inflateRaw)(Buffer.from(String(packed), 'base64'), { maxOutputLength })
  const { rowLine, trajectoryLine, prompts, attempts } = JSON.parse(bytes.toString('utf8')) as SentEpisode
  const row = readRow(rowLine)
  if (row?.key !== key) throw new Error('a worker sent another episode')
  const messages = new Map(prompts.map(({ hash, line }) => [hash, JSON.parse(line) as Message]))
  const trajectory = unseal(JSON.parse(trajectoryLine) as StoredTrajectory, messages)
  const measures = { ...row.measures, ...(attempts !== undefined && { attempts }) }
  return sealEpisode({ row: { ...row, measures }, trajectory })
}
