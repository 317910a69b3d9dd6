import { gzipSync } from 'node:zlib'
import type { Plan, PlannedColumn, StoredRun, Trajectory, Trial } from '../../src/define.js'
import { pairsOf } from '../../src/define.js'
import type { ListedEpisode } from './list-episodes.js'
import type { PackedEpisode, PackedIndex, ShownTrial } from './packed.js'
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

/** A chunk is closed when its JSON reaches this length: small enough to open quickly, large enough to compress well. */
const chunkCharacters = 500_000
/** Trajectories are read in batches of this size. */
const batchEpisodes = 512
/** Room for all chunks in a page, in characters; trajectories of later episodes are left out. */
const maxCharacters = 24_000_000

/** Packs episodes with their trajectories; at most one batch is in memory. */
export function packEpisodes(
  episodes: readonly ListedEpisode[],
  { trajectories }: Pick<StoredRun, 'trajectories'>,
  max = maxCharacters,
): PackedEpisodes {
  const chunks: Chunk[] = []
  let packed = 0
  let withTrajectory = 0
  let chunk = openChunk()
  const close = (): void => {
    const closed = chunk.close()
    chunks.push(closed)
    packed += closed.text.length
    chunk = openChunk()
  }
  for (let from = 0; from < episodes.length; from += batchEpisodes) {
    const batch = episodes.slice(from, from + batchEpisodes)
    const read = packed < max ? trajectories?.(batch.map(({ key }) => key)) : undefined
    for (const episode of batch) {
      const trajectory = packed < max ? read?.get(episode.key) : undefined
      if (trajectory !== undefined) withTrajectory++
      chunk.add(episode, trajectory)
      if (chunk.characters() >= chunkCharacters) close()
    }
  }
  if (chunk.characters() > 0) close()
  return { chunks, withTrajectory }
}

function openChunk() {
  const [messages, openings, steps] = [createShared(), createShared(), createShared()]
  const episodes: string[] = []
  let characters = 0
  const pointTo = ({ prompt, opening, steps: played, trials }: Trajectory): NonNullable<PackedEpisode['said']> => ({
    prompt: prompt.map(({ role, content }) => messages.indexOf({ role, content })),
    opening: openings.indexOf({ observation: opening.observation, original: opening.original }),
    steps: played.map((step) => steps.indexOf(Object.fromEntries(shownOfStep.map((field) => [field, step[field]])))),
    trials: trials?.map(shownTrial),
  })
  return {
    characters: () => characters + messages.characters() + openings.characters() + steps.characters(),
    add({ error, measures, dose }: ListedEpisode, trajectory: Trajectory | undefined): void {
      const { modelCalls, promptTokens, completionTokens } = measures
      const calls = { made: modelCalls, promptTokens, completionTokens }
      const episode: PackedEpisode = {
        ...{ calls, error, changed: dose },
        ...(trajectory && { said: pointTo(trajectory) }),
      }
      const text = JSON.stringify(episode)
      episodes.push(text)
      characters += text.length
    },
    close(): Chunk {
      const lists = { messages: messages.texts, openings: openings.texts, steps: steps.texts, episodes }
      const fields = Object.entries(lists).map(([name, texts]) => `"${name}":[${texts.join(',')}]`)
      return { episodes: episodes.length, text: pack(`{${fields.join(',')}}`) }
    },
  }
}

/** A list of different values as JSON. */
function createShared() {
  const indexes = new Map<string, number>()
  let characters = 0
  return {
    get texts(): readonly string[] {
      return [...indexes.keys()]
    },
    characters: () => characters,
    /** The index of a value, which is added to the list if it is new. */
    indexOf(value: unknown): number {
      const text = JSON.stringify(value)
      const known = indexes.get(text)
      if (known !== undefined) return known
      characters += text.length
      indexes.set(text, indexes.size)
      return indexes.size - 1
    },
  }
}

function shownTrial({ from, outcome, progress, reflection }: Trial): ShownTrial {
  return { from, outcome, progress, reflection: reflection && { reply: reflection.reply, fault: reflection.fault } }
}

/** Text as gzip in base64, which has no special character of HTML. */
export function pack(text: string): string {
  return gzipSync(text, { level: 9 }).toString('base64')
}

/** A longer goal is cut where it names an episode; the prompt has all of it. */
const maxGoal = 500

/** The summaries of a column's perturbations, with their names if there are several. */
function ruleOf({ perturbations }: PlannedColumn): string {
  return perturbations
    .map(({ name, summary }) => (perturbations.length > 1 ? `${name}: ${summary}` : summary))
    .join('; ')
}

/**
 * Packs the index of the listed episodes.
 * @param chunks the number of episodes in each chunk
 */
export function packIndex(plan: Plan, episodes: readonly ListedEpisode[], chunks: readonly number[]): PackedIndex {
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
    columns: plan.columns.map((column) => ({ column: wellFormed(column.label), rule: wellFormed(ruleOf(column)) })),
    clean: plan.columns.findIndex(({ perturbations }) => perturbations.length === 0),
    pairs: pairsOf(plan).map(({ model, agent }) => ({ model: wellFormed(model.name), agent: wellFormed(agent.name) })),
    temperatures: plan.temperatures,
    seeds: plan.seeds,
    episodes: episodes.map(
      ({ key, outcome, progress, at, measures: { steps, understood, memorised, formatErrors } }) => ({
        ...{ key, outcome, progress: Math.round(10_000 * progress) / 10_000, at },
        ...{ steps, understood, memorised, formatErrors },
      }),
    ),
    chunks: chunks.map((count) => (first += count) - count),
  }
}
