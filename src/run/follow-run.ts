import { statSync } from 'node:fs'
import type { EpisodeRow } from '../core/episode.js'
import { isValid } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import type { Plan, PlannedColumn, PlannedEnvironment } from './plan.js'
import { isLocked } from '../files/lock.js'
import { tailLines } from '../files/tail-lines.js'
import type { Interval } from '../statistics/intervals.js'
import { taskInterval } from '../statistics/intervals.js'
import { costOf } from './budget.js'
import type { Cell } from './cells.js'
import { cellAt, countCells, createCellFinder, createKeyMaker } from './cells.js'
import type { Tally } from './progress.js'
import { createTally } from './progress.js'
import { filesOf, readStoredPrices } from './store/run-folder.js'
import { readPlan } from './store/plan-file.js'
import { readRow } from './store/row.js'
import type { RunState } from './store/run-state.js'
import { stateOf } from './store/run-state.js'

/** A run as far as its rows have been read. */
export interface FollowedRun extends RunState {
  readonly plan: Plan
  /** `already` counts valid episodes, `errors` those whose last row is an error. */
  readonly tally: Tally
  /** Rows read so far, episodes that were played again included. */
  readonly rows: number
  /** In the order of the plan, those with a valid episode. */
  readonly groups: readonly FollowedGroup[]
  /** Valid episodes without success, the newest first. */
  readonly failures: readonly EpisodeRow[]
  /** Use of model servers by the rows read; the cost only with stored prices. */
  readonly spent: { readonly calls: number; readonly tokens: number; readonly cost?: number }
  /** Lines that are damaged, or belong to no episode of the plan. */
  readonly leftOut: number
  /** Bytes that are left to read. */
  readonly behind: number
}

/** One environment, model, agent and condition. */
export interface FollowedGroup extends Pick<Cell, 'environment' | 'model' | 'agent' | 'column'> {
  readonly valid: number
  readonly successes: number
  /** As in reports: of the mean over tasks, see `taskInterval`. */
  interval(): Interval | undefined
}

/** Follows a run that another process may be writing. */
interface RunFollower {
  /**
   * Reads what was added to the run since the last call. A run whose plan or rows were replaced is read anew.
   * @param isOver ends a long reading early; see `behind`
   * @throws ShaketableError `store` if the folder holds no run that can be read
   */
  update(isOver?: () => boolean): FollowedRun
}

/** Failures that are kept. */
const maxFailures = 100

/** Creates a follower. It keeps a byte for each planned episode and eight for each task of a group. */
export function followRun(folder: string): RunFollower {
  const files = filesOf(folder)
  let known:
    { readonly stamp: string; readonly tail: ReturnType<typeof tailLines>; readonly counts: Counts } | undefined
  return {
    update(isOver) {
      for (;;) {
        // Asked before the rows are read, so that no row of a writer that has ended is missed.
        const isRunning = isLocked(files.lock)
        const stamp = stampOf(files.plan)
        if (known?.stamp !== stamp) {
          known = { stamp, tail: tailLines(files.outcomes), counts: createCounts(planOf(files.plan, folder)) }
        }
        const { tail, counts } = known
        const { restarted, behind } = tail.read(
          (text, state) => counts.add(state === 'damaged' ? undefined : readRow(text)),
          isOver,
        )
        if (restarted) {
          known = undefined
          continue
        }
        const now = counts.now(readStoredPrices(files.prices).prices)
        const state = isRunning
          ? { state: 'running' as const }
          : stateOf(files, { stored: now.tally.already, planned: now.tally.planned })
        return { ...now, ...state, behind }
      }
    },
  }
}

function planOf(path: string, folder: string): Plan {
  const found = readPlan(path)
  if (found !== undefined) return found.plan
  throw new ShaketableError(
    'store',
    `Expected a run folder with a plan.json, but ${folder} has none. Check the path; \`shaketable runs\` lists the runs of a folder.`,
  )
}

/** Changes whenever a file is replaced or written. */
export function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : [found.ino, found.size, found.mtimeMs].join(' ')
}

type Counts = ReturnType<typeof createCounts>

type Prices = ReturnType<typeof readStoredPrices>['prices']

/** What {@link createCounts} knows of a cell. */
const [unseen, broken, settled] = [0, 1, 2]

