import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import type { EpisodeRow } from '../../results/episode-row.js'
import type { Trajectory } from '../../core/episode.js'
import { canonicalJson } from '../../core/episode.js'
import { ShaketableError, usageError } from '../../core/errors.js'
import type { Plan, ServedChange, StoredRun } from '../plan.js'
import { isLocked } from '../../files/lock.js'
import { count, grouped } from '../../tables/words.js'
import { countCells } from '../cells.js'
import { compareServed, describeDifferences as describeServed } from '../../models/probe/identity.js'
import { describeDifferences, joinExperiments, joinPlans } from '../join-plans.js'
import { changesOf, maxChanges } from '../learn-servers.js'
import type { Experiment } from '../experiment.js'
import { fileOf, isServed } from '../model-choice.js'
import { shipped } from '../registry.js'
import type { KnownServer } from '../servers.js'
import { readServers } from '../servers.js'
import type { PlanFile } from './plan-file.js'
import { readPlan } from './plan-file.js'
import { createTrajectoryReader } from './read-trajectories.js'
import { leftOut, noteUnreadable, readRows } from './row.js'
import type { RunFiles } from './run-folder.js'
import { filesOf, readStopped } from './run-folder.js'

/** The current state of one run folder, or of several that are read as one, without changing them. */
export type ReadRun = ReturnType<typeof readSources>

/** One of the folders that are read as one run. */
export interface Source {
  readonly files: RunFiles
  readonly found: PlanFile
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
  void run.stored
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
  const plan = readPlan(files.plan)
  if (plan === undefined) throw noRun(folder)
  return { files, found: plan, isWriting: isLocked(files.lock) }
}

