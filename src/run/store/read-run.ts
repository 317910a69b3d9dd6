import { realpathSync } from 'node:fs'
import type { Trajectory } from '../../core/episode.js'
import { ShaketableError, usageError } from '../../core/errors.js'
import type { ServedChange, StoredRun } from '../plan.js'
import { isLocked } from '../../files/lock.js'
import { countCells } from '../cells.js'
import { compareServed, describeDifferences as describeServed } from '../../models/probe/identity.js'
import { changesOf, maxChanges } from '../learn-servers.js'
import type { Experiment } from '../experiment.js'
import { fileOf, isServed } from '../model-choice.js'
import { shipped } from '../registry.js'
import { type KnownServer, readServers } from '../servers.js'
import { type PlanFile, joinPlanFiles, readPlan } from './plan-file.js'
import { createTrajectoryReader } from './read-trajectories.js'
import { openRows } from './rows.js'
import { type RunFiles, filesOf, readStopped } from './run-folder.js'

/** The current state of one run folder, or of several that are read as one, without changing them. */
export type ReadRun = ReturnType<typeof readSources>

interface Source extends RunFiles {
  readonly planFile: PlanFile
  readonly isWriting: boolean
}

/** What may differ between runs that are read as one. */
export interface JoinOptions {
  /** Whether runs are joined although their servers served different models under one name. */
  readonly acceptsChange?: boolean | undefined
}

/**
 * Reads a run: one row per episode, in the order in which they were stored. The rows are read anew at each use.
 * @throws ShaketableError `store` if the folder holds no run, or its plan is damaged
 */
export function readRun(folder: string): ReadRun {
  return readSources([readSource(folder)], {})
}

/**
 * Reads several runs as one: their rows by key, a valid one before one that ended in an error.
 * @throws ShaketableError `store` if a folder holds no run, if their plans or servers cannot be joined, or if two of
 * them have different results of one episode
 */
export function joinRuns(folders: readonly string[], options: JoinOptions = {}): ReadRun {
  // A folder may be named twice, as by two patterns.
  const once = [...new Map(folders.map((folder) => [placeOf(folder), folder])).values()]
  const run = readSources(once.map(readSource), options)
  // Different results of one episode are refused at once.
  run.rows.known()
  return run
}

/** A folder's path without links; as given where there is no such folder. */
export function placeOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

function readSource(folder: string): Source {
  const files = filesOf(folder)
  const planFile = readPlan(files.plan)
  if (planFile !== undefined) return { ...files, planFile, isWriting: isLocked(files.lock) }
  throw new ShaketableError(
    'store',
    `Expected a run folder with a plan.json, but ${folder} has none. Check the path; \`shaketable run\` makes one.`,
  )
}

/**
 * Why a run has no rows of some episodes where its last session did not say: it was ended from outside, or played a
 * part.
 */
export const playedPart = 'The sessions so far played a part of the plan.'

function readSources(sources: readonly Source[], { acceptsChange = false }: JoinOptions) {
  const { plan, experiment, history } = joinAll(sources)
  const { servers, notes: accepted } = joinServers(sources, acceptsChange)
  const primaries = new Set(sources.map(({ planFile }) => JSON.stringify(planFile.plan.primary)))
  if (primaries.size > 1)
    accepted.push(`The runs have different primary endpoints; that of ${sources.at(-1)!.folder} counts.`)
  const isOne = sources.length === 1
  const folders = sources.map(({ folder }) => folder)
  const readers = sources.map(createTrajectoryReader)
  const isWriting = sources.some((source) => source.isWriting)
  const stopped = sources.map((source) => readStopped(source.stopped)).find((reason) => reason !== undefined)
  const planned = countCells(plan)
  const rows = openRows(plan, sources)
  const orderOf = (server: KnownServer): number => plan.models.findIndex(({ name }) => name === server.model)
  const run = {
    folders,
    folder: folders.join(' '),
    plan,
    experiment,
    planned,
    /** Sentences on what differs between the runs and was accepted. */
    accepted: accepted as readonly string[],
    ...describeExperiment(experiment),
    rows,
    get stored(): number {
      return rows.known().stored
    },
    get stopped(): string | undefined {
      const isComplete = rows.known().stored === planned
      // One of several may have been stopped whose episodes are in another.
      if (isComplete && !isOne) return undefined
      return stopped ?? (isWriting || isComplete ? undefined : playedPart)
    },
    /** Sentences on lines that could not be read or do not belong to the plan, independent of the folder's path. */
    get notes(): readonly string[] {
      return rows.known().notes
    },
    /** Sentences on what was read so far that are not part of reports, such as omitted trajectories. */
    get remarks(): readonly string[] {
      return sources.flatMap(({ folder, isWriting: isBeingWritten }, place) => {
        const leftOut = readers[place]!.leftOut()
        if (isOne) return leftOut
        const note = `${folder} is being written; what it has so far is read.`
        return [...(isBeingWritten ? [note] : []), ...leftOut.map((text) => `${folder}: ${text}`)]
      })
    },
    trajectories(keys: readonly string[]): ReadonlyMap<string, Trajectory> {
      if (isOne) return readers[0]!.read(keys)
      const { ownerOf } = rows.known()
      return new Map(readers.flatMap(({ read }, place) => [...read(keys.filter((key) => ownerOf(key) === place))]))
    },
    servers: servers.toSorted((one, other) => orderOf(one) - orderOf(other)),
    ...(history && { history }),
    ...(isWriting && { writing: true }),
  }
  return run satisfies StoredRun
}