function createCounts(plan: Plan) {
  const planned = countCells(plan)
  const tally = createTally(planned, plan)
  const find = createCellFinder(plan)
  const keyOf = createKeyMaker(plan)
  const states = new Uint8Array(planned)
  const groupOf = createGroups(plan)
  const used = new Map<string, { calls: number; prompt: number; completion: number }>()
  const failures: EpisodeRow[] = []
  const count = { rows: 0, errors: 0, leftOut: 0 }

  const use = ({ model, measures, date }: EpisodeRow): void => {
    // Episodes of control models have no date, and cost nothing.
    if (date === undefined) return
    const { modelCalls, promptTokens, completionTokens, wordings } = measures
    const sum = used.get(model) ?? { calls: 0, prompt: 0, completion: 0 }
    sum.calls += modelCalls + (wordings?.calls ?? 0)
    sum.prompt += promptTokens + (wordings?.promptTokens ?? 0)
    sum.completion += completionTokens + (wordings?.completionTokens ?? 0)
    used.set(model, sum)
  }
  return {
    /** Adds a row, or a line that is none. As in reports, the first valid row of an episode counts. */
    add(row: EpisodeRow | undefined): void {
      const place = row && find(row)
      const cell = place === undefined ? undefined : cellAt(plan, place)
      if (row === undefined || cell === undefined || row.key !== keyOf(cell)) {
        count.leftOut++
        return
      }
      count.rows++
      use(row)
      const before = states[cell.index]
      if (before === settled) return
      if (!isValid(row.outcome)) {
        if (before === unseen) count.errors++
        states[cell.index] = broken
        tally.played(row)
        return
      }
      if (before === broken) count.errors--
      states[cell.index] = settled
      tally.seen(row)
      groupOf(cell).add(cell, row)
      if (row.outcome === 'success') return
      failures.unshift(row)
      if (failures.length > maxFailures) failures.pop()
    },
    now(prices: Prices) {
      const sums = [...used]
      const add = (of: (sum: { calls: number; prompt: number; completion: number }, model: string) => number): number =>
        sums.reduce((total, [model, sum]) => total + of(sum, model), 0)
      return {
        plan,
        tally: { ...tally.now(), played: 0, errors: count.errors },
        rows: count.rows,
        groups: groupOf.all().filter(({ valid }) => valid > 0),
        failures,
        spent: {
          calls: add(({ calls }) => calls),
          tokens: add(({ prompt, completion }) => prompt + completion),
          ...(prices && {
            cost: add(({ prompt, completion }, model) => costOf(prices.get(model), prompt, completion)),
          }),
        },
        leftOut: count.leftOut,
      }
    },
  }
}

function createGroups(plan: Plan) {
  const made = new Map<PlannedEnvironment, ReturnType<typeof createGroup>[]>()
  const places = new Map(plan.environments.flatMap(({ tasks }) => tasks.map((task, place) => [task, place] as const)))
  const groupOf = (cell: Cell): ReturnType<typeof createGroup> => {
    let own = made.get(cell.environment)
    if (own === undefined) made.set(cell.environment, (own = []))
    return (own[cell.combination] ??= createGroup(cell, places))
  }
  const order = <Item>(list: readonly Item[], item: Item): number => list.indexOf(item)
  return Object.assign(groupOf, {
    all: () =>
      plan.environments.flatMap((environment) =>
        Object.values(made.get(environment) ?? []).sort(
          (one, other) =>
            order(plan.models, one.model) - order(plan.models, other.model) ||
            order(plan.agents, one.agent) - order(plan.agents, other.agent) ||
            order<PlannedColumn>(plan.columns, one.column) - order<PlannedColumn>(plan.columns, other.column),
        ),
      ),
  })
}

function createGroup(
  { environment, model, agent, column }: Cell,
  places: ReadonlyMap<Cell['task'], number>,
): FollowedGroup & { add(cell: Cell, row: EpisodeRow): void } {
  const counts = { valid: 0, successes: 0 }
  const valid = new Uint32Array(environment.tasks.length)
  const successes = new Uint32Array(environment.tasks.length)
  let known: { readonly valid: number; readonly interval: Interval | undefined } | undefined
  return {
    environment,
    model,
    agent,
    column,
    get valid() {
      return counts.valid
    },
    get successes() {
      return counts.successes
    },
    interval() {
      if (known?.valid !== counts.valid) {
        const scores = [...valid].flatMap((of, task) => (of === 0 ? [] : [successes[task]! / of]))
        known = { valid: counts.valid, interval: taskInterval(scores) }
      }
      return known!.interval
    },
    add({ task }, { outcome }) {
      const place = places.get(task)!
      const success = outcome === 'success' ? 1 : 0
      counts.valid++
      counts.successes += success
      valid[place]!++
      successes[place]! += success
    },
  }
}
