import { closeWorlds } from '../../core/close-worlds.js'
import { type Trajectory, hashOf, isValid } from '../../core/episode.js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { perturb } from '../../core/perturb.js'
import { usedIn } from '../../core/perturbation.js'
import type { EpisodeRow } from '../../results/episode-row.js'
import { grouped } from '../../tables/words.js'
import { type Cell, cellsByKey } from '../cells.js'
import type { Experiment } from '../experiment.js'
import type { Grid } from '../grid.js'
import { describeDifferences, joinPlans } from '../join-plans.js'
import type { ServerLearner } from '../learn-servers.js'
import { withoutAbsent } from '../model-choice.js'
import type { Plan } from '../plan.js'
import { playCell, randomOf } from '../play-cell.js'
import { prepareGrid } from '../prepare-grid.js'
import type { ReadRun } from '../store/read-run.js'
import { Stopped } from './find-changes.js'
import { type Change, changeId, restrict } from './restrict.js'

/** The experiment of a run as it is stored, limited to what one of its rows needs. */
export function experimentOf({ experiment: stored }: ReadRun, row: EpisodeRow): Experiment {
  const experiment = stored as Experiment
  return withoutAbsent({
    ...experiment,
    primary: undefined,
    prepare: [],
    environments: experiment.environments.filter(({ name }) => name === row.environment),
    perturbations: ['none', row.condition],
    models: experiment.models
      .filter(({ name }) => name === row.model)
      .map((model) =>
        withoutAbsent({ ...model, withoutInDomain: undefined, variantOf: undefined, checkpoint: undefined }),
      ),
  })
}

/** What a replayer needs to create the grid of a run again. */
interface ReplayerOptions {
  readonly run: ReadRun
  /** The episode that is played again. */
  readonly row: EpisodeRow
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
 * Creates the grid of a run again for one of its rows, to play its task under parts of what its condition changes.
 * @throws ShaketableError `store` if the episode would not be the same today, with the differences
 */
export async function openReplayer({ run, row, experiment, learner, warn, stop, ...options }: ReplayerOptions) {
  const { grid } = await prepareGrid(experiment, { learner, warn })
  const cell = cellsByKey(grid.plan).get(row.key) ?? refuseOther(run, grid.plan, row)
  const { name } = cell.environment
  const world = grid.environments.get(name)!
  const applied = usedIn(grid.applied.get(row.condition)!, name)
  const changes = await listChanges(grid, cell, run.trajectories([row.key]).get(row.key))
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
  const play = async (ids: readonly string[], seed: number, key: string): Promise<boolean | undefined> => {
    stopIfEnded()
    const label = ids.length === 0 ? 'none again' : `${row.condition} of ${hashOf(ids, 12)}`
    const part = perturb(
      world,
      restrict(applied, (change) => ids.includes(changeId(change))),
    )
    const limited: Grid = { ...grid, perturbed: new Map([[name, new Map([[label, part]])]]) }
    const again = { ...cell, key, condition: { ...cell.condition, label }, seed }
    const goOn = (): boolean => endOf() === undefined
    const played = await playCell(limited, again, { goOn }).catch((thrown: unknown) => {
      // A server that is gone breaks the replay first.
      stopIfEnded()
      throw thrown
    })
    const { outcome, measures, error } = played.row
    used += measures.attempts ?? measures.modelCalls
    if (isValid(outcome)) return outcome !== 'success'
    // Two actions or items of a part may have got the same wording.
    if (outcome === 'environment-error' && ids.length < changes.length) return undefined
    const what = outcome === 'model-error' ? 'the model gave no reply' : 'a replay ended in an error'
    throw new Stopped(`${what}: ${error ?? outcome}`)
  }
  /** Those that were played, by name. */
  const replays = new Map<string, Promise<boolean | undefined>>()
  return {
    grid,
    endOf,
    changes,
    /**
     * Whether the task was lost under some of the changes; undefined if these cannot be combined.
     * @throws Stopped if the replay ends in an error, or nothing more may be played
     */
    replay(set: readonly Change[], seed: number): Promise<boolean | undefined> {
      const ids = set.map(changeId).sort()
      const key = hashOf([row.key, ids, seed], 20)
      const replay = replays.get(key) ?? play(ids, seed, key)
      replays.set(key, replay)
      return replay
    },
  }
}

/** @throws ShaketableError `store` with what makes another episode of a row today */
function refuseOther({ plan, folder }: ReadRun, now: Plan, { key, environment, task }: EpisodeRow): never {
  const { refused = [{ path: `environments.${environment}.tasks`, was: [task], is: [] }] } = joinPlans(plan, now)
  throw new ShaketableError(
    'store',
    `Expected to play ${key} as in ${folder}, but it would be another episode today:\n${describeDifferences(refused)}\nUse the versions, files and servers that the run was played with, or play it again into another folder.`,
  )
}

/** The changes of an episode's condition, found by replaying its stored actions without a model. */
async function listChanges(grid: Grid, cell: Cell, trajectory: Trajectory | undefined): Promise<readonly Change[]> {
  const { environment, task, condition, seed } = cell
  const { name } = environment
  const changes = new Map<string, Change>()
  const note = (change: Change): true => {
    if (!changes.has(changeId(change))) changes.set(changeId(change), change)
    return true
  }
  const finding = perturb(
    grid.environments.get(name)!,
    restrict(usedIn(grid.applied.get(condition.label)!, name), note),
  )
  const begun = await finding.begin(grid.tasks.get(name)!.get(task.id)!, randomOf(name, task.id, seed))
  try {
    for (const { action } of trajectory?.steps.slice(0, trajectory.trials?.[1]?.from) ?? [])
      if ((await begun.step(action)).ended !== false) break
  } finally {
    await closeWorlds([begun])
  }
  return [...changes.values()]
}
