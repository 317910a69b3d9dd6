import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { EpisodeRow } from '../../core/episode.js'
import { canonicalJson, isValid } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import type { Plan } from '../plan.js'
import type { PlacedLines } from '../../files/line-at.js'
import { openLines } from '../../files/line-at.js'
import { readLines } from '../../files/lines.js'
import { isLocked } from '../../files/lock.js'
import { count, grouped } from '../../tables/words.js'
import type { Prices } from '../budget.js'
import { countCells, maxCells } from '../cells.js'
import { describeDifferences, joinExperiments, joinPlans } from '../join-plans.js'
import { joinServers } from '../join-servers.js'
import type { KnownServer } from '../servers.js'
import { readServers } from '../servers.js'
import { readShrunk } from '../shrink/shrunk-file.js'
import type { PlanFile } from './plan-file.js'
import { readPlan } from './plan-file.js'
import type { ReadRun } from './read-run.js'
import { describeExperiment, noRun, parseRow, playedPart } from './read-run.js'
import { createTrajectoryReader, leftOut } from './read-trajectories.js'
import { findDamage } from './recover.js'
import { readRows } from './row.js'
import type { RunFiles } from './run-folder.js'
import { filesOf, readStopped, readStoredPrices } from './run-folder.js'
import { readSessions, sumSessions } from './sessions.js'

/** What may differ between runs that are joined. */
export interface JoinOptions {
  /**
   * Which row counts where two runs have different rows of one episode: that with the later date, else that of the run
   * named later. Without it such runs are refused.
   */
  readonly prefer?: 'newest' | undefined
  /** Whether runs are joined although their servers served different models under one name. */
  readonly acceptsChange?: boolean | undefined
}

/** One of several runs that are read as one. */
export interface Source {
  readonly files: RunFiles
  readonly found: PlanFile
}

/** Several runs read as one, without changing them. */
export interface JoinedRun extends ReadRun {
  readonly sources: readonly Source[]
  readonly experiment: unknown
  readonly servers: readonly KnownServer[]
  /** Sentences on what differs between the runs and was accepted. */
  readonly accepted: readonly string[]
  /** The row of an episode that counts, by its index in the order of play. */
  rowAt(index: number): EpisodeRow | undefined
  /** Places in outcomes.jsonl of the rows of a source that count, ascending, in bytes. */
  placesIn(source: number): Float64Array
  close(): void
}

/**
 * Reads several runs as one. Every episode counts once: a valid row before one that ended in an error. Damaged lines
 * are left out with a note, and with them the rows whose trajectory or prompt is damaged. Only offsets are kept in
 * memory.
 * @param into an earlier result of merging, to which these runs are added
 * @throws ShaketableError `store` if a folder holds no run, if their plans or servers cannot be joined, or if two of
 * them have different rows of one episode
 */
