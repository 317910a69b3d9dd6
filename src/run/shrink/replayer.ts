import { closeWorlds } from '../../core/close-worlds.js'
import type { Trajectory } from '../../core/episode.js'
import type { EpisodeRow } from '../../results/episode-row.js'
import { hashOf, isValid } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { perturb } from '../../core/perturb.js'
import type { AppliedPerturbation } from '../../core/perturbation.js'
import { usedIn } from '../../core/perturbation.js'
import type { Change } from './restrict.js'
import { changeId, restrict } from './restrict.js'
import type { Cell } from '../cells.js'
import { cellAt, placesOf } from '../cells.js'
import type { Exchanges } from '../exchanges.js'
import type { Experiment } from '../experiment.js'
import type { Grid } from '../grid.js'
import type { ServerLearner } from '../learn-servers.js'
import type { PlayCellOptions } from '../play-cell.js'
import { playCell, randomOf } from '../play-cell.js'
import { prepareGrid } from '../prepare-grid.js'
import { describeDifferences, joinPlans } from '../join-plans.js'
import type { ReadRun } from '../store/read-run.js'
import type { Replay } from './find-changes.js'
import { Stopped } from './find-changes.js'

/** The experiment of a run as it is stored, limited to what some of its rows need. */
export function experimentOf({ experiment: stored }: ReadRun, rows: readonly EpisodeRow[]): Experiment {
  const experiment = without(stored as Experiment, 'primary')
  const has = (field: 'environment' | 'model', name: string): boolean => rows.some((row) => row[field] === name)
  return {
    ...experiment,
    prepare: [],
    environments: experiment.environments.filter(({ name }) => has('environment', name)),
    perturbations: ['none', ...new Set(rows.map(({ condition }) => condition))],
    models: experiment.models
      .filter(({ name }) => has('model', name))
      .map((model) => without(model, 'withoutInDomain', 'variantOf', 'checkpoint')),
  }
}

/** What a replayer needs to create the grid of a run again. */
interface ReplayerOptions {
  readonly run: ReadRun
  readonly rows: readonly EpisodeRow[]
  readonly experiment: Experiment
  readonly exchanges?: Exchanges | undefined
  readonly learner?: ServerLearner
  readonly warn: (message: string) => void
}

/**
 * Creates the grid of a run again for some of its rows, to play them under parts of what their conditions change.
 * @throws ShaketableError `store` if an episode would not be the same today, with the differences
 */
export async function openReplayer(options: ReplayerOptions) {
  const { run, rows, experiment, exchanges, learner, warn } = options
  const { grid } = await prepareGrid(experiment, { exchanges, learner, warn })
  const places = placesOf(grid.plan)
  const cellOf = (row: EpisodeRow): Cell => {
    const place = places.get(row.key)
    if (place !== undefined) return cellAt(grid.plan, place)
    const { refused = [{ path: `environments.${row.environment}.tasks`, was: [row.task], is: [] }] } = joinPlans(
      run.plan,
      grid.plan,
    )
    throw new ShaketableError(
      'store',
      `Expected to play ${row.key} as in ${run.folder}, but it would be another episode today:\n${describeDifferences(refused)}\nUse the versions, files and servers that the run was played with, or play it again into another folder.`,
    )
  }
  for (const row of rows) cellOf(row)
  const conditionOf = (row: EpisodeRow): readonly AppliedPerturbation[] =>
    usedIn(grid.applied.get(row.condition)!, row.environment)
  /** Identifies a replay. Those without any change are the same for all conditions. */
  const nameOf = (row: EpisodeRow, changes: readonly Change[] | 'condition', seed: number): string => {
    const { environment, task, model, agent, temperature, key } = row
    if (changes === 'condition') return hashOf([key, seed], 20)
    const identity = changes.length === 0 ? [environment, task, model, agent, temperature] : key
    return hashOf([identity, changes.map(changeId).sort(), seed], 20)
  }
  return {
    grid,
    nameOf,
    /** Finds the changes by replaying the stored actions in the environment, without a model. */
    async changesOf(row: EpisodeRow, trajectory: Trajectory | undefined): Promise<readonly Change[]> {
      const { environment, task } = cellOf(row)
      const found = new Map<string, Change>()
      const note = (change: Change): void => {
        const id = changeId(change)
        if (!found.has(id)) found.set(id, change)
      }
      const condition = conditionOf(row)
      const opened = grid.environments.get(environment.name)!
      const perturbed = perturb(
        opened,
        restrict(condition, () => true, note),
      )
      const random = randomOf(environment.name, task.id, row.seed)
      const world = await perturbed.begin(grid.tasks.get(environment.name)!.get(task.id)!, random)
      try {
        for (const { action } of trajectory?.steps.slice(0, trajectory.trials?.[1]?.from) ?? [])
          if ((await world.step(action)).ended !== false) break
      } finally {
        await closeWorlds([world])
      }
      return [...found.values()]
    },
    /**
     * Plays a row's task with a seed under some changes, or under its whole condition.
     * @throws Stopped if the replay ends in an error
     */
    async play(
      row: EpisodeRow,
      changes: readonly Change[] | 'condition',
      seed: number,
      options: PlayCellOptions,
    ): Promise<Replay & { readonly calls: number }> {
      const cell = cellOf(row)
      const { name } = cell.environment
      const kept = new Set(changes === 'condition' ? [] : changes.map(changeId))
      const applied = conditionOf(row)
      const part = changes === 'condition' ? applied : restrict(applied, (change) => kept.has(changeId(change)))
      const environment = perturb(grid.environments.get(name)!, part)
      const label =
        changes.length === 0
          ? 'none again'
          : `${row.condition} ${changes === 'condition' ? 'again' : `of ${hashOf([...kept].sort(), 12)}`}`
      const limited: Grid = {
        ...grid,
        keyOf: () => nameOf(row, changes, seed),
        perturbed: new Map([[name, new Map([[label, environment]])]]),
      }
      const played = await playCell(limited, { ...cell, condition: { ...cell.condition, label }, seed }, options)
      const { outcome, measures, error } = played.row
      const calls = measures.attempts ?? measures.modelCalls
      if (isValid(outcome)) return { lost: outcome !== 'success', calls }
      // Two actions or items of a part may have got the same wording.
      if (outcome === 'environment-error' && changes !== 'condition') return { lost: undefined, calls }
      const what = outcome === 'model-error' ? 'the model gave no reply' : 'a replay ended in an error'
      throw new Stopped(`${what}: ${error ?? outcome}`)
    },
  }
}

/** A copy of an object without some of its optional fields. */
function without<Value extends object>(value: Value, ...fields: readonly (keyof Value)[]): Value {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name as keyof Value))) as Value
}
