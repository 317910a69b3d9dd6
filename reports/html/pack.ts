import { gzipSync } from 'node:zlib'
import type { EpisodeRow, Plan, PlannedCondition, StoredRun } from '../../src/define.js'
import { defined } from '../../src/results/lists.js'
import { type PackedIndex, type ShownEpisode, shownFields } from './packed.js'

/** The episodes of a page. */
interface PackedEpisodes {
  /** Consecutive episodes, and how many: each text is a {@link PackedChunk}, see {@link pack}. */
  readonly chunks: readonly { readonly episodes: number; readonly text: string }[]
  /** How many have their trajectory: the first ones, where there is not room for all. */
  readonly withTrajectory: number
}

/** Trajectories are read in batches of this size. */
const batchEpisodes = 512
/** A chunk is closed at this length of its JSON. */
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
    let prompts: number[][] = []
    let waiting: string[] = []
    let characters = 0
    batch.forEach(({ key, error, measures: calls, dose: changed }, place) => {
      const said = packed < max ? read?.get(key) : undefined
      if (said !== undefined) withTrajectory++
      const prompt = (said?.prompt ?? []).map((message) => JSON.stringify(message, shownFields))
      for (const message of prompt) if (!messages.has(message)) messages.set(message, messages.size)
      prompts.push(prompt.map((message) => messages.get(message)!))
      const shown: ShownEpisode = { error, calls, changed, said: said && { ...said, prompt: [] } }
      const json = JSON.stringify(shown, shownFields)
      waiting.push(json)
      characters += json.length
      if (characters < chunkCharacters && place < batch.length - 1) return
      const parts = `"messages":[${[...messages.keys()].join()}],"prompts":${JSON.stringify(prompts)}`
      const text = pack(`{${parts},"episodes":[${waiting.join()}]}`)
      packed += text.length
      chunks.push({ episodes: waiting.length, text })
      messages = new Map()
      prompts = []
      waiting = []
      characters = 0
    })
  }
  return { chunks, withTrajectory }
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
        ...{ progress: Math.round(10_000 * progress) / 10_000, steps, formatErrors },
        ...defined({ understood, memorised }),
      }
    }),
    chunks: chunks.map((count) => (first += count) - count),
  }
}
