import { setImmediate } from 'node:timers/promises'
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { estimateTokens } from '../../models/fit.js'
import type { TrainingRow } from '../../training/data-filter.js'
import { readJson } from '../../files/read-json.js'
import { writeWhole } from '../../files/write-whole.js'
import type { Written } from '../create-row-writer.js'
import { createRowWriter, makeOutputFolder } from '../create-row-writer.js'
import type { RowProblem } from '../read-rows.js'
import { readRows } from '../read-rows.js'
import type { SftSetting, TurnKind } from './settings.js'
import { applySetting, kindsOf } from './settings.js'
import type { TrainingSize } from './trainer-configs.js'
import { configFor, recipe } from './trainer-configs.js'
import type { TrainerName } from './trainers.js'
import { rowsFor, trainers } from './trainers.js'

/** Inputs and options of an export. */
export interface SftJob {
  readonly data: readonly string[]
  /** Output folder; created if missing. */
  readonly folder: string
  /** Name of the data set and of its files, which the trainer's name follows: `NAME.trl.jsonl`. */
  readonly name: string
  readonly setting: SftSetting
  readonly trainer: TrainerName
  /**
   * Name of the model to train and, for LLaMA-Factory, of its chat template; without them the configuration has gaps.
   */
  readonly baseModel?: string
  readonly template?: string
  readonly force: boolean
  readonly signal?: AbortSignal
}

/** Result of an export. Turns are those of the assistant in the trajectories that were written. */
export interface SftOutcome {
  /** Name of the data set. */
  readonly name: string
  readonly file: string
  /** The list of data sets and the configuration, for trainers that have them. */
  readonly info?: string
  readonly config?: string
  readonly written: Written
  /** Trajectories that were read. */
  readonly rows: number
  /** Rows that were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>
  readonly turns: number
  readonly masked: number
  /** Turns of the same rows before the setting was applied, by kind. */
  readonly kinds: Readonly<Record<TurnKind, number>>
  readonly size: TrainingSize
  readonly problems: readonly RowProblem[]
  readonly problemCount: number
}

const elsewhere = 'Give --out another folder'
const maxProblems = 100
const pauseRows = 256

/** The files of an export: the data, and the configuration of trainers that have one. */
export function filesOf({ folder, name, trainer }: Pick<SftJob, 'folder' | 'name' | 'trainer'>): {
  readonly dataSet: string
  readonly file: string
  readonly config?: string
} {
  if (trainer === 'sharegpt') return { dataSet: name, file: join(folder, `${name}.jsonl`) }
  const dataSet = `${name}.${trainer}`
  return { dataSet, file: join(folder, `${dataSet}.jsonl`), config: join(folder, `${dataSet}.yaml`) }
}

/**
 * Writes a training file for a trainer, its configuration, and an entry of LLaMA-Factory's list of data sets, row by
 * row in bounded memory. The files appear at the end, complete, or none does.
 * @throws ShaketableError `bad-input` for data or a list that cannot be read, or data without a usable row; `store` if
 * a file already exists or cannot be written; and the reason of the signal if it aborts
 */
export async function exportSft(job: SftJob): Promise<SftOutcome> {
  const { folder, setting, trainer, signal } = job
  const { dataSet: name, file, config } = filesOf(job)
  const info = trainers[trainer].isListed ? join(folder, datasetInfoName) : undefined
  makeOutputFolder(folder)
  const existing = [file, ...(config === undefined ? [] : [config])].find((path) => existsSync(path))
  if (!job.force && existing !== undefined) {
    throw new ShaketableError(
      'store',
      `${existing} is there already. Give --name another name, or --force to replace it.`,
    )
  }
  const merge = (): string | undefined => (info === undefined ? undefined : mergeDatasetInfo(info, name))
  merge()
  const leftOut = new Map<string, number>()
  const kinds: Record<TurnKind, number> = { right: 0, wrong: 0, correction: 0, ready: 0 }
  const problems: RowProblem[] = []
  let [rows, trajectories, turns, masked, problemCount] = [0, 0, 0, 0, 0]
  let [tokens, tokensRead, learnedTokens, tooLong] = [0, 0, 0, 0]
  const problem = (found: RowProblem): void => {
    problemCount++
    if (problems.length < maxProblems) problems.push(found)
  }
  const convert = function* (row: TrainingRow): Generator<TrainingRow, void, undefined> {
    const converted = applySetting(row, setting)
    const made = 'unusable' in converted ? converted : rowsFor(trainer, converted)
    if ('unusable' in made) {
      leftOut.set(made.unusable, (leftOut.get(made.unusable) ?? 0) + 1)
      return
    }
    trajectories++
    for (const kind of kindsOf(row)) if (kind !== undefined) kinds[kind]++
    let sum = 0
    const sums = made.row.turns.map((turn) => {
      const size = estimateTokens([{ role: turn.role, content: turn.text }])
      if (turn.role === 'assistant') turns++
      if (turn.loss === true) learnedTokens += size
      else if (turn.role === 'assistant') masked++
      return (sum += size)
    })
    tokens += sum
    for (const one of made.rows) {
      const read = sums[one.turns.length - 1]!
      tokensRead += read
      if (read > recipe.maxTokens) tooLong++
      yield one
    }
  }
  let worked = 0
  const pause = async (): Promise<void> => {
    if (++worked % pauseRows === 0) await setImmediate()
    signal?.throwIfAborted()
  }
  const writer = createRowWriter(file, 'lines')
  try {
    for (const path of job.data) {
      for (const { row } of readRows(path, { problem })) {
        rows++
        await pause()
        for (const made of convert(row)) {
          writer.writeRaw(trainers[trainer].print(made))
          await pause()
        }
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
    const size = { trajectories, rows: written.records, tokens, tokensRead, learnedTokens, tooLong }
    const { baseModel, template } = job
    const list = merge()
    const configuration = configFor(trainer, { name, size, baseModel, template })
    writer.close()
    if (info !== undefined && list !== undefined) writeWhole(info, list, elsewhere)
    if (config !== undefined && configuration !== undefined) writeWhole(config, configuration, elsewhere)
    return {
      name,
      file,
      ...(info !== undefined && { info }),
      ...(config !== undefined && { config }),
      written,
      rows,
      leftOut: Object.fromEntries(leftOut),
      turns,
      masked,
      kinds,
      size,
      problems,
      problemCount,
    }
  } finally {
    writer.abandon()
  }
}

/** Name of the file that LLaMA-Factory reads as its list of data sets. */
const datasetInfoName = 'dataset_info.json'

const entries = z.record(z.string(), z.looseObject({}))

/**
 * The text of a `dataset_info.json` with the entry of a file in ShareGPT form added or replaced. All other entries keep
 * their order and content.
 * @throws ShaketableError `bad-input` if the file exists and is not an object of entries; the file is not changed
 */
function mergeDatasetInfo(path: string, name: string): string {
  const advice = 'Correct it, or give --out another folder.'
  const read = entries.safeParse(existsSync(path) ? readJson('The list of data sets', path, advice) : {})
  if (!read.success) {
    throw new ShaketableError(
      'bad-input',
      `Expected an object of LLaMA-Factory's data sets in ${path}, got something else. ${advice}`,
    )
  }
  const entry = {
    file_name: `${name}.jsonl`,
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
  const others = Object.entries(read.data).filter(([key]) => key !== name)
  return `${JSON.stringify(Object.fromEntries([...others, [name, entry]]), null, 2)}\n`
}
