import { setImmediate } from 'node:timers/promises'
import { join } from 'node:path'
import { existsSync, statSync } from 'node:fs'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { estimateTokens } from '../../core/fit.js'
import type { TrainingRow } from '../../core/training.js'
import { readText } from '../../files/read-text.js'
import { makeFolder } from '../../files/make-folder.js'
import { asWriteError } from '../../files/write-error.js'
import { writeWhole } from '../../files/write-whole.js'
import type { Written } from '../formats/create-row-writer.js'
import { createRowWriter } from '../formats/create-row-writer.js'
import type { RowProblem } from '../formats/read-rows.js'
import { readTraining } from './read-training.js'
import type { SftSetting, TurnKind } from './settings.js'
import { applySetting, kindsOf } from './settings.js'

/** Inputs and options of an export. */
export interface SftJob {
  readonly data: readonly string[]
  /** Output folder; created if missing. */
  readonly folder: string
  /** Name of the data set and of its file. */
  readonly name: string
  readonly setting: SftSetting
  readonly force: boolean
  readonly signal?: AbortSignal
}

/** Result of an export. Turns are those of the assistant in written rows. */
export interface SftOutcome {
  readonly file: string
  readonly info: string
  readonly written: Written
  readonly rows: number
  /** Rows that were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>
  readonly turns: number
  readonly masked: number
  /** Turns of the same rows before the setting was applied, by kind. */
  readonly kinds: Readonly<Record<TurnKind, number>>
  /** Estimated tokens: of everything that was written, and of what is learned from. */
  readonly tokens: number
  readonly learnedTokens: number
  readonly problems: readonly RowProblem[]
  readonly problemCount: number
}

const maxProblems = 100
const pauseRows = 256

/**
 * Writes training files in ShareGPT form with a loss flag for each assistant turn, and adds them to LLaMA-Factory's
 * list of data sets, row by row in bounded memory. Both files appear at the end, complete, or neither does.
 * @throws ShaketableError `bad-input` for data or a list that cannot be read, or data without a usable row; `store` if
 * the file already exists or cannot be written; and the reason of the signal if it aborts
 */
export async function exportSft(job: SftJob): Promise<SftOutcome> {
  const { folder, name, setting, signal } = job
  const [file, info] = [join(folder, `${name}.jsonl`), join(folder, datasetInfoName)]
  makeOutputFolder(folder)
  if (!job.force && existsSync(file)) {
    throw new ShaketableError('store', `${file} is there already. Give --name another name, or --force to replace it.`)
  }
  const merge = (): string => mergeDatasetInfo(info, name, datasetEntry(`${name}.jsonl`))
  merge()
  const leftOut = new Map<string, number>()
  const kinds: Record<TurnKind, number> = { right: 0, wrong: 0, correction: 0, ready: 0 }
  const problems: RowProblem[] = []
  let [rows, turns, masked, tokens, learnedTokens, problemCount] = [0, 0, 0, 0, 0, 0]
  const problem = (found: RowProblem): void => {
    problemCount++
    if (problems.length < maxProblems) problems.push(found)
  }
  const convert = (row: TrainingRow): TrainingRow | undefined => {
    const converted = applySetting(row, setting)
    if ('unusable' in converted) {
      leftOut.set(converted.unusable, (leftOut.get(converted.unusable) ?? 0) + 1)
      return undefined
    }
    for (const kind of kindsOf(row)) if (kind !== undefined) kinds[kind]++
    for (const turn of converted.turns) {
      const size = estimateTokens([{ role: turn.role, content: turn.text }])
      tokens += size
      if (turn.role !== 'assistant') continue
      turns++
      if (turn.loss === true) learnedTokens += size
      else masked++
    }
    return converted
  }
  const writer = createRowWriter(file, 'agentinstruct')
  try {
    for (const path of job.data) {
      for (const row of readTraining(path, { problem })) {
        rows++
        if (rows % pauseRows === 0) await setImmediate()
        signal?.throwIfAborted()
        const converted = convert(row)
        if (converted !== undefined) writer.write(converted)
      }
    }
    signal?.throwIfAborted()
    const written = writer.finish()
    if (written.records === 0) {
      const why = [...leftOut.keys(), ...problems.map(({ message }) => message)][0] ?? 'there are no records'
      throw new ShaketableError(
        'bad-input',
        `Expected rows to train on in ${job.data.join(', ')}, got none: ${why}. Check the data.`,
      )
    }
    const text = merge()
    writer.close()
    writeWhole(info, text, 'Give --out another folder')
    return {
      file,
      info,
      written,
      rows,
      leftOut: Object.fromEntries(leftOut),
      turns,
      masked,
      kinds,
      tokens,
      learnedTokens,
      problems,
      problemCount,
    }
  } finally {
    writer.abandon()
  }
}

function makeOutputFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (thrown) {
    throw asWriteError(thrown, folder, 'Give --out another folder')
  }
  if (!statSync(folder).isDirectory()) {
    throw new ShaketableError('store', `Expected a folder at ${folder}, but it is not one. Give --out another folder.`)
  }
}

/** Name of the file that LLaMA-Factory reads as its list of data sets. */
const datasetInfoName = 'dataset_info.json'

const maxBytes = 10_000_000

/** The entry of a file in ShareGPT form in that list. */
function datasetEntry(fileName: string): Readonly<Record<string, unknown>> {
  return {
    file_name: fileName,
    formatting: 'sharegpt',
    columns: { messages: 'conversations' },
    tags: {
      role_tag: 'from',
      content_tag: 'value',
      user_tag: 'human',
      assistant_tag: 'gpt',
      system_tag: 'system',
    },
  }
}

/**
 * The text of a `dataset_info.json` with an entry added or replaced. All other entries keep their order and content.
 * @throws ShaketableError `bad-input` if the file exists and is not an object of entries; the file is not changed
 */
function mergeDatasetInfo(path: string, name: string, entry: Readonly<Record<string, unknown>>): string {
  const entries = existsSync(path) ? readEntries(path) : {}
  return `${JSON.stringify(Object.fromEntries([...Object.entries(entries).filter(([key]) => key !== name), [name, entry]]), null, 2)}\n`
}

/** The existing entries. @throws ShaketableError `bad-input` */
function readEntries(path: string): Readonly<Record<string, unknown>> {
  const advice = 'Correct it, or give --out another folder.'
  const refuse = (got: string): never => {
    throw new ShaketableError(
      'bad-input',
      `Expected an object of LLaMA-Factory's data sets in ${path}, but ${got}. ${advice}`,
    )
  }
  const text = readText('The list of data sets', path, advice, maxBytes)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (thrown) {
    return refuse(`it is not JSON: ${messageOf(thrown)}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return refuse('it holds something else')
  const broken = Object.entries(parsed).find(([, value]) => typeof value !== 'object' || value === null)
  return broken === undefined
    ? (parsed as Record<string, unknown>)
    : refuse(`its entry '${broken[0].slice(0, 80)}' is not an object`)
}
