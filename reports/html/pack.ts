import { gzipSync } from 'node:zlib'
import type { EpisodeRow, Plan, PlannedCondition, StoredRun, Trajectory } from '../../src/define.js'
import type { PackedEpisode, PackedIndex } from './packed.js'
import { shownOfStep } from './packed.js'
import { wellFormed } from './visible.js'

/** Consecutive episodes as text for the page. */
interface Chunk {
  /** How many episodes. */
  readonly episodes: number
  /** A {@link PackedChunk} as JSON, gzip and base64. */
  readonly text: string
}

/** The episodes of a page. */
interface PackedEpisodes {
  readonly chunks: readonly Chunk[]
  /** How many have their trajectory: the first ones, where there is not room for all. */
  readonly withTrajectory: number
}

/** Trajectories are read in batches of this size. */
const batchEpisodes = 512
/** A chunk is closed at this length of its trajectories as JSON, before what they share is written once. */
const chunkCharacters = 4_000_000
/** Room for all chunks in a page, in characters; trajectories of later episodes are left out. */
const maxCharacters = 24_000_000

/** Packs episodes with their trajectories. */
export function packEpisodes(
  episodes: readonly EpisodeRow[],
  { trajectories }: Pick<StoredRun, 'trajectories'>,
  max = maxCharacters,
): PackedEpisodes {
  const chunks: Chunk[] = []
  let packed = 0
  let withTrajectory = 0
  for (let from = 0; from < episodes.length; from += batchEpisodes) {
    const batch = episodes.slice(from, from + batchEpisodes)
    const read = packed < max ? trajectories?.(batch.map(({ key }) => key)) : undefined
    let waiting: Said[] = []
    let characters = 0
    batch.forEach((episode, place) => {
      const trajectory = packed < max ? read?.get(episode.key) : undefined
      if (trajectory !== undefined) withTrajectory++
      waiting.push({ episode, trajectory })
      characters += trajectory === undefined ? 0 : JSON.stringify(trajectory).length
      if (characters < chunkCharacters && place < batch.length - 1) return
      const text = packChunk(waiting)
      packed += text.length
      chunks.push({ episodes: waiting.length, text })
      waiting = []
      characters = 0
    })
  }
  return { chunks, withTrajectory }
}

/** An episode with its trajectory. */
interface Said {
  readonly episode: EpisodeRow
  readonly trajectory: Trajectory | undefined
}

function packChunk(some: readonly Said[]): string {
  const [messages, openings, steps] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  /** The index of a value in a list of different ones, as JSON. */
  const indexIn = (list: Map<string, number>, value: unknown): number => {
    const text = JSON.stringify(value)
    if (!list.has(text)) list.set(text, list.size)
    return list.get(text)!
  }
  const episodes = some.map(({ episode: { error, measures, dose }, trajectory }): PackedEpisode => {
    const { modelCalls: made, promptTokens, completionTokens } = measures
    const shown = { calls: { made, promptTokens, completionTokens }, error, changed: dose }
    if (trajectory === undefined) return shown
    const { prompt, opening, steps: played, trials } = trajectory
    return {
      ...shown,
      said: {
        prompt: prompt.map(({ role, content }) => indexIn(messages, { role, content })),
        opening: indexIn(openings, { observation: opening.observation, original: opening.original }),
        steps: played.map((step) =>
          indexIn(steps, Object.fromEntries(shownOfStep.map((field) => [field, step[field]]))),
        ),
        trials: trials?.map(({ from, outcome, progress, reflection }) => ({
          ...{ from, outcome, progress },
          reflection: reflection && { reply: reflection.reply, fault: reflection.fault },
        })),
      },
    }
  })
  const lists = Object.entries({ messages, openings, steps }).map(
    ([name, texts]) => `"${name}":[${[...texts.keys()].join(',')}]`,
  )
  return pack(`{${lists.join(',')},"episodes":${JSON.stringify(episodes)}}`)
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
    tasks: plan.environments.flatMap(({ name, tasks }) =>
      tasks.map(({ id, goal = '', kind = '' }) => ({
        environment: wellFormed(name),
        task: wellFormed(id),
        goal: wellFormed(goal.length > maxGoal ? `${goal.slice(0, maxGoal)}…` : goal),
        kind: wellFormed(kind),
      })),
    ),
    conditions: plan.conditions.map((condition) => ({
      condition: wellFormed(condition.label),
      rule: wellFormed(ruleOf(condition)),
    })),
    clean: wellFormed(plan.conditions.find(({ perturbations }) => perturbations.length === 0)?.label ?? ''),
    episodes: episodes.map(({ key, outcome, progress, temperature, seed, ...row }) => {
      const { steps, understood, memorised, formatErrors } = row.measures
      const [environment, task, model] = [row.environment, row.task, row.model].map(wellFormed) as [
        string,
        string,
        string,
      ]
      return {
        ...{ key, environment, task, model, agent: wellFormed(row.agent), condition: wellFormed(row.condition) },
        ...{ temperature, seed, outcome, progress: Math.round(10_000 * progress) / 10_000 },
        ...{ steps, understood, memorised, formatErrors },
      }
    }),
    chunks: chunks.map((count) => (first += count) - count),
  }
}