export function joinRuns(folders: readonly string[], options: JoinOptions = {}, into?: Source): JoinedRun {
  const sources = onceEach(folders).map(readSource)
  const all = [...(into ? [into] : []), ...sources]
  const { plan, experiment } = all
    .map(({ found }) => found)
    .reduce((was, is, index) => {
      const joined = joinTwo(all, index, was.plan, is.plan)
      if (joined === was.plan) return was
      return { plan: joined, experiment: joinExperiments(was.experiment, is.experiment, joined) }
    })
  const changes = all.flatMap(({ found }) => found.history ?? [])
  const history = [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()]
  if (countCells(plan) > maxCells) {
    throw new ShaketableError(
      'store',
      `Expected runs of at most ${grouped(maxCells)} episodes together, got ${grouped(countCells(plan))}. Merge fewer of them.`,
    )
  }
  const { servers: unsorted, notes: accepted } = joinServers(
    all.map(({ files }) => ({ folder: files.folder, servers: readServers(files.servers) })),
    options.acceptsChange === true,
  )
  const orderOf = new Map(plan.models.map(({ name }, index) => [name, index]))
  const servers = [...unsorted].sort((a, b) => (orderOf.get(a.model) ?? 0) - (orderOf.get(b.model) ?? 0))
  const primaries = new Set(all.map(({ found }) => JSON.stringify(found.plan.primary)))
  if (primaries.size > 1) {
    accepted.push(`The runs have different primary endpoints; that of ${all.at(-1)!.files.folder} counts.`)
  }
  const blocks = Math.max(16, Math.floor(256 / sources.length))
  const opened: (PlacedLines | undefined)[] = []
  const lineAt = (source: number, place: number): string | undefined =>
    (opened[source] ??= openLines(sources[source]!.files.outcomes, blocks)).lineAt(place)
  const scan = scanSources(sources, plan, options, lineAt)
  const { owners, places } = scan
  const readers = sources.map(({ files }) => createTrajectoryReader(files))
  const rowAt = (index: number): EpisodeRow | undefined => {
    const owner = owners[index]!
    if (owner === 0) return undefined
    const { files } = sources[owner - 1]!
    return parseRow(files.outcomes, lineAt(owner - 1, places[index]!))
  }
  const rows = {
    *[Symbol.iterator]() {
      for (const [index, owner] of owners.entries()) if (owner !== 0) yield rowAt(index)!
    },
  }
  let ownerOf: Map<string, number> | undefined
  /** Asks the reader of each source for the keys whose rows count there. */
  const ask = <Found>(
    keys: readonly string[],
    read: (source: number, keys: readonly string[]) => Map<string, Found>,
  ) => {
    if (ownerOf === undefined) {
      ownerOf = new Map()
      for (const [index, owner] of owners.entries()) if (owner !== 0) ownerOf.set(rowAt(index)!.key, owner - 1)
    }
    const own = sources.map((_, source) => keys.filter((key) => ownerOf!.get(key) === source))
    return new Map(own.flatMap((some, source) => (some.length === 0 ? [] : [...read(source, some)])))
  }
  const shrunks = sources.map(({ files }) => readShrunk(files.shrunk))
  const shrunk = new Map(shrunks.flatMap(({ episodes }) => [...episodes]))
  const stored = owners.reduce((count, owner) => (owner === 0 ? count : count + 1), 0)
  const isWriting = sources.some(({ files }) => isLocked(files.lock))
  const stopped = sources.map(({ files }) => readStopped(files.stopped).stopped).find((one) => one !== undefined)
  const prices = joinPrices(all, accepted)
  const sessions = sources.flatMap(({ files }) => readSessions(files.sessions).sessions)
  return {
    folder: folders.join(' '),
    sources,
    plan,
    experiment,
    ...(history.length > 0 && { history: history.sort((a, b) => (a.date < b.date ? -1 : 1)) }),
    rows,
    unordered: rows,
    stored,
    planned: owners.length,
    ...describeExperiment(experiment),
    notes: scan.notes,
    get remarks() {
      const of = (source: number): string => sources[source]!.files.folder
      return [
        ...scan.remarks,
        ...shrunks.flatMap(({ notes }, source) => notes.map((note) => `${of(source)}: ${note}`)),
        ...readers.flatMap((reader, source) => reader.leftOut().map((note) => `${of(source)}: ${note}`)),
      ]
    },
    accepted,
    trajectories: (keys) => ask(keys, (source, some) => readers[source]!.read(some)),
    calls: (keys) => ask(keys, (source, some) => readers[source]!.calls(some)),
    servers,
    ...(prices.size > 0 && { prices }),
    ...(shrunk.size > 0 && { shrunk }),
    ...sumSessions([...new Map(sessions.map((one) => [one.session, one])).values()]),
    ...(isWriting && { writing: true }),
    ...(stored < owners.length && (stopped !== undefined || !isWriting) && { stopped: stopped ?? playedPart }),
    rowAt,
    placesIn: (source) => Float64Array.from(indicesOf(owners, source + 1), (index) => places[index]!).sort(),
    close() {
      for (const lines of opened) lines?.close()
      opened.length = 0
    },
  }
}

function* indicesOf(owners: Uint16Array, owner: number): Generator<number, void, undefined> {
  for (let index = owners.indexOf(owner); index !== -1; index = owners.indexOf(owner, index + 1)) yield index
}

/** A folder may be named twice, as by two patterns. */
function onceEach(folders: readonly string[]): string[] {
  return [...new Map(folders.map((folder) => [placeOf(folder), folder])).values()]
}

