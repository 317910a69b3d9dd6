/** What a program opens, plays, reads and reports with, `shaketable/run`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from './core/agent.js'
import type { EnvironmentKind } from './define/environment.js'
import { usageError } from './core/errors.js'
import type { ModelDefinition } from './define/model.js'
import type { Perturbation } from './core/perturbation.js'
import type { Report, StoredRun } from './run/plan.js'
import { parseCondition } from './run/conditions.js'
import { completeExperiment } from './run/experiment.js'
import type { GivenExperiment } from './run/experiment-schema.js'
import { parseExperiment } from './run/explain-issue.js'
import { learnServers } from './run/learn-servers.js'
import { type Definition, loadRegistry } from './run/plugins.js'
import { prepareGrid } from './run/prepare-grid.js'
import { shipped } from './run/registry.js'
import { runExperiment as playInto } from './run/run-experiment.js'
import { indicesOf, limitPlan, readSelection, selectedModels } from './run/selection.js'
import { readRun } from './run/store/read-run.js'

export { agents, findAgent } from './agents/index.js'
export { openEnvironment } from './environments/index.js'
export { type EndpointOptions, createEndpoint } from './models/index.js'
export { readRun } from './run/store/read-run.js'

type OrDefined<Given, Defined> = readonly (NonNullable<Given> extends readonly (infer One)[] ? One | Defined : never)[]

/**
 * The settings of an experiment file, with the same names. Lists of names may also contain definitions. With `folder`
 * the run is stored, and a run in that folder is resumed; without it the run is kept until this process ends.
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
  /** The part that is played, written as after `--only`: `model=tuned,seed=0`. The rest stays planned. */
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
    given[key] = list.map((entry: unknown) => {
      if (!isDefinition(entry)) return entry
      defined.push(entry)
      return entry.name
    })
  }
  const { given: flags, problems } = parseExperiment(given)
  if (flags === undefined) throw usageError(`${problems[0].path.join('.')}: ${problems[0].message}.`)
  const registry = await loadRegistry([...plugins, ...defined])
  const { experiment } = completeExperiment({ registry, flags })
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
  const sayAll = (notes: readonly string[]): void => notes.forEach((note) => warn(note))
  const where = (path: readonly PropertyKey[]): string => path.join('.')
  const { grid, notes } = await prepareGrid(experiment, { where, learner, warn, registry, played })
  sayAll(notes)
  const only = selection.size === 0 ? {} : { only: indicesOf(grid.plan, limitPlan(grid.plan, selection, labelOf)) }
  const place = folder ?? makeTemporary()
  await playInto({
    ...{ experiment, grid, folder: place, stop: signal, opened: sayAll, servers: learner.learned() },
    ...{ compare: () => learner.compare(), ...(defined.length > 0 && { workers: 0 }), ...only },
  })
  return readRun(place)
}

/** A folder that is removed when this process ends. */
function makeTemporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
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
  const reports = wanted.map((report) => (typeof report === 'string' ? shipped.find('report', report) : report))
  return Object.fromEntries(reports.flatMap((report) => [...report.render(run)].map(({ file, text }) => [file, text])))
}
