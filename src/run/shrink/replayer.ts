import { closeWorlds } from '../../core/close-worlds.js'
import type { Trajectory } from '../../core/episode.js'
import { hashOf, isValid } from '../../core/episode.js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { perturb } from '../../core/perturb.js'
import { usedIn } from '../../core/perturbation.js'
import type { EpisodeRow } from '../../results/episode-row.js'
import { grouped } from '../../tables/words.js'
import type { Cell } from '../cells.js'
import { cellAt, placesOf } from '../cells.js'
import type { Experiment } from '../experiment.js'
import type { Grid } from '../grid.js'
import { describeDifferences, joinPlans } from '../join-plans.js'
import type { ServerLearner } from '../learn-servers.js'
import { playCell, randomOf } from '../play-cell.js'
import { prepareGrid } from '../prepare-grid.js'
import type { ReadRun } from '../store/read-run.js'
import { Stopped } from './find-changes.js'
import type { Change } from './restrict.js'
import { changeId, restrict } from './restrict.js'

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
  readonly learner: ServerLearner
  readonly warn: (message: string) => void
  /** Calls of models behind servers in all; absent for {@link liveBudget}. */
  readonly budget: number | undefined
  /** Once aborted, running replays are finished and no more begin. */
  readonly stop: AbortSignal
}

/** Calls of models behind servers, unless another budget is given. */
export const liveBudget = 5000

/**
 * Creates the grid of a run again for some of its rows, to play them under parts of what their conditions change.
 * @throws ShaketableError `store` if an episode would not be the same today, with the differences
 */
export async function openReplayer({ run, rows, experiment, learner, warn, stop, ...options }: ReplayerOptions) {
  const { grid } = await prepareGrid(experiment, { learner, warn })
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
  const budget = options.budget ?? (grid.live ? liveBudget : Infinity)
  let used = 0
  /** Why nothing more may be played; undefined if more may be. */
  const endOf = (): string | undefined => {
    if (stop.aborted) return 'interrupted'
    if (grid.gone?.aborted) return messageOf(grid.gone.reason).replace(/\.$/, '')
    return used >= budget ? `the budget of ${grouped(budget)} calls is used up` : undefined
  }
  const stopIfEnded = (): void => {
    const reason = endOf()
    if (reason !== undefined) throw new Stopped(reason)
  }
  /** Those that were played, by name: ones without any change are the same for all conditions. */
  const replays = new Map<string, Promise<boolean | undefined>>()
  return {
    grid,
    endOf,
    /**
     * The changes of a row's condition, found by replaying its stored actions without a model, and a function that
     * plays its task under some of them with a seed.
     */
    async open(row: EpisodeRow, trajectory: Trajectory | undefined) {
      const cell = cellOf(row)
      const { environment, task, model, agent, temperature } = cell
      const { name } = environment
      const world = grid.environments.get(name)!
      const applied = usedIn(grid.applied.get(row.condition)!, name)
      const changes = new Map<string, Change>()
      const note = (change: Change): true => {
        if (!changes.has(changeId(change))) changes.set(changeId(change), change)
        return true
      }
      const finding = perturb(world, restrict(applied, note))
      const begun = await finding.begin(grid.tasks.get(name)!.get(task.id)!, randomOf(name, task.id, row.seed))
      try {
        for (const { action } of trajectory?.steps.slice(0, trajectory.trials?.[1]?.from) ?? [])
          if ((await begun.step(action)).ended !== false) break
      } finally {
        await closeWorlds([begun])
      }
      const play = async (set: readonly Change[], seed: number, key: string): Promise<boolean | undefined> => {
        stopIfEnded()
        const ids = new Set(set.map(changeId))
        const label = set.length === 0 ? 'none again' : `${row.condition} of ${hashOf([...ids].sort(), 12)}`
        const part = perturb(
          world,
          restrict(applied, (change) => ids.has(changeId(change))),
        )
        const limited: Grid = { ...grid, keyOf: () => key, perturbed: new Map([[name, new Map([[label, part]])]]) }
        const again = { ...cell, condition: { ...cell.condition, label }, seed }
        const played = await playCell(limited, again, { goOn: () => endOf() === undefined }).catch(
          (thrown: unknown) => {
            // A server that is gone breaks the replay first.
            stopIfEnded()
            throw thrown
          },
        )
        const { outcome, measures, error } = played.row
        used += measures.attempts ?? measures.modelCalls
        if (isValid(outcome)) return outcome !== 'success'
        // Two actions or items of a part may have got the same wording.
        if (outcome === 'environment-error' && set.length < changes.size) return undefined
        const what = outcome === 'model-error' ? 'the model gave no reply' : 'a replay ended in an error'
        throw new Stopped(`${what}: ${error ?? outcome}`)
      }
      return {
        changes: [...changes.values()],
        /**
         * Whether the task was lost; undefined if these changes cannot be combined.
         * @throws Stopped if the replay ends in an error, or nothing more may be played
         */
        replay(set: readonly Change[], seed: number): Promise<boolean | undefined> {
          const identity = set.length === 0 ? [name, task.id, model.name, agent.name, temperature] : row.key
          const key = hashOf([identity, set.map(changeId).sort(), seed], 20)
          const replay = replays.get(key) ?? play(set, seed, key)
          replays.set(key, replay)
          return replay
        },
      }
    },
  }
}

/** A copy of an object without some of its optional fields. */
function without<Value extends object>(value: Value, ...fields: readonly (keyof Value)[]): Value {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name as keyof Value))) as Value
}
