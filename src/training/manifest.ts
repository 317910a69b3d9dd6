import { createHash } from 'node:crypto'
import type { DataFilter, DropReason, EvaluationText } from './data-filter.js'
import type { Written } from './create-row-writer.js'
import type { RowProblem, RowRecord } from './read-rows.js'

/** One filtered file. */
export interface FilteredFile {
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

/**
 * What was removed from training data, by which filter, and why, so that a paper can report it and others can check it.
 * Plain JSON without a timestamp.
 */
export interface FilterManifest {
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

/** What rows were compared with, by environment. */
export function describeEvaluation(evaluation: readonly EvaluationText[]): FilterManifest['evaluation'] {
  const names = [...new Set(evaluation.map(({ environment }) => environment))]
  return names.map((environment) => {
    const own = evaluation.filter((one) => one.environment === environment)
    const hash = createHash('sha256')
    for (const { text } of own) hash.update(`${JSON.stringify(text)}\n`)
    return { environment, texts: own.length, sha256: hash.digest('hex') }
  })
}

/** A reason with the name of its filter. */
export interface FilterReason extends DropReason {
  readonly filter: string
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

/** A dropped row with the evidence that a rule found. */
export interface DropSample extends FilterReason {
  readonly file: string
  readonly record: number
  readonly line: number
  readonly id?: string
}

type Counting = { -readonly [key in keyof RuleCount]: RuleCount[key] } & { readonly samples: DropSample[] }

const maxEvidence = 200

/** Counts dropped rows in bounded memory. A class, since it accumulates over a whole run. */
export class DropTally {
  readonly #samplesEach: number
  readonly #environments = new Map<string, { rows: number; readonly rules: Map<string, Counting> }>()
  #rows = 0

  /** @param expected environments and their rules that are listed even with a count of 0 */
  constructor(
    samplesEach: number,
    expected: readonly { readonly environment?: string; readonly filter: string; readonly rule: string }[],
  ) {
    this.#samplesEach = samplesEach
    for (const { environment, filter, rule } of expected) this.#countOf(environment, filter, rule)
  }

  /** Counts a row that is dropped for one or more reasons. */
  add(file: string, { row, record, line }: RowRecord, reasons: readonly FilterReason[]): void {
    this.#rows++
    const id = row.id === undefined ? {} : { id: row.id.slice(0, maxEvidence) }
    for (const environment of new Set(reasons.map((reason) => reason.environment))) {
      const own = reasons.filter((reason) => reason.environment === environment)
      const first = own.filter(
        ({ filter, rule }, index) => own.findIndex((one) => one.filter === filter && one.rule === rule) === index,
      )
      for (const reason of first) {
        const count = this.#countOf(environment, reason.filter, reason.rule)
        count.rows++
        if (first.length === 1) count.alone++
        const evidence = reason.evidence.slice(0, maxEvidence)
        if (count.samples.length < this.#samplesEach)
          count.samples.push({ ...reason, evidence, file, record, line, ...id })
      }
      this.#environments.get(environment ?? '')!.rows++
    }
  }

  /** What a manifest says of the dropped rows; called once. */
  result(): Pick<FilterManifest, 'dropped' | 'counts'> {
    const counts = [...this.#environments].map(([name, { rows, rules }]) => ({
      ...(name !== '' && { environment: name }),
      rows,
      rules: Array.from(rules.values(), ({ filter, rule, rows: found, alone }) => ({
        filter,
        rule,
        rows: found,
        alone,
      })),
    }))
    return { dropped: this.#rows, counts }
  }

  /** The first rows of each rule. */
  samples(): readonly DropSample[] {
    return [...this.#environments.values()].flatMap(({ rules }) =>
      [...rules.values()].flatMap(({ samples }) => samples),
    )
  }

  #countOf(environment: string | undefined, filter: string, rule: string): Counting {
    const one = this.#environments.get(environment ?? '') ?? { rows: 0, rules: new Map<string, Counting>() }
    this.#environments.set(environment ?? '', one)
    const key = JSON.stringify([filter, rule])
    const count = one.rules.get(key) ?? { filter, rule, rows: 0, alone: 0, samples: [] }
    one.rules.set(key, count)
    return count
  }
}