/** A folder's path without links; as given where there is no such folder. */
export function placeOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

/** Reads the plan of a run. @throws ShaketableError `store` if there is none, or it is damaged */
function readSource(folder: string): Source {
  const files = filesOf(folder)
  const found = readPlan(files.plan)
  if (found === undefined) throw noRun(folder)
  return { files, found }
}

function joinTwo(sources: readonly Source[], index: number, was: Plan, is: Plan): Plan {
  if (canonicalJson(was) === canonicalJson(is)) return was
  const { plan, refused } = joinPlans(was, is)
  if (plan !== undefined) return plan
  const [{ files: first }, { files: other }] = [sources[0]!, sources[index]!]
  const before = index === 1 ? first.folder : `${first.folder} and those after it`
  throw new ShaketableError(
    'store',
    `${other.folder} cannot be joined with ${before}, since equal names stand for different episodes:\n${describeDifferences(refused)}\nJoin only runs of one version and one set of settings, and report the others apart.`,
  )
}

/** Prices of all runs; of a model with several those of the last run. */
function joinPrices(sources: readonly Source[], accepted: string[]): Prices {
  const joined = new Map<string, { readonly prompt: number; readonly completion: number }>()
  for (const { files } of sources) {
    for (const [model, price] of readStoredPrices(files.prices).prices ?? []) {
      const before = joined.get(model)
      if (before !== undefined && canonicalJson(before) !== canonicalJson(price)) {
        accepted.push(`The runs have different prices of ${model}; those of ${files.folder} count.`)
      }
      joined.set(model, price)
    }
  }
  return joined
}

/** Result of scanning the rows of all sources. */
interface Scan {
  /** Number of the source of each cell's row, from 1; 0 without a row. */
  readonly owners: Uint16Array
  /** Offset of each cell's row in the file of its source, in bytes. */
  readonly places: Float64Array
  readonly notes: readonly string[]
  readonly remarks: readonly string[]
}

type ReadLine = (source: number, place: number) => string | undefined

/** The most sources of one result: their numbers are kept in 16 bits. */
const maxSources = 65_535
/** The most contradictions and damaged lines that are named one by one. */
const maxNamed = 10

function scanSources(sources: readonly Source[], plan: Plan, { prefer }: JoinOptions, lineAt: ReadLine): Scan {
  if (sources.length > maxSources) {
    throw new ShaketableError('usage', `Expected at most ${grouped(maxSources)} runs, got ${grouped(sources.length)}.`)
  }
  const cellCount = countCells(plan)
  const [owners, places, isSettled] = [
    new Uint16Array(cellCount),
    new Float64Array(cellCount),
    new Uint8Array(cellCount),
  ]
  const [notes, remarks]: string[][] = [[], []]
  const contradictions = createContradictions()
  for (const [source, { files }] of sources.entries()) {
    const isWriting = isLocked(files.lock)
    if (isWriting) remarks!.push(`${files.folder} is being written; what it has so far is read.`)
    const own = createNotes(files)
    const { lost, prompts, trajectories } = findDamage(files, new Set())
    for (const { number } of trajectories.damaged) own.damaged('trajectories.jsonl', number)
    for (const { number } of prompts.damaged) own.damaged('prompts.jsonl', number)
    let [unknown, isUnchecked] = [0, false]
    for (const { line, row, place: index } of readRows(files.outcomes, plan)) {
      if (!line.ended) {
        if (!isWriting) own.say(`${files.outcomes}: the last line is unfinished and left out.`)
        break
      }
      isUnchecked ||= row !== undefined && line.state === 'unchecked'
      if (row === undefined) own.damaged('outcomes.jsonl', line.number)
      else if (index === undefined) unknown++
      else if (!lost.has(row.key)) {
        const owner = owners[index]!
        const isValidRow = isValid(row.outcome)
        if (isSettled[index] === 1) {
          if (!isValidRow || owner === source + 1) continue
          const was = parseRow(sources[owner - 1]!.files.outcomes, lineAt(owner - 1, places[index]!))
          if (agree(was, row)) continue
          if (prefer === undefined) {
            const { outcomes } = sources[owner - 1]!.files
            const at = places[index]!
            contradictions.add(
              row,
              () => `${outcomes}:${String(lineNumberAt(outcomes, at))}`,
              `${files.outcomes}:${String(line.number)}`,
            )
          } else contradictions.settle()
          if (prefer === undefined || (row.date ?? '') < (was.date ?? '')) continue
        }
        owners[index] = source + 1
        places[index] = line.offset
        if (isValidRow) isSettled[index] = 1
      }
    }
    if (unknown > 0) own.say(`${files.outcomes}: left out ${count(unknown, 'row')} with a key that no plan has.`)
    notes!.push(...own.sentences())
    if (isUnchecked) {
      remarks!.push(
        `${files.folder} has lines without a checksum, as earlier versions wrote them: damage in them can go unnoticed.`,
      )
    }
  }
  contradictions.refuse()
  if (contradictions.settled() > 0) {
    notes!.push(`${count(contradictions.settled(), 'episode')} had different rows in several runs; the newest counts.`)
  }
  return { owners, places, notes: notes!, remarks: remarks! }
}

