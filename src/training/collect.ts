import type { Agent } from '../core/agent.js'
import type { Task } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import type { Model } from '../core/model.js'
import { perturb } from '../core/perturb.js'
import type { AppliedPerturbation } from '../core/perturbation.js'
import { play } from '../play/play.js'
import { createRandom } from '../core/random.js'
import type { TrainingRow } from './data-filter.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { createFallible } from './fallible.js'
import { type MistakeKind, mistakeKinds } from './mistake.js'
import { layTurns } from './training-turns.js'
import { varyWording } from './vary-wording.js'

/** Where episodes are collected. */
interface Source {
  readonly environment: OpenedEnvironment
  /** Played in order, then again with the next seed. */
  readonly tasks: readonly Task[]
  /** What the environment is perturbed with; episodes take these conditions in turn. Absent: nothing. */
  readonly conditions?: readonly { readonly label: string; readonly applied: readonly AppliedPerturbation[] }[]
}

/** Options of {@link collectInTurn}. */
export interface CollectInTurnOptions {
  /** Trajectories to keep in total; if absent, every task is played once. */
  readonly count?: number
  readonly policy: Model
  readonly agent: Agent
  /** Seed of the first round of tasks; each further round takes the next. */
  readonly seed: number
  /** Probability of a mistake before each right action, 0 to 1. */
  readonly errors: number
  readonly varyWording: boolean
  readonly temperature: number
  readonly stepLimit: number
  /** Also keep episodes that did not succeed. */
  readonly failures: boolean
  readonly signal?: AbortSignal
}

/** A collected episode. */
export interface Collected {
  readonly task: Task
  readonly seed: number
  readonly succeeded: boolean
  /** Absent if the episode is not kept. */
  readonly row?: TrainingRow
  readonly mistakes: readonly MistakeKind[]
}

/** The step limit: this many steps always fit into the history that agents show. */
export const maxSteps = 48

/** Maximum episodes per requested trajectory; beyond it collecting stops because the policy rarely succeeds. */
const maxPlaysEach = 10

/**
 * Plays episodes of several environments in turn until enough trajectories are kept or every task was played. Equal
 * options give equal trajectories.
 */
export async function* collectInTurn(
  sources: readonly Source[],
  { count, ...options }: CollectInTurnOptions,
): AsyncGenerator<Collected, void, undefined> {
  let left = sources.map((source) => ({ ...source, plays: 0 }))
  let [played, kept] = [0, 0]
  const maxPlays = count === undefined ? Infinity : maxPlaysEach * count + 100
  while (left.length > 0) {
    for (const source of left) {
      if (kept >= (count ?? Infinity) || played >= maxPlays) return
      options.signal?.throwIfAborted()
      const collected = await collectOne(options, source, source.plays++)
      played++
      if (collected.row !== undefined) kept++
      yield collected
    }
    if (count === undefined) left = left.filter(({ plays, tasks }) => plays < tasks.length)
  }
}

async function collectOne(
  options: Omit<CollectInTurnOptions, 'count'>,
  { environment, tasks, conditions = [{ label: 'none', applied: [] }] }: Source,
  number: number,
): Promise<Collected> {
  const { policy, agent, errors, stepLimit, temperature, signal } = options
  const round = Math.floor(number / tasks.length)
  const task = tasks[number % tasks.length]!
  // Every round of tasks begins with another condition, so that each task meets all of them.
  const { label, applied } = conditions[(number + round) % conditions.length]!
  const perturbed = perturb(environment, [...applied, ...(options.varyWording ? [{ perturbation: varyWording }] : [])])
  const seed = options.seed + round
  const { normalise } = environment
  const random = createRandom(canonicalJson([environment.name, task.id, seed]))
  const begun = await perturbed.begin(task, random)
  const fallible = createFallible({ policy, world: begun, agent, share: errors, random: random.fork('mistakes') })
  const { result, trajectory } = await play({
    world: fallible.world,
    model: fallible.model,
    agent,
    ...(normalise && { normalise: (action: string) => normalise.call(environment, action) }),
    ...{ temperature, seed, stepLimit, maxTokens: 1024 },
    ...(signal && { signal }),
  })
  const succeeded = result.outcome === 'success'
  const mistakes = [...fallible.mistakes.values()]
  if (!succeeded && !options.failures) return { task, seed, succeeded, mistakes }
  const detours = fallible.detours()
  const turns = layTurns(
    fallible.exchanges.map(({ step, messages, reply }) => ({
      messages,
      reply,
      loss: !fallible.mistakes.has(step) && trajectory.steps[step]?.understood === true,
    })),
  )
  if (turns === undefined) return { task, seed, succeeded, mistakes }
  const row: TrainingRow = {
    id: `${environment.name}_${String(number)}`,
    turns,
    labels: {
      task: task.id,
      seed: String(seed),
      ...(label !== 'none' && { condition: label }),
      ...(!succeeded && { outcome: result.outcome }),
      ...(mistakes.length > 0 && { mistakes: mistakes.join(' ') }),
      ...(detours > 0 && { detours: String(detours) }),
    },
  }
  return { task, seed, succeeded, row, mistakes }
}

/**
 * Counts of collected episodes, kept trajectories, those with a mistake, and in kept ones the turns of the assistant,
 * masked ones, and mistakes by kind.
 */
export function createTally() {
  const mistakes = Object.fromEntries(mistakeKinds.map((kind) => [kind, 0])) as Record<MistakeKind, number>
  const counts = { played: 0, succeeded: 0, kept: 0, mistaken: 0, turns: 0, masked: 0, mistakes }
  return {
    counts: counts as Readonly<typeof counts>,
    add({ succeeded, row, mistakes: made }: Collected): void {
      counts.played++
      if (succeeded) counts.succeeded++
      if (row === undefined) return
      counts.kept++
      if (made.length > 0) counts.mistaken++
      for (const kind of made) mistakes[kind]++
      const turns = row.turns.filter(({ role }) => role === 'assistant')
      counts.turns += turns.length
      counts.masked += turns.filter(({ loss }) => loss === false).length
    },
  }
}