/** The error for a folder without a plan. */
function noRun(folder: string): ShaketableError {
  return new ShaketableError(
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
  const { plan, experiment, history } = joinPlanFiles(sources)
  const { servers, notes: accepted } = joinServers(sources, acceptsChange)
  const primaries = new Set(sources.map(({ found }) => JSON.stringify(found.plan.primary)))
  if (primaries.size > 1)
    accepted.push(`The runs have different primary endpoints; that of ${sources.at(-1)!.files.folder} counts.`)
  const isOne = sources.length === 1
  /** Names a folder where there are several. */
  const of = ({ files }: Source, text: string): string => (isOne ? text : `${files.folder}: ${text}`)
  const readers = sources.map(({ files }) => createTrajectoryReader(files))
  const isWriting = sources.some((source) => source.isWriting)
  const stopped = sources.map(({ files }) => readStopped(files.stopped)).find((one) => one !== undefined)
  const planned = countCells(plan)
  const { rows, know } = createRows(sources, plan, of)
  const orderOf = (server: KnownServer): number => plan.models.findIndex(({ name }) => name === server.model)
  const run = {
    /** The folders, with spaces between them. */
    folder: sources.map(({ files }) => files.folder).join(' '),
    sources,
    plan,
    experiment,
    planned,
    /** Sentences on what differs between the runs and was accepted. */
    accepted: accepted as readonly string[],
    ...describeExperiment(experiment),
    rows,
    /** Number of episodes that have a row. */
    get stored(): number {
      return know().stored
    },
    get stopped(): string | undefined {
      const isComplete = know().stored === planned
      // One of several may have been stopped whose episodes are in another.
      if (isComplete && !isOne) return undefined
      return stopped ?? (isWriting || isComplete ? undefined : playedPart)
    },
    /** Sentences on lines that could not be read or do not belong to the plan, independent of the folder's path. */
    get notes(): readonly string[] {
      return know().notes
    },
    /** Sentences on what was read so far that are not part of reports, such as omitted trajectories. */
    get remarks(): readonly string[] {
      return sources.flatMap((source, place) => [
        ...(!isOne && source.isWriting ? [`${source.files.folder} is being written; what it has so far is read.`] : []),
        ...readers[place]!.leftOut().map((note) => of(source, note)),
      ])
    },
    /** The source whose row of an episode counts. */
    ownerOf: (key: string): Source | undefined => know().ownerOf(key),
    trajectories(keys: readonly string[]): ReadonlyMap<string, Trajectory> {
      if (isOne) return readers[0]!.read(keys)
      const { ownerOf } = know()
      return new Map(
        readers.flatMap(({ read }, place) => [...read(keys.filter((key) => ownerOf(key) === sources[place]))]),
      )
    },
    servers: servers.toSorted((one, other) => orderOf(one) - orderOf(other)),
    ...(history && { history }),
    ...(isWriting && { writing: true }),
  }
  return run satisfies StoredRun
}

/** The name of a stored experiment and its control models, as far as it can be read. */
export function describeExperiment(experiment: unknown): Pick<StoredRun, 'name' | 'controls'> {
  const { name, models = [] } = (experiment ?? {}) as Partial<Experiment>
  const controls = models
    .filter((model) => !isServed(model, shipped) && fileOf(model) === undefined)
    .map((model) => model.name)
  return { ...(name && { name }), ...(controls.length > 0 && { controls }) }
}

function joinPlanFiles(sources: readonly Source[]): PlanFile {
  const { plan, experiment } = sources
    .map(({ found }) => found)
    .reduce((was, is, index) => {
      if (canonicalJson(was.plan) === canonicalJson(is.plan)) return was
      const { plan: joined, refused } = joinPlans(was.plan, is.plan)
      if (joined !== undefined)
        return { plan: joined, experiment: joinExperiments(was.experiment, is.experiment, joined) }
      const [{ files: first }, { files: other }] = [sources[0]!, sources[index]!]
      const before = index === 1 ? first.folder : `${first.folder} and those after it`
      throw new ShaketableError(
        'store',
        `${other.folder} cannot be joined with ${before}, since equal names stand for different episodes:\n${describeDifferences(refused)}\nJoin only runs of one version and one set of settings, and report the others apart.`,
      )
    })
  const changes = sources.flatMap(({ found }) => found.history ?? [])
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
  for (const { folder, servers: path } of sources.map(({ files }) => files)) {
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

/** The rows of runs that are read as one. They are read at each use, so that memory does not hold them. */
function createRows(sources: readonly Source[], plan: Plan, of: (source: Source, text: string) => string) {
  const paths = sources.map(({ files }) => files.outcomes)
  /** What is known once all rows were read. */
  let known: { readonly stored: number; readonly notes: readonly string[]; ownerOf(key: string): Source | undefined }
  let isKnown = false
  function* rows(): Generator<EpisodeRow, void, undefined> {
    const { rows: read, leftOut: left, contradictions, ownerOf } = readRows(plan, paths)
    let stored = 0
    for (const row of read) {
      stored++
      yield row
    }
    refuseContradictions(
      contradictions.map(({ row, files }) => {
        const [one, other] = files.map((place) => sources[place]!.files.folder)
        return `  ${nameRow(row)}: ${one!} and ${other!}`
      }),
    )
    const notes = left.flatMap(({ unreadable, strangers, isTorn }, number) => {
      const source = sources[number]!
      const file = basename(source.files.outcomes)
      return [
        ...noteUnreadable(file, unreadable, `expected an episode's row, got something unreadable: ${leftOut}`),
        ...(isTorn && !source.isWriting ? [`${file}: the last line is unfinished and left out.`] : []),
        ...(strangers > 0
          ? [`${file}: left out ${count(strangers, 'row')} with a key that no episode of the plan has.`]
          : []),
      ].map((note) => of(source, note))
    })
    known = { stored, notes, ownerOf: (key) => sources[ownerOf(key) ?? -1] }
    isKnown = true
  }
  return {
    rows: { [Symbol.iterator]: rows },
    know() {
      for (const reading = rows(); !isKnown;) reading.next()
      return known
    },
  }
}

/** The most contradictions that are named one by one. */
const maxNamed = 10

/** @throws ShaketableError `store` if any episode has valid rows with different results */
function refuseContradictions(named: readonly string[]): void {
  if (named.length === 0) return
  const more = named.length > maxNamed ? `\n  … and ${grouped(named.length - maxNamed)} more` : ''
  throw new ShaketableError(
    'store',
    `Expected one result of each episode, got different ones of ${count(named.length, 'episode')}:\n${named.slice(0, maxNamed).join('\n')}${more}\nLeave one of the runs out.`,
  )
}

/** The names of a row's episode. */
function nameRow({ environment, task, condition, model, agent, temperature, seed }: EpisodeRow): string {
  return `${environment}, ${task}, ${condition}, ${model}, ${agent}, temperature ${String(temperature)}, seed ${String(seed)}`
}