/** Sentences on one source; of its damaged lines the first are named one by one. */
function createNotes({ folder }: RunFiles) {
  const sentences: string[] = []
  let damaged = 0
  return {
    say: (sentence: string) => void sentences.push(sentence),
    damaged(file: string, number: number): void {
      if (++damaged <= maxNamed) {
        sentences.push(
          `${join(folder, file)}:${String(number)}: DAMAGED, the line is not as it was written: ${leftOut}`,
        )
      }
    },
    sentences: () =>
      damaged > maxNamed
        ? [...sentences, `${folder}: LEFT OUT ${count(damaged - maxNamed, 'more damaged line')}.`]
        : sentences,
  }
}

/**
 * Whether two rows have one result. The date, the names in replies and the number of attempts are not part of it; rows of older
 * versions have fewer fields, and agree if those do that both have.
 */
export function agree(one: EpisodeRow, other: EpisodeRow): boolean {
  return isEqual(contentOf(one), contentOf(other), isOlder(one) || isOlder(other))
}

function isOlder({ trace, actions }: EpisodeRow): boolean {
  return trace === undefined || actions === undefined
}

function contentOf(row: EpisodeRow): object {
  return { ...row, date: undefined, servedBy: undefined, measures: { ...row.measures, attempts: undefined } }
}

function isEqual(one: object, other: object, onlyShared: boolean): boolean {
  if (!onlyShared) return canonicalJson(one) === canonicalJson(other)
  const values = new Map(Object.entries(other))
  return Object.entries(one).every(([name, value]) => {
    if (!values.has(name)) return true
    const theirs: unknown = values.get(name)
    return name === 'measures'
      ? isEqual(value as object, theirs as object, true)
      : canonicalJson(value) === canonicalJson(theirs)
  })
}

/** Collects episodes whose rows differ between runs. */
export function createContradictions() {
  const named: string[] = []
  let total = 0
  return {
    /** Counts one that is settled by --prefer. */
    settle: () => void total++,
    settled: () => total,
    /** @param first where one of the rows is; computed only if it is named */
    add(row: EpisodeRow, first: () => string, second: string): void {
      if (++total <= maxNamed) named.push(`  ${nameRow(row)}: ${first()} and ${second}`)
    },
    /** @throws ShaketableError `store` if there were any */
    refuse(): void {
      if (named.length === 0) return
      const more = total > named.length ? `\n  … and ${grouped(total - named.length)} more` : ''
      throw new ShaketableError(
        'store',
        `Expected one result of each episode, got different rows of ${count(total, 'episode')}:\n${named.join('\n')}${more}\nLeave one of the runs out, or give --prefer newest to take the later row of each.`,
      )
    },
  }
}

/** The names of a row's episode. */
export function nameRow({ environment, task, column, model, agent, temperature, seed }: EpisodeRow): string {
  return `${environment}, ${task}, ${column}, ${model}, ${agent}, temperature ${String(temperature)}, seed ${String(seed)}`
}

function lineNumberAt(path: string, place: number): number {
  for (const { offset, number } of readLines(path, 1)) if (offset === place) return number
  return 0
}
