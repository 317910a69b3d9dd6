import { createHash } from 'node:crypto'
import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { ShaketableError, messageOf } from '../core/errors.js'
import { writeWhole } from '../files/write-whole.js'
import type { RowWriter, Written } from './create-row-writer.js'
import { createRowWriter, makeOutputFolder } from './create-row-writer.js'
import type { DataFilter, DropReason, EvaluationText, RowTest } from './data-filter.js'
import type { RowProblem, RowRecord } from './read-rows.js'
import { readRows } from './read-rows.js'
import { openRecords } from './records.js'

/** Inputs and options of a filter run. */
export interface FilterJob {
  readonly data: readonly string[]
  /**
   * Where kept rows go: a file for one file of data, or a folder for several; its manifest stands beside it. Absent: what
   * would be dropped is counted, and nothing is written.
   */
  readonly out?: string | undefined
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

/** One filtered file. */
interface FilteredFile {
  /** File name without folders. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly rows: number
  readonly kept: number
  readonly dropped: number
  /** Records that could not be read; no output contains them. */
  readonly unreadable: number
  /** The output; absent if none was requested. */
  readonly output?: Written & { readonly file: string }
}

/** How many rows of an environment a rule matched, and how many of them no other rule matched. */
interface RuleCount {
  readonly filter: string
  readonly rule: string
  readonly rows: number
  readonly alone: number
}

/** Rows dropped for one environment; without a name, rows dropped by rules that concern no environment. */
interface EnvironmentCount {
  readonly environment?: string
  readonly rows: number
  readonly rules: readonly RuleCount[]
}

/**
 * What was removed from training data, by which filter, and why, so that a paper can report it and others can check it.
 * Plain JSON without a timestamp.
 */
interface FilterManifest {
  readonly schema: 1
  /** Version of shaketable. */
  readonly shaketable: string
  readonly filters: readonly Pick<DataFilter, 'name' | 'version' | 'summary' | 'source' | 'rules'>[]
  readonly environments: readonly string[]
  /** The texts of evaluation tasks that rows were compared with. */
  readonly evaluation: readonly { readonly environment: string; readonly texts: number; readonly sha256: string }[]
  readonly files: readonly FilteredFile[]
  readonly rows: number
  readonly kept: number
  readonly dropped: number
  readonly unreadable: number
  readonly counts: readonly EnvironmentCount[]
  readonly problems: { readonly count: number; readonly first: readonly RowProblem[] }
}

/** A reason with the name of its filter. */
interface FilterReason extends DropReason {
  readonly filter: string
}

/** A dropped row with the evidence that a rule found. */
interface DropSample extends FilterReason {
  readonly file: string
  readonly record: number
  readonly id?: string
}

/** Result of a filter run. */
export interface FilterOutcome {
  readonly manifest: FilterManifest
  /** The first rows of each rule. */
  readonly samples: readonly DropSample[]
}

const maxProblems = 100
const maxEvidence = 200
/** Rows after which pending events such as an interrupt are handled. */
const pauseRows = 64

/**
 * Filters files of training data row by row. All output files appear at the end, complete, or none does.
 * @throws ShaketableError `usage` for outputs that are inputs, `bad-input` for data that cannot be read or a filter that
 * fails, `store` for output files that already exist or cannot be written; and the reason of the signal if it aborts
 */
export async function filterFiles(job: FilterJob): Promise<FilterOutcome> {
  const { data, out, filters, environments, evaluation, version, signal } = job
  const files = data.map((path) => {
    const name = basename(path)
    return { path, name, ...(out !== undefined && { output: data.length > 1 ? join(out, name) : out }) }
  })
  const manifestPath = out === undefined ? undefined : `${out}.manifest.json`
  checkOutputs(
    data,
    [...files.flatMap(({ output = [] }) => output), ...(manifestPath === undefined ? [] : [manifestPath])],
    job.force,
  )
  const tests = filters.map((filter) => ({ filter, test: openFilter(filter, job) }))
  const tally = createTally(job)
  const problems: RowProblem[] = []
  const writers: RowWriter[] = []

  const filterFile = async ({ path, name, output }: (typeof files)[number]): Promise<FilteredFile> => {
    let [rows, kept, unreadable] = [0, 0, 0]
    const { container, records } = openRecords(path)
    const writer = output === undefined ? undefined : createRowWriter(output, container)
    if (writer !== undefined) writers.push(writer)
    const problem = (found: RowProblem): void => {
      unreadable++
      if (problems.length < maxProblems) problems.push({ ...found, file: name })
    }
    for (const record of readRows(path, { problem, records })) {
      const reasons = tests.flatMap((one) => reasonsOf(one, record, path))
      if (reasons.length > 0) tally.add(name, record, reasons)
      else {
        kept++
        writer?.writeRaw(record.raw)
      }
      if (++rows % pauseRows > 0) continue
      await setImmediate()
      signal?.throwIfAborted()
    }
    const written = writer?.finish()
    return {
      ...{ file: name, bytes: statSync(path).size, sha256: await hashFile(path), rows, kept, dropped: rows - kept },
      unreadable,
      ...(written !== undefined && { output: { file: basename(output!), ...written } }),
    }
  }
  try {
    if (out !== undefined && data.length > 1) makeOutputFolder(out)
    const filtered: FilteredFile[] = []
    for (const file of files) filtered.push(await filterFile(file))
    const sum = (of: 'rows' | 'kept' | 'dropped' | 'unreadable'): number =>
      filtered.reduce((all, file) => all + file[of], 0)
    const manifest: FilterManifest = {
      schema: 1,
      shaketable: version,
      filters: filters.map(({ name, version, summary, source, rules }) => ({ name, version, summary, source, rules })),
      environments,
      evaluation: describeEvaluation(evaluation),
      files: filtered,
      ...{ rows: sum('rows'), kept: sum('kept'), dropped: sum('dropped'), unreadable: sum('unreadable') },
      counts: tally.counts(),
      problems: { count: sum('unreadable'), first: problems },
    }
    signal?.throwIfAborted()
    for (const writer of writers) writer.close()
    if (manifestPath !== undefined)
      writeWhole(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`, 'Give --out another path')
    return { manifest, samples: tally.samples() }
  } finally {
    for (const writer of writers) writer.abandon()
  }
}

/** What rows were compared with, by environment. */
function describeEvaluation(evaluation: readonly EvaluationText[]): FilterManifest['evaluation'] {
  const names = [...new Set(evaluation.map(({ environment }) => environment))]
  return names.map((environment) => {
    const own = evaluation.filter((one) => one.environment === environment)
    const hash = createHash('sha256')
    for (const { text } of own) hash.update(`${JSON.stringify(text)}\n`)
    return { environment, texts: own.length, sha256: hash.digest('hex') }
  })
}

/** Counts dropped rows. The rules of each filter, in each of its requested environments, are listed with a count of 0. */
function createTally({ filters, environments, samples: samplesEach }: FilterJob) {
  type Count = { -readonly [key in keyof RuleCount]: RuleCount[key] } & { readonly samples: DropSample[] }
  const found = new Map<string | undefined, { rows: number; readonly rules: Map<string, Count> }>()
  const countOf = (environment: string | undefined, filter: string, rule: string): Count => {
    const one = found.get(environment) ?? { rows: 0, rules: new Map<string, Count>() }
    found.set(environment, one)
    const key = JSON.stringify([filter, rule])
    const count = one.rules.get(key) ?? { filter, rule, rows: 0, alone: 0, samples: [] }
    one.rules.set(key, count)
    return count
  }
  for (const { name, rules, environments: own } of filters) {
    const all = own.length === 0 ? [undefined] : environments.filter((one) => own.some((known) => known.name === one))
    for (const environment of all) for (const rule of rules) countOf(environment, name, rule.name)
  }
  return {
    add(file: string, { row, record }: RowRecord, reasons: readonly FilterReason[]): void {
      for (const environment of new Set(reasons.map((reason) => reason.environment))) {
        const own = reasons.filter((reason) => reason.environment === environment)
        const counts = new Map(
          own.toReversed().map((reason) => [countOf(environment, reason.filter, reason.rule), reason]),
        )
        for (const [count, reason] of counts) {
          count.rows++
          if (counts.size === 1) count.alone++
          if (count.samples.length >= samplesEach) continue
          const id = row.id === undefined ? {} : { id: row.id.slice(0, maxEvidence) }
          count.samples.push({ ...reason, evidence: reason.evidence.slice(0, maxEvidence), file, record, ...id })
        }
        found.get(environment)!.rows++
      }
    },
    counts: (): readonly EnvironmentCount[] =>
      Array.from(found, ([environment, { rows, rules }]) => ({
        ...(environment !== undefined && { environment }),
        rows,
        rules: Array.from(rules.values(), ({ filter, rule, rows: matched, alone }) => ({
          filter,
          rule,
          rows: matched,
          alone,
        })),
      })),
    samples: () => [...found.values()].flatMap(({ rules }) => [...rules.values()].flatMap(({ samples }) => samples)),
  }
}

function openFilter(filter: DataFilter, { environments, evaluation }: FilterJob): RowTest {
  let test: unknown
  try {
    test = filter.open({ environments, evaluation })
  } catch (cause) {
    throw new ShaketableError('bad-input', `The data filter '${filter.name}' cannot be opened: ${messageOf(cause)}`, {
      cause,
    })
  }
  if (typeof test === 'function') return test as RowTest
  throw new ShaketableError(
    'bad-input',
    `open() of the data filter '${filter.name}' must give a function that reads a row, got ${typeof test}.`,
  )
}

const reasonsGiven = z.array(
  z.object({ rule: z.string(), evidence: z.string(), environment: z.string().exactOptional() }),
)

function reasonsOf(
  { filter, test }: { readonly filter: DataFilter; readonly test: RowTest },
  { row, record }: RowRecord,
  path: string,
): FilterReason[] {
  const at = `The data filter '${filter.name}' at ${path}:${String(record)}`
  let returned: unknown
  try {
    returned = test(row, { file: basename(path) })
  } catch (cause) {
    throw new ShaketableError('bad-input', `${at} fails: ${messageOf(cause)}`, { cause })
  }
  if (returned === undefined) return []
  const reasons = reasonsGiven.safeParse([returned].flat())
  if (reasons.success) return reasons.data.map((reason) => ({ ...reason, filter: filter.name }))
  throw new ShaketableError(
    'bad-input',
    `${at}: expected nothing, or reasons of { rule, evidence } in strings, got ${JSON.stringify(returned)?.slice(0, 100) ?? typeof returned}.`,
  )
}

/** Refuses outputs that are inputs, are one file, or exist. */
function checkOutputs(data: readonly string[], outputs: readonly string[], force: boolean): void {
  const double = outputs.find((path, index) => outputs.indexOf(path) !== index)
  if (double !== undefined)
    throw new ShaketableError(
      'usage',
      `Expected files of different names, got two for ${double}. Filter one of them alone.`,
    )
  for (const path of outputs.filter((one) => existsSync(one))) {
    const same = data.find((one) => existsSync(one) && realpathSync(one) === realpathSync(path))
    if (same !== undefined) {
      throw new ShaketableError('usage', `${same} would be overwritten by what is made of it. Give --out another path.`)
    }
    if (statSync(path).isFile() && force) continue
    throw new ShaketableError(
      'store',
      `${path} exists already. Give another path, or --force to replace a file. Nothing was written.`,
    )
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
