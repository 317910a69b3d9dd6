/** What a program opens, plays, reads and reports with, `shaketable/run`. */
import type { Agent } from './core/agent.js'
import type { EnvironmentKind } from './define/environment.js'
import { ShaketableError } from './core/errors.js'
import type { EpisodeRow } from './results/episode-row.js'
import type { ModelDefinition } from './define/model.js'
import type { Perturbation } from './core/perturbation.js'
import type { Report, StoredRun } from './run/plan.js'
import { cells, countCells } from './run/cells.js'
import { parseCondition } from './run/conditions.js'
import { completeExperiment } from './run/experiment.js'
import { knownKeys } from './run/experiment-file.js'
import type { GivenExperiment } from './run/experiment-schema.js'
import { experimentSchema } from './run/experiment-schema.js'
import { explainIssues } from './run/explain-issue.js'
import type { Grid } from './run/grid.js'
import { learnServers } from './run/learn-servers.js'
import { createLocalPlayer } from './run/play-cell.js'
import type { Definition } from './run/plugins.js'
import { loadRegistry } from './run/plugins.js'
import { prepareGrid } from './run/prepare-grid.js'
import { shipped } from './run/registry.js'
import { runExperiment as playInto } from './run/run-experiment.js'
import { schedule } from './run/schedule.js'
import { indicesOf, limitPlan, readSelection, selectedModels } from './run/selection.js'
import { MemoryStore } from './run/store/store.js'
import { playedPart, readRun } from './run/store/read-run.js'

export { agents, findAgent } from './agents/index.js'
export { openEnvironment } from './environments/index.js'
export type { EndpointOptions } from './models/index.js'
export { createEndpoint } from './models/index.js'
export { readRun } from './run/store/read-run.js'

type OrDefined<Given, Defined> = readonly (NonNullable<Given> extends readonly (infer One)[] ? One | Defined : never)[]

/**
 * The settings of an experiment file, with the same names. Lists of names may also contain definitions. With `folder`
 * the run is stored, and a run in that folder is resumed; without it the run stays in memory.
 */
export interface RunSettings extends Omit<
  GivenExperiment,
  '$schema' | 'prepare' | 'environments' | 'perturbations' | 'models' | 'agents'
> {
  readonly environments?: OrDefined<GivenExperiment['environments'], EnvironmentKind>
  readonly perturbations?: OrDefined<GivenExperiment['perturbations'], Perturbation>
  readonly models?: OrDefined<GivenExperiment['models'], ModelDefinition>
  readonly agents?: OrDefined<GivenExperiment['agents'], Agent>
  readonly folder?: string
  /** The part that is played, written as after `--only`: `model=tuned,seed=0..4`. The rest stays planned. */
  readonly only?: string | readonly string[]
  /** No episode starts after it is aborted. */
  readonly signal?: AbortSignal
  /** Called with notices for the user: about servers, plug-ins, and data that the store left out. */
  readonly warn?: (message: string) => void
}

const definable = ['environments', 'perturbations', 'models', 'agents'] as const

/**
 * Plays an experiment in this process and returns the run, for renderReports(). Servers are probed first.
 * @throws ShaketableError `usage` or `bad-input` that names an invalid setting; `store` for a folder that cannot be
 * used
 */
export async function runExperiment(settings: RunSettings = {}): Promise<StoredRun> {
  const { folder, only: wanted = [], signal = new AbortController().signal, ...others } = settings
  const { warn = () => undefined, plugins = [], ...rest } = others
  const selection = readSelection([wanted].flat())
  const given: Record<string, unknown> = { ...rest, ...(plugins.length > 0 && { plugins }) }
  const defined: Definition[] = []
  for (const key of definable) {
    const list: unknown = rest[key]
    if (!Array.isArray(list)) continue
    given[key] = list.map((one: unknown) => {
      if (!isDefinition(one)) return one
      defined.push(one)
      return one.name
    })
  }
  const parsed = experimentSchema.safeParse(given)
  if (!parsed.success) {
    const { path, message } = explainIssues(parsed.error, given, knownKeys)[0]!
    throw new ShaketableError('usage', `${path.join('.')}: ${message}.`)
  }
  const registry = await loadRegistry([...plugins, ...defined])
  const { experiment } = completeExperiment({ registry, flags: parsed.data, environmentFlags: {} })
  const learner = learnServers({
    ...(folder !== undefined && { folder }),
    probe: true,
    acceptsChange: false,
    logprobs: experiment.logprobs === true,
    tell: () => undefined,
    warn,
  })
  const labelOf = (text: string): string => parseCondition(text, registry.list('lens')).label
  const played = selectedModels(selection, experiment, labelOf)
  const where = (path: readonly PropertyKey[]): string => path.join('.')
  const { grid, notes } = await prepareGrid(experiment, { where, learner, warn, registry, played })
  for (const note of notes) warn(note)
  const only = selection.size === 0 ? {} : { only: indicesOf(grid.plan, limitPlan(grid.plan, selection, labelOf)) }
  if (folder === undefined) return playInMemory(grid, experiment.concurrency, signal, only)
  const opened = (found: readonly string[]): void => {
    for (const note of found) warn(note)
  }
  const servers = learner.learned()
  const inThread = defined.length > 0 && { workers: 0 }
  const compare = (): Promise<void> => learner.compare()
  await playInto({ experiment, grid, folder, stop: signal, opened, servers, compare, ...inThread, ...only })
  return readRun(folder)
}

async function playInMemory(
  grid: Grid,
  concurrency: number,
  stop: AbortSignal,
  only: { readonly only?: readonly number[] },
): Promise<StoredRun> {
  const { plan, gone } = grid
  const store = new MemoryStore()
  const player = createLocalPlayer(
    grid,
    grid.live ? concurrency : 1,
    grid.live ? { clock: () => performance.now() } : {},
  )
  const played = (): void => undefined
  await schedule({ plan, player, store, played, stop, gone, ...only })
  const rows = new Map(store.rows.map((row) => [row.key, row]))
  const ordered: EpisodeRow[] = []
  for (const cell of cells(plan)) {
    const row = rows.get(grid.keyOf(cell))
    if (row !== undefined) ordered.push(row)
  }
  const isComplete = ordered.length === countCells(plan)
  return {
    plan,
    rows: ordered,
    ...(!isComplete && { stopped: playedPart }),
    trajectories: (keys) => new Map(keys.flatMap((key) => (rows.has(key) ? [[key, store.trajectory(key)!]] : []))),
  }
}

function isDefinition(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/**
 * Renders reports of a run; default: all that ship with the package.
 * @param wanted names of reports, or own reports
 * @returns the text of each file by its name, such as `tables/robustness.md`
 * @throws ShaketableError `usage` for an unknown name, with the near miss
 */
export function renderReports(
  run: StoredRun,
  wanted: readonly (string | Report)[] = shipped.list('report'),
): Readonly<Record<string, string>> {
  const reports = wanted.map((one) => (typeof one === 'string' ? shipped.find('report', one) : one))
  return Object.fromEntries(reports.flatMap((report) => [...report.render(run)].map(({ file, text }) => [file, text])))
}
