import type { EpisodeRow, Reflection, Step, Trajectory } from '../../core/episode.js'
import { hashOf } from '../../core/episode.js'
import type { Attempt, Message } from '../../core/model.js'

/** A played episode: its row for reports, and its trajectory for people. */
export interface PlayedCell {
  readonly row: EpisodeRow
  readonly trajectory: Trajectory
}

/** An episode as it goes into the store: lines of JSON without their line ends, ready to be sent between threads. */
export interface SealedEpisode {
  readonly row: EpisodeRow
  readonly rowLine: string
  readonly trajectoryLine: string
  /** How its replies were got; absent where nothing is known of that. */
  readonly attemptsLine?: string
  /** Calls that were tried; absent where they are not recorded. */
  readonly attempts?: number
  /** Messages of the first prompt that this sealer has not sealed before. */
  readonly prompts: readonly SealedPrompt[]
}

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

/** How one reply was got. */
type Getting = Pick<Step, 'attempts' | 'milliseconds'>

/**
 * How the replies of an episode were got. It is kept apart from the row and the trajectory, so that these are equal to
 * the byte whether or not calls had to be tried again.
 */
export interface EpisodeCalls {
  /** One for each step of the trajectory. */
  readonly steps: readonly Getting[]
  /** One for each trial, where there are several. */
  readonly reflections?: readonly Getting[]
  /** The attempts of the call that ended the episode without a reply. */
  readonly failedCall?: readonly Attempt[]
}

/** A line of attempts.jsonl. */
export interface StoredCalls extends EpisodeCalls {
  readonly key: string
}

/** Parts a trajectory from how its replies were got. */
function partCalls({ failedCall, ...whole }: Trajectory): { readonly said: Trajectory; readonly calls: EpisodeCalls } {
  const steps = whole.steps.map(partGetting)
  const reflections = whole.trials?.map(({ reflection }) => reflection && partGetting(reflection))
  const trials = whole.trials?.map((trial, index) =>
    reflections![index] === undefined ? trial : { ...trial, reflection: reflections![index]!.said },
  )
  return {
    said: { ...whole, steps: steps.map(({ said }) => said), ...(trials && { trials }) },
    calls: {
      steps: steps.map(({ got }) => got),
      ...(reflections?.some(Boolean) && { reflections: reflections.map((one) => one?.got ?? {}) }),
      ...(failedCall && { failedCall }),
    },
  }
}

function partGetting<Replied extends Step | Reflection>({ attempts, milliseconds, ...said }: Replied) {
  const got: Getting = { ...(attempts && { attempts }), ...(milliseconds !== undefined && { milliseconds }) }
  return { said: said as unknown as Replied, got }
}

/** A trajectory with how its replies were got; one of an older version has that already. */
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

/** Calls that were tried for an episode. */
export function countAttempts({ steps, reflections = [], failedCall = [] }: EpisodeCalls): number {
  return [...steps, ...reflections].reduce((sum, { attempts = [] }) => sum + attempts.length, failedCall.length)
}

function isKnown({ steps, reflections = [], failedCall }: EpisodeCalls): boolean {
  return failedCall !== undefined || [...steps, ...reflections].some((got) => Object.keys(got).length > 0)
}

/** Makes a function that turns played episodes into lines, with each message of a prompt written out only once. */
export function createSealer(): (played: PlayedCell) => SealedEpisode {
  const hashes = new Map<string, string>()
  return ({ row: played, trajectory }) => {
    const { said, calls } = partCalls(trajectory)
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
      prompts.push({ hash, line: JSON.stringify({ hash, ...message }) })
      return hash
    })
    const stored: StoredTrajectory = { key: row.key, ...said, prompt }
    return {
      row,
      rowLine: JSON.stringify(row),
      trajectoryLine: JSON.stringify(stored),
      prompts,
      ...(isKnown(calls) && { attemptsLine: JSON.stringify({ key: row.key, ...calls } satisfies StoredCalls) }),
      ...(attempts !== undefined && { attempts }),
    }
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
const maxHashes = 20_000
