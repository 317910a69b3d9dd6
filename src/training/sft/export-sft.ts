import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { readJson } from '../../files/read-json.js'
import { writeWhole } from '../../files/write-whole.js'
import { estimateTokens } from '../../models/fit.js'
import { createRowWriter, makeOutputFolder } from '../create-row-writer.js'
import { type RowProblem, readRows } from '../records.js'
import { type SftSetting, type TurnKind, applySetting, kindsOf } from './settings.js'
import { type TrainerName, configFor, printFor, recipe, rowsFor } from './trainers.js'

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
  /** Called for each record that cannot be read. */
  readonly problem?: (problem: RowProblem) => void
}

/**
 * Result of an export: its files; the trajectories that were read, and those left out by reason; turns of the assistant
 * in what was written, masked ones, and by kind before the setting was applied; and the sizes.
 */
export type SftOutcome = ReturnType<typeof exportSft>

const elsewhere = 'Give --out another folder'

/** The files of an export: the data, and what trainers have beside it, a configuration and a list of data sets. */
export function filesOf({ folder, name, trainer }: Pick<SftJob, 'folder' | 'name' | 'trainer'>) {
  const dataSet = trainer === 'sharegpt' ? name : `${name}.${trainer}`
  return {
    dataSet,
    file: join(folder, `${dataSet}.jsonl`),
    ...(trainer !== 'sharegpt' && { config: join(folder, `${dataSet}.yaml`) }),
    ...(trainer !== 'trl' && { info: join(folder, datasetInfoName) }),
  }
}

/**
 * Writes a training file for a trainer, its configuration, and an entry of LLaMA-Factory's list of data sets, row by
 * row in bounded memory. The files appear at the end, complete, or none does.
 * @throws ShaketableError `bad-input` for data or a list that cannot be read, or data without a usable row; `store` if
 * a file already exists or cannot be written
 */
export function exportSft(job: SftJob) {
  const { setting, trainer, baseModel, template, problem } = job
  const files = filesOf(job)
  const { dataSet, file, config, info } = files
  makeOutputFolder(job.folder)
  const existing = [file, config].find((path) => path !== undefined && existsSync(path))
  if (!job.force && existing !== undefined) {
    throw new ShaketableError(
      'store',
      `${existing} is there already. Give --name another name, or --force to replace it.`,
    )
  }
  const list = info === undefined ? undefined : mergeDatasetInfo(info, dataSet)
  const leftOut: Record<string, number> = {}
  const kinds: Record<TurnKind, number> = { right: 0, wrong: 0, correction: 0, ready: 0 }
  const size = { trajectories: 0, rows: 0, tokens: 0, tokensRead: 0, learnedTokens: 0, tooLong: 0 }
  let [rows, turns, masked] = [0, 0, 0]
  const writer = createRowWriter(file, 'lines')
  try {
    for (const path of job.data) {
      for (const { row } of readRows(path, { problem })) {
        rows++
        const converted = applySetting(row, setting)
        const made = 'unusable' in converted ? converted : rowsFor(trainer, converted)
        if ('unusable' in converted || 'unusable' in made) {
          const { unusable } = made as { readonly unusable: string }
          leftOut[unusable] = (leftOut[unusable] ?? 0) + 1
          continue
        }
        size.trajectories++
        size.rows += made.length
        for (const kind of kindsOf(row)) if (kind !== undefined) kinds[kind]++
        let sum = 0
        const sums = converted.turns.map((turn) => {
          const tokens = estimateTokens([{ role: turn.role, content: turn.text }])
          if (turn.role === 'assistant') turns++
          if (turn.loss === true) size.learnedTokens += tokens
          else if (turn.role === 'assistant') masked++
          return (sum += tokens)
        })
        size.tokens += sum
        for (const trainingRow of made) {
          const read = sums[trainingRow.turns.length - 1]!
          size.tokensRead += read
          if (read > recipe.maxTokens) size.tooLong++
          writer.writeRaw(printFor(trainer, trainingRow))
        }
      }
    }
    if (size.trajectories === 0) {
      throw new ShaketableError(
        'bad-input',
        `Expected rows to train on in ${job.data.join(', ')}, got none: ${Object.keys(leftOut)[0] ?? 'no record can be read'}. Check the data.`,
      )
    }
    writer.close()
    if (info !== undefined) writeWhole(info, list!, elsewhere)
    if (config !== undefined && trainer !== 'sharegpt')
      writeWhole(config, configFor(trainer, { name: dataSet, size, baseModel, template }), elsewhere)
    return { files, rows, leftOut, turns, masked, kinds, size }
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
