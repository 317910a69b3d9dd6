import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { DataFilter, EvaluationText, RowPlace, RowTest } from './data-filter.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import { writeWhole } from '../files/write-whole.js'
import type { RowWriter } from './create-row-writer.js'
import { createRowWriter, makeOutputFolder } from './create-row-writer.js'
import type { RowProblem, RowRecord } from './read-rows.js'
import { readRows } from './read-rows.js'
import { layoutOf } from './records.js'
import type { DropSample, FilterManifest, FilterReason, FilteredFile } from './manifest.js'
import { DropTally, describeEvaluation } from './manifest.js'
import type { FilePlan, PlannedFile } from './plan-files.js'

/** Inputs and options of a filter run. */
export interface FilterJob {
  readonly plan: FilePlan
  readonly filters: readonly DataFilter[]
  /** The environments whose rows are in-domain, under the names that the filters give them. */
  readonly environments: readonly string[]
  readonly evaluation: readonly EvaluationText[]
  /** Number of samples to keep for each rule and environment. */
  readonly samples: number
  /** Whether existing files may be replaced by different ones. */
  readonly force: boolean
  /** Version of shaketable, for the manifest. */
  readonly version: string
  readonly signal?: AbortSignal
}

/** Result of a filter run. */
export interface FilterOutcome {
  readonly manifest: FilterManifest
  readonly samples: readonly DropSample[]
}

const maxProblems = 100
/** Rows after which pending events such as an interrupt are handled. */
const pauseRows = 64

/**
 * Filters files of training data row by row in bounded memory. All output files appear at the end, complete, or none
 * does.
 * @throws ShaketableError `bad-input` for data that cannot be read or a filter that fails, `store` for output files
 * that already exist or cannot be written; and the reason of the signal if it aborts
 */
export async function filterFiles(job: FilterJob): Promise<FilterOutcome> {
  const { plan, filters, environments, evaluation } = job
  refuseExisting(plan, job.force)
  const tests = filters.map((filter) => ({ filter, test: openFilter(filter, job) }))
  const tally = new DropTally(job.samples, expectedRules(filters, environments))
  const problems: RowProblem[] = []
  const note = (problem: RowProblem): void => {
    if (problems.length < maxProblems) problems.push({ ...problem, file: basename(problem.file) })
  }
  const writers: RowWriter[] = []
  try {
    if (plan.folder !== undefined) makeOutputFolder(plan.folder)
    const files: FilteredFile[] = []
    for (const file of plan.files) files.push(await filterFile(file, tests, tally, note, writers, job.signal))
    const sum = (of: 'rows' | 'kept' | 'unreadable'): number => files.reduce((all, file) => all + file[of], 0)
    const { dropped, ...drops } = tally.result()
    const manifest: FilterManifest = {
      schema: 1,
      shaketable: job.version,
      filters: filters.map(({ name, version, summary, source, rules }) => ({ name, version, summary, source, rules })),
      environments,
      evaluation: describeEvaluation(evaluation),
      files,
      rows: sum('rows'),
      kept: sum('kept'),
      dropped,
      unreadable: sum('unreadable'),
      ...drops,
      problems: { count: sum('unreadable'), first: problems },
    }
    const text = `${JSON.stringify(manifest, null, 2)}\n`
    job.signal?.throwIfAborted()
    for (const writer of writers) writer.close()
    if (plan.manifest !== undefined) writeWhole(plan.manifest, text, 'Give --manifest another path')
    return { manifest, samples: tally.samples() }
  } finally {
    for (const writer of writers) writer.abandon()
  }
}

interface OpenFilter {
  readonly filter: DataFilter
  readonly test: RowTest
}

async function filterFile(
  { path, name, output }: PlannedFile,
  tests: readonly OpenFilter[],
  tally: DropTally,
  note: (problem: RowProblem) => void,
  writers: RowWriter[],
  signal: AbortSignal | undefined,
): Promise<FilteredFile> {
  let [rows, kept, unreadable] = [0, 0, 0]
  const writer = output === undefined ? undefined : createRowWriter(output, layoutOf(path).container)
  if (writer !== undefined) writers.push(writer)
  const place: RowPlace = { file: name }
  const records = readRows(path, {
    problem: (problem) => {
      unreadable++
      note(problem)
    },
  })
  for (const record of records) {
    rows++
    const reasons = tests.flatMap((one) => reasonsOf(one, record, place, path))
    if (reasons.length > 0) {
      tally.add(name, record, reasons)
    } else {
      kept++
      writer?.writeRaw(record.raw)
    }
    if (rows % pauseRows === 0) {
      await setImmediate()
      signal?.throwIfAborted()
    }
  }
  const written = writer?.finish()
  return {
    file: name,
    bytes: statSync(path).size,
    sha256: await hashFile(path),
    rows,
    kept,
    dropped: rows - kept,
    unreadable,
    ...(written !== undefined && { output: { file: basename(output!), ...written } }),
  }
}

/** The rules that are listed even with a count of 0: those of each filter, in each of its requested environments. */
function expectedRules(filters: readonly DataFilter[], environments: readonly string[]) {
  return filters.flatMap(({ name, rules, environments: own }) =>
    (own.length === 0 ? [undefined] : environments.filter((one) => own.some((known) => known.name === one))).flatMap(
      (environment) =>
        rules.map((rule) => ({ filter: name, rule: rule.name, ...(environment !== undefined && { environment }) })),
    ),
  )
}

function openFilter(filter: DataFilter, { environments, evaluation }: FilterJob): RowTest {
  let test: unknown
  try {
    test = filter.open({ environments, evaluation })
  } catch (thrown) {
    throw new ShaketableError('bad-input', `The data filter '${filter.name}' cannot be opened: ${messageOf(thrown)}`, {
      cause: thrown,
    })
  }
  if (typeof test === 'function') return test as RowTest
  throw new ShaketableError(
    'bad-input',
    `open() of the data filter '${filter.name}' must give a function that reads a row, got ${typeof test}.`,
  )
}

function reasonsOf(
  { filter, test }: OpenFilter,
  { row, line }: RowRecord,
  place: RowPlace,
  path: string,
): FilterReason[] {
  const at = `The data filter '${filter.name}' at ${path}:${String(line)}`
  let returned: unknown
  try {
    returned = test(row, place)
  } catch (thrown) {
    throw new ShaketableError('bad-input', `${at} fails: ${messageOf(thrown)}`, { cause: thrown })
  }
  if (returned === undefined) return []
  const reasons = reasonsGiven.safeParse([returned].flat())
  if (reasons.success) return reasons.data.map((reason) => ({ ...reason, filter: filter.name }))
  throw new ShaketableError(
    'bad-input',
    `${at}: expected nothing, or reasons of { rule, evidence } in strings, got ${JSON.stringify(returned)?.slice(0, 100) ?? typeof returned}.`,
  )
}

const reasonsGiven = z.array(
  z.object({ rule: z.string(), evidence: z.string(), environment: z.string().exactOptional() }),
)

function refuseExisting(plan: FilePlan, force: boolean): void {
  for (const path of [...plan.files.map(({ output }) => output), plan.manifest]) {
    if (path === undefined || !existsSync(path)) continue
    if (!statSync(path).isFile()) {
      throw new ShaketableError('usage', `Expected the path of a file, but ${path} is not one. Give another path.`)
    }
    if (force) continue
    throw new ShaketableError(
      'store',
      `${path} exists already. Give another path, or --force to replace it. Nothing was written.`,
    )
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
