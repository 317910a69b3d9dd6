import { createHash } from 'node:crypto'
import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { ShaketableError, messageOf } from '../core/errors.js'
import { writeWhole } from '../files/write-whole.js'
import { type RowWriter, createRowWriter, makeOutputFolder } from './create-row-writer.js'
import type { DataFilter, DropReason, EvaluationText, RowTest } from './data-filter.js'
import { type RowProblem, type RowRecord, openRecords, readRows } from './records.js'

/** Inputs and options of a filter run. */
export interface FilterJob {
  readonly data: readonly string[]
  /**
   * Where kept rows go: a file for one file of data, or a folder for several; its manifest stands beside it. Absent:
   * what would be dropped is counted, and nothing is written.
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

/** Result of a filter run: its manifest, and the first rows that each rule dropped. */
export type FilterOutcome = Awaited<ReturnType<typeof filterFiles>>

const maxProblems = 100
const maxEvidence = 200
/** Rows after which pending events such as an interrupt are handled. */
const pauseRows = 64

/**
 * Filters files of training data row by row. All output files appear at the end, complete, or none does. The manifest
 * tells what was removed, by which filter, and why, so that a paper can report it and others can check it: plain JSON
 * without a timestamp.
 * @throws ShaketableError `usage` for outputs that are inputs, `bad-input` for data that cannot be read or a filter
 * that fails, `store` for output files that already exist or cannot be written; and the reason of the signal if it
 * aborts
 */
export async function filterFiles(job: FilterJob) {
  const { data, out, filters, environments, evaluation, version, signal } = job
  const files = data.map((path) => {
    const name = basename(path)
    return { path, name, ...(out !== undefined && { output: data.length > 1 ? join(out, name) : out }) }
  })
  const manifestPath = out === undefined ? undefined : `${out}.manifest.json`
  checkOutputs(data, [...files.map(({ output }) => output), manifestPath], job.force)
  const tests = filters.map((filter) => ({ filter, test: openFilter(filter, job) }))
  const tally = createTally(job)
  const problems: RowProblem[] = []
  const writers: RowWriter[] = []

  const filterFile = async ({ path, name, output }: (typeof files)[number]) => {
    let [rows, kept, unreadable] = [0, 0, 0]
    const { container, records } = openRecords(path)
    const writer = output === undefined ? undefined : createRowWriter(output, container)
    if (writer !== undefined) writers.push(writer)
    const problem = (report: RowProblem): void => {
      unreadable++
      if (problems.length < maxProblems) problems.push({ ...report, file: name })
    }
    for (const record of readRows(path, { problem, records })) {
      const reasons = tests.flatMap((test) => reasonsOf(test, record, path))
      if (reasons.length > 0) tally.add(name, record, reasons)
      else {
        kept++
        writer?.writeRaw(record.raw)
      }
      if (++rows % pauseRows > 0) continue
      await setImmediate()
      signal?.throwIfAborted()
    }
    const sha256 = await hashFile(path)
    // Records that could not be read are in no output.
    const counts = { file: name, bytes: statSync(path).size, sha256, rows, kept, dropped: rows - kept, unreadable }
    return { counts, ...(writer && { writer, output: basename(output!) }) }
  }
  try {
    if (out !== undefined && data.length > 1) makeOutputFolder(out)
    const filtered: Awaited<ReturnType<typeof filterFile>>[] = []
    for (const file of files) filtered.push(await filterFile(file))
    const sum = (of: 'rows' | 'kept' | 'dropped' | 'unreadable'): number =>
      filtered.reduce((all, { counts }) => all + counts[of], 0)
    signal?.throwIfAborted()
    const manifest = {
      schema: 1,
      shaketable: version,
      filters: filters.map(({ name, version, summary, source, rules }) => ({ name, version, summary, source, rules })),
      environments,
      evaluation: describeEvaluation(evaluation),
      files: filtered.map(({ counts, writer, output }) => ({
        ...counts,
        ...(writer && { output: { file: output!, ...writer.close() } }),
      })),
      ...{ rows: sum('rows'), kept: sum('kept'), dropped: sum('dropped'), unreadable: sum('unreadable') },
      counts: tally.counts(),
      problems: { count: sum('unreadable'), first: problems },
    }
    if (manifestPath !== undefined)
      writeWhole(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`, 'Give --out another path')
    return { manifest, samples: tally.samples() }
  } finally {
    for (const writer of writers) writer.abandon()
  }
}

/** What rows were compared with, by environment. */
function describeEvaluation(evaluation: readonly EvaluationText[]) {
  return Array.from(new Set(evaluation.map(({ environment }) => environment)), (environment) => {
    const texts = evaluation.filter((text) => text.environment === environment)
    const hash = createHash('sha256')
    for (const { text } of texts) hash.update(`${JSON.stringify(text)}\n`)
    return { environment, texts: texts.length, sha256: hash.digest('hex') }
  })
}

/**
 * Counts dropped rows by environment and rule; those of rules about no environment have none. The rules of each filter,
 * in each of its requested environments, are listed with a count of 0. `alone`: rows that no other rule matched.
 */
function createTally({ filters, environments, samples: samplesEach }: FilterJob) {
  type Count = { readonly filter: string; readonly rule: string; rows: number; alone: number }
  type Rule = { readonly count: Count; readonly samples: DropSample[] }
  const sections = new Map<string | undefined, { rows: number; readonly rules: Map<string, Rule> }>()
  const ruleOf = (environment: string | undefined, filter: string, rule: string): Rule => {
    const section = sections.get(environment) ?? { rows: 0, rules: new Map<string, Rule>() }
    sections.set(environment, section)
    const key = JSON.stringify([filter, rule])
    const known = section.rules.get(key) ?? { count: { filter, rule, rows: 0, alone: 0 }, samples: [] }
    section.rules.set(key, known)
    return known
  }
  for (const { name, rules, environments: known } of filters) {
    const all =
      known.length === 0
        ? [undefined]
        : environments.filter((environment) => known.some((filtered) => filtered.name === environment))
    for (const environment of all) for (const rule of rules) ruleOf(environment, name, rule.name)
  }
  return {
    add(file: string, { row, record }: RowRecord, reasons: readonly FilterReason[]): void {
      for (const environment of new Set(reasons.map((reason) => reason.environment))) {
        const here = reasons.filter((reason) => reason.environment === environment).toReversed()
        const rules = new Map(here.map((reason) => [ruleOf(environment, reason.filter, reason.rule), reason]))
        for (const [{ count, samples }, reason] of rules) {
          count.rows++
          if (rules.size === 1) count.alone++
          if (samples.length >= samplesEach) continue
          const id = row.id === undefined ? {} : { id: row.id.slice(0, maxEvidence) }
          samples.push({ ...reason, evidence: reason.evidence.slice(0, maxEvidence), file, record, ...id })
        }
        sections.get(environment)!.rows++
      }
    },
    counts: () =>
      Array.from(sections, ([environment, { rows, rules }]) => ({
        ...(environment !== undefined && { environment }),
        rows,
        rules: Array.from(rules.values(), ({ count }) => count),
      })),
    samples: () => [...sections.values()].flatMap(({ rules }) => [...rules.values()].flatMap(({ samples }) => samples)),
  }
}

function openFilter(filter: DataFilter, { environments, evaluation }: FilterJob): RowTest {
  const test = attempt(`The data filter '${filter.name}' cannot be opened`, () =>
    filter.open({ environments, evaluation }),
  ) as unknown
  if (typeof test === 'function') return test as RowTest
  throw new ShaketableError(
    'bad-input',
    `open() of the data filter '${filter.name}' must give a function that reads a row, got ${typeof test}.`,
  )
}

/** Runs a filter. @throws ShaketableError `bad-input` which begins with `where` if it fails */
function attempt<T>(where: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new ShaketableError('bad-input', `${where}: ${messageOf(cause)}`, { cause })
  }
}

const reasonsSchema = z.array(
  z.object({ rule: z.string(), evidence: z.string(), environment: z.string().exactOptional() }),
)

function reasonsOf(
  { filter, test }: { readonly filter: DataFilter; readonly test: RowTest },
  { row, record }: RowRecord,
  path: string,
): FilterReason[] {
  const at = `The data filter '${filter.name}' at ${path}:${String(record)}`
  const returned: unknown = attempt(`${at} fails`, () => test(row, { file: basename(path) }))
  if (returned === undefined) return []
  const reasons = reasonsSchema.safeParse([returned].flat())
  if (reasons.success) return reasons.data.map((reason) => ({ ...reason, filter: filter.name }))
  throw new ShaketableError(
    'bad-input',
    `${at}: expected nothing, or reasons of { rule, evidence } in strings, got ${JSON.stringify(returned)?.slice(0, 100) ?? typeof returned}.`,
  )
}

/** Refuses outputs that are inputs, are one file, or exist. */
function checkOutputs(data: readonly string[], wanted: readonly (string | undefined)[], force: boolean): void {
  const outputs = wanted.filter((path) => path !== undefined)
  const double = outputs.find((path, index) => outputs.indexOf(path) !== index)
  if (double !== undefined)
    throw new ShaketableError(
      'usage',
      `Expected files of different names, got two for ${double}. Filter one of them alone.`,
    )
  for (const path of outputs.filter((output) => existsSync(output))) {
    const same = data.find((input) => existsSync(input) && realpathSync(input) === realpathSync(path))
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
