import type { Dose } from '../../src/core/dose.js'
import type { Aggregate, Group } from '../../src/results/aggregate.js'
import { type Outcome, hashOf } from '../../src/core/episode.js'
import type { EpisodeRow, Measures } from '../../src/results/episode-row.js'
import { type Plan, type PlannedModel, type StoredRun, pairsOf } from '../../src/run/plan.js'

/**
 * A plan with defaults: `conditions` by label, `none` or as in `synonyms:intensity=0.5:draw=2`; placebo and
 * clean-repeats promise identity, and swapped-verbs and adversary are adversarial.
 */
export function makePlan(given: {
  readonly environments?: readonly { readonly name: string; readonly tasks: number }[]
  readonly conditions?: readonly string[]
  readonly models?: readonly (string | PlannedModel)[]
  readonly agents?: readonly string[]
  readonly temperatures?: readonly number[]
  readonly seeds?: readonly number[]
}): Plan {
  const {
    environments = [{ name: 'household', tasks: 4 }],
    conditions = ['none', 'placebo', 'agentrefine-1'],
    models = ['reader', 'parrot'],
    agents = ['act'],
    temperatures = [0, 1],
    seeds = [1, 2, 3],
  } = given
  return {
    schema: 1,
    version: '0.1.0',
    environments: environments.map(({ name, tasks }) => ({
      name,
      version: '1',
      settings: {},
      tasks: Array.from({ length: tasks }, (_, task) => ({ id: taskId(task), hash: String(task) })),
    })),
    conditions: conditions.map((label) => ({
      label,
      perturbations:
        label === 'none'
          ? []
          : label.split('+').map((written) => {
              const [name = '', ...options] = written.split(':')
              const { intensity, draw, ...own } = Object.fromEntries(options.map((one) => one.split('='))) as Record<
                string,
                string
              >
              const isIdentity = name === 'placebo' || name === 'clean-repeats'
              return {
                name,
                version: '1',
                ...(intensity !== undefined && { intensity: Number(intensity) }),
                ...(draw !== undefined && { draw: Number(draw) }),
                ...(draw !== undefined && !isIdentity && { numbers: 'own' as const }),
                ...(Object.keys(own).length > 0 && { options: own }),
                promise: isIdentity ? ('identity' as const) : ('invariant' as const),
                ...((name === 'swapped-verbs' || name === 'adversary') && { adversarial: true as const }),
                source: 'test',
                summary: 'test',
              }
            }),
    })),
    models: models.map((model) => (typeof model === 'string' ? { name: model, settings: {} } : model)),
    agents: agents.map((name) => ({ name, settings: {} })),
    temperatures,
    seeds,
    stepLimit: 30,
    maxTokens: 100,
  }
}

/** A plan of one model and one seed on some tasks of the household, unless `given` has something else. */
export function smallPlan(
  tasks: number,
  conditions: readonly string[],
  given: Parameters<typeof makePlan>[0] = {},
): Plan {
  const environments = [{ name: 'household', tasks }]
  return makePlan({ environments, conditions, models: ['m'], temperatures: [1], seeds: [1], ...given })
}

/**
 * Every episode of a plan, won or lost by the number of its task from 0, or left out where that is undefined; a loss
 * has the progress `ofLost`.
 */
export function playTasks(
  plan: Plan,
  isWon: (at: EpisodeRow, task: number) => boolean | undefined,
  ofLost = 0,
): StoredRun {
  return makeRun(plan, (at) => {
    const won = isWon(at, Number(at.task.slice('task-'.length)))
    if (won === undefined) return undefined
    return won ? makeRow(at, 'success', 1) : makeRow(at, 'failure', ofLost)
  })
}

/** A run of one model at one seed: by condition the outcome of each task, `1` won, `0` lost, `-` not played. */
export function digitRun(
  won: Readonly<Record<string, string>>,
  change: (row: EpisodeRow) => EpisodeRow = (row) => row,
): StoredRun {
  const run = playTasks(smallPlan(Object.values(won)[0]!.length, Object.keys(won)), ({ condition }, task) =>
    won[condition]![task] === '-' ? undefined : won[condition]![task] === '1',
  )
  return { ...run, rows: [...run.rows].map(change) }
}

/** The first group of a model under a condition. */
export function groupOf({ groups }: Aggregate, model: string, condition: string): Group {
  return groups.find((group) => group.model === model && group.condition === condition)!
}

/** The id of a fixture's task by its position. */
export function taskId(place: number): string {
  return `task-${String(place)}`
}

export const changedDose: Dose = { forms: 3, commandsSaid: 1, commandsSeen: 2, names: 0, characters: 60, leaks: 0 }
export const noDose: Dose = { forms: 0, commandsSaid: 0, commandsSeen: 0, names: 0, characters: 0, leaks: 0 }

/** A row with its own fingerprint; a broken one has no measurements. */
export function makeRow(
  at: Pick<EpisodeRow, 'task'> & Partial<EpisodeRow>,
  outcome: Outcome,
  progress: number,
  measured: Partial<Measures> = {},
): EpisodeRow {
  const {
    environment = 'household',
    condition = 'none',
    model = 'reader',
    agent = 'act',
    temperature = 0,
    seed = 1,
  } = at
  const identity = { environment, condition, model, agent, temperature, seed, task: at.task }
  return {
    key: hashOf(identity, 20),
    outcome,
    progress,
    measures: {
      steps: 10,
      understood: 10,
      formatErrors: 0,
      repeats: 0,
      memorised: 0,
      modelCalls: 10,
      promptTokens: 1000,
      completionTokens: 50,
      gains: progress > 0 ? [[4, progress]] : [],
      ...measured,
    },
    ...(identity.condition !== 'none' && { dose: changedDose }),
    trace: hashOf(identity, 12),
    ...identity,
  }
}

/** Every episode of a plan, by a function that may leave some out. */
export function makeRun(plan: Plan, play: (at: EpisodeRow) => EpisodeRow | undefined): StoredRun {
  const rows: EpisodeRow[] = []
  for (const environment of plan.environments)
    for (const { model, agent } of pairsOf(plan))
      for (const condition of plan.conditions)
        for (const temperature of plan.temperatures)
          for (const seed of plan.seeds)
            for (const task of environment.tasks) {
              const at = {
                environment: environment.name,
                model: model.name,
                agent: agent.name,
                condition: condition.label,
                temperature,
                seed,
                task: task.id,
              }
              const row = play(makeRow(at, 'failure', 0))
              if (row !== undefined) rows.push(row)
            }
  return { plan, rows }
}
