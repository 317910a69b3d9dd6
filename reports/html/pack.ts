import { gzipSync } from 'node:zlib'
import type { EpisodeRow, Plan, PlannedCondition, StoredRun, Trajectory } from '../../src/define.js'
import type { PackedIndex, ShownEpisode, ShownStep } from './packed.js'
import { shownOfStep } from './packed.js'

/** The episodes of a page. */
interface PackedEpisodes {
  /** Consecutive episodes, and how many: each text is a {@link PackedChunk}, see {@link pack}. */
  readonly chunks: readonly { readonly episodes: number; readonly text: string }[]
  /** How many have their trajectory: the first ones, where there is not room for all. */
  readonly withTrajectory: number
}

/** Trajectories are read in batches of this size. */
const batchEpisodes = 512
/** A chunk is closed at this length of its trajectories as JSON. */
const chunkCharacters = 4_000_000
/** Room for all chunks in a page, in characters; trajectories of later episodes are left out. */
const maxCharacters = 24_000_000

/** Packs episodes with their trajectories. */
export function packEpisodes(
  episodes: readonly EpisodeRow[],
  { trajectories }: Pick<StoredRun, 'trajectories'>,
  max = maxCharacters,
): PackedEpisodes {
  const chunks: { episodes: number; text: string }[] = []
  let packed = 0
  let withTrajectory = 0
  for (let from = 0; from < episodes.length; from += batchEpisodes) {
    const batch = episodes.slice(from, from + batchEpisodes)
    const read = packed < max ? trajectories?.(batch.map(({ key }) => key)) : undefined
    let messages = new Map<string, number>()
    let waiting: ShownEpisode<number>[] = []
    let characters = 0
    batch.forEach((episode, place) => {
      const trajectory = packed < max ? read?.get(episode.key) : undefined
      if (trajectory !== undefined) {
        withTrajectory++
        characters += JSON.stringify(trajectory).length
      }
      waiting.push(shownOf(episode, trajectory, messages))
      if (characters < chunkCharacters && place < batch.length - 1) return
      const text = pack(`{"messages":[${[...messages.keys()].join()}],"episodes":${JSON.stringify(waiting)}}`)
      packed += text.length
      chunks.push({ episodes: waiting.length, text })
      messages = new Map()
      waiting = []
      characters = 0
    })
  }
  return { chunks, withTrajectory }
}

/** What the page shows of an episode; its prompt as places among the different messages of its chunk, as JSON. */
function shownOf(
  { error, measures, dose }: EpisodeRow,
  trajectory: Trajectory | undefined,
  messages: Map<string, number>,
): ShownEpisode<number> {
  const { modelCalls: made, promptTokens, completionTokens } = measures
  const shown = { calls: { made, promptTokens, completionTokens }, error, changed: dose }
  if (trajectory === undefined) return shown
  const { prompt, opening, steps, trials } = trajectory
  const { observation, original } = opening
  return {
    ...shown,
    said: {
      prompt: prompt.map(({ role, content }) => {
        const text = JSON.stringify({ role, content })
        if (!messages.has(text)) messages.set(text, messages.size)
        return messages.get(text)!
      }),
      opening: { observation, ...(original !== undefined && { original }) },
      steps: steps.map((step) => Object.fromEntries(shownOfStep.map((field) => [field, step[field]])) as ShownStep),
      trials: trials?.map(({ from, outcome, progress, reflection }) => ({
        ...{ from, outcome, progress },
        reflection: reflection && { reply: reflection.reply, fault: reflection.fault },
      })),
    },
  }
}

/** Text as gzip in base64, which has no special character of HTML. */
export function pack(text: string): string {
  return gzipSync(text, { level: 9 }).toString('base64')
}

/** A longer goal is cut where it names an episode; the prompt has all of it. */
const maxGoal = 500

/** The summaries of a condition's perturbations, with their names if there are several. */
function ruleOf({ perturbations }: PlannedCondition): string {
  return perturbations
    .map(({ name, summary }) => (perturbations.length > 1 ? `${name}: ${summary}` : summary))
    .join('; ')
}

/**
 * Packs the index of the listed episodes.
 * @param chunks the number of episodes in each chunk
 */
export function packIndex(plan: Plan, episodes: readonly EpisodeRow[], chunks: readonly number[]): PackedIndex {
  let first = 0
  return {
    tasks: plan.environments.flatMap(({ name: environment, tasks }) =>
      tasks.map(({ id: task, goal = '', kind = '' }) => ({
        ...{ environment, task, kind },
        goal: goal.length > maxGoal ? `${goal.slice(0, maxGoal)}…` : goal,
      })),
    ),
    conditions: plan.conditions.map((condition) => ({ condition: condition.label, rule: ruleOf(condition) })),
    clean: plan.conditions.find(({ perturbations }) => perturbations.length === 0)?.label ?? '',
    episodes: episodes.map(({ key, environment, task, model, agent, condition, ...row }) => {
      const { temperature, seed, outcome, progress, measures } = row
      const { steps, understood, memorised, formatErrors } = measures
      return {
        ...{ key, environment, task, model, agent, condition, temperature, seed, outcome },
        ...{ progress: Math.round(10_000 * progress) / 10_000, steps, understood, memorised, formatErrors },
      }
    }),
    chunks: chunks.map((count) => (first += count) - count),
  }
}