const batch = 256

/**
 * Checks that every line of a run can be read, and that each row has its trajectory with all its prompts. Values that
 * were changed by hand and still fit are not noticed. What is wrong (findings), and what is only worth knowing
 * (remarks), are sentences.
 * @throws ShaketableError `store` if the folder holds no run, its plan is damaged, or a file cannot be read
 */
export function checkRun(folder: string) {
  const run = readRun(folder)
  const keys = Array.from(run.rows, ({ key }) => key)
  const missing: string[] = []
  for (let at = 0; at < keys.length; at += batch) {
    const part = keys.slice(at, at + batch)
    const trajectories = run.trajectories(part)
    missing.push(...part.filter((key) => !trajectories.has(key)))
  }
  const lost = missing.map((key) => `outcomes.jsonl: the episode ${key} has no trajectory that can be read.`)
  return {
    findings: [...run.notes, ...run.remarks, ...lost],
    remarks: run.writing ? ['The run is being written; what it has so far is checked.'] : [],
  }
}

/** The name of a stored experiment and its control models, as far as it can be read. */
export function describeExperiment(experiment: unknown): Pick<StoredRun, 'name' | 'controls'> {
  const { name, models = [] } = (experiment ?? {}) as Partial<Experiment>
  const controls = models
    .filter((model) => !isServed(model, shipped) && fileOf(model) === undefined)
    .map((model) => model.name)
  return { ...(name && { name }), ...(controls.length > 0 && { controls }) }
}

/** The plan of several runs, with the changes of all of them by date. */
function joinAll(sources: readonly Source[]): PlanFile {
  const [first] = sources
  const { plan, experiment } = sources
    .map(({ planFile }) => planFile)
    .reduce((was, is, place) =>
      joinPlanFiles(was, is, (differences) => {
        const before = place === 1 ? first!.folder : `${first!.folder} and those after it`
        return `${sources[place]!.folder} cannot be joined with ${before}, since equal names stand for different episodes:\n${differences}\nJoin only runs of one version and one set of settings, and report the others apart.`
      }),
    )
  const changes = sources.flatMap(({ planFile }) => planFile.history ?? [])
  const history = [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()]
  return {
    plan,
    experiment,
    ...(history.length > 0 && { history: history.sort((one, other) => (one.date < other.date ? -1 : 1)) }),
  }
}

/**
 * What several runs learned of their servers. The report of the first run with a model stands; if another run's server
 * had another identity under that name, the change is noted as in a resumed run.
 * @throws ShaketableError `usage` for another model under the same name, unless that is accepted
 */
function joinServers(sources: readonly Source[], acceptsChange: boolean) {
  const joined = new Map<string, { server: KnownServer; folder: string; changes: ServedChange[] }>()
  const notes: string[] = []
  for (const { folder, servers: path } of sources) {
    for (const server of readServers(path)) {
      const known = joined.get(server.model)
      if (known === undefined) {
        joined.set(server.model, { server, folder, changes: [...(server.changes ?? [])] })
        continue
      }
      const { decisive, volatile } = compareServed(known.server.served ?? {}, server.served ?? {})
      const what = describeServed([...decisive, ...volatile])
      if (decisive.length > 0 && !acceptsChange) {
        throw usageError(
          `${folder} was played with another model under the name '${server.model}' than ${known.folder}: ${what}. Leave one of them out, or give --accept-changed-model to have both in one run, which its reports then say.`,
        )
      }
      if (what !== '')
        notes.push(`${folder} and ${known.folder} differ in the model '${server.model}': ${what}. It is noted.`)
      for (const change of [...(server.changes ?? []), ...changesOf({ decisive, volatile })]) {
        const isKnown = known.changes.some((servedChange) => JSON.stringify(servedChange) === JSON.stringify(change))
        if (!isKnown && known.changes.length < maxChanges) known.changes.push(change)
      }
    }
  }
  const servers = [...joined.values()].map(({ server, changes }): KnownServer =>
    changes.length > 0 ? { ...server, changes } : server,
  )
  return { servers, notes }
}
