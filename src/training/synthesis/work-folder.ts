import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { jsonLine } from '../../files/json.js'
import { ShaketableError } from '../../core/errors.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { readLines } from '../../files/lines.js'
import type { Lock } from '../../files/lock.js'
import { takeLock } from '../../files/lock.js'
import { makeFolder } from '../../files/make-folder.js'
import { readJson } from '../../files/read-json.js'
import { asWriteError } from '../../files/write-error.js'
import { writeWhole } from '../../files/write-whole.js'
import type { Refusal } from './stages.js'

/** A line of a stage file. */
interface Item {
  /** Name of the item, in its order. */
  readonly id: string
  readonly persona: string
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** What was refused on the way, in order. */
  readonly refused: readonly Refusal[]
}

/** The stage files of a synthesis. The last two hold the last reply of what was given up. */
export interface StageRows {
  readonly scripts: Item & { readonly script: unknown; readonly steps: number }
  readonly trajectories: Item & { readonly script: unknown; readonly turns: readonly unknown[] }
  readonly 'rejected-scripts': Item & { readonly text: string }
  readonly 'rejected-trajectories': Item & { readonly text: string }
}
/** One of the stage files. */
export type StageName = keyof StageRows
const stageNames = ['scripts', 'trajectories', 'rejected-scripts', 'rejected-trajectories'] as const

/** What decides the content of a folder, as plain JSON. */
type JobSettings = Readonly<Record<string, unknown>>

/** The folder in which a synthesis keeps what it has made. */
export interface WorkFolder {
  readonly path: string
  /** The rows of a stage, by their ids, without damaged ones. */
  rows<Name extends StageName>(stage: Name): ReadonlyMap<string, StageRows[Name]>
  /** Stores a row; it is on disk when the promise resolves. */
  keep<Name extends StageName>(stage: Name, row: StageRows[Name]): Promise<void>
  /** Sentences about damaged lines. */
  readonly notes: readonly string[]
  close(): Promise<void>
}

const settingsFile = 'settings.json'
const elsewhere = 'Give --work another folder'

/**
 * Opens a folder, and makes a new one if it is missing.
 * @param replaces whether the stages of a folder of other settings are removed
 * @throws ShaketableError `usage` for a folder of other settings, which it names; `store` for one that is in use or
 * cannot be written
 */
export async function openWorkFolder(path: string, settings: JobSettings, replaces = false): Promise<WorkFolder> {
  const place = join(path, settingsFile)
  const other = existsSync(place) ? otherSettings(place, settings) : []
  if (other.length > 0 && !replaces) {
    throw new ShaketableError('usage', `${place} was made with other settings: ${other.join(', ')}. ${advice}`)
  }
  let lock: Lock
  try {
    makeFolder(path)
    lock = takeLock(join(path, 'lock'))
  } catch (thrown) {
    if (thrown instanceof ShaketableError) throw thrown
    throw asWriteError(thrown, path, elsewhere)
  }
  try {
    if (other.length > 0) for (const stage of stageNames) rmSync(join(path, `${stage}.jsonl`), { force: true })
    if (other.length > 0 || !existsSync(place))
      writeWhole(place, `${JSON.stringify(settings, undefined, 2)}\n`, elsewhere)
    const notes: string[] = []
    const opened = {} as Record<StageName, { readonly file: AppendFile; readonly rows: Map<string, Item> }>
    for (const stage of stageNames) {
      const file = join(path, `${stage}.jsonl`)
      if (cutTornLine(file) > 0) notes.push(`${file}: an incomplete last line was removed.`)
      const rows = readRows(file, notes)
      opened[stage] = { file: await AppendFile.open(file), rows }
    }
    return {
      path,
      notes,
      rows: <Name extends StageName>(stage: Name) => opened[stage].rows as unknown as Map<string, StageRows[Name]>,
      async keep(stage, row) {
        const { file, rows } = opened[stage]
        try {
          await file.check()
          await file.write([jsonLine(row)])
        } catch (thrown) {
          throw asWriteError(thrown, file.path, elsewhere)
        }
        rows.set(row.id, row)
      },
      async close() {
        for (const { file } of Object.values(opened)) await file.close()
        lock.release()
      },
    }
  } catch (thrown) {
    lock.release()
    throw thrown instanceof ShaketableError ? thrown : asWriteError(thrown, path, elsewhere)
  }
}

const item = z.looseObject({
  id: z.string().max(60),
  persona: z.string(),
  requests: z.int().min(0),
  promptTokens: z.number().min(0),
  completionTokens: z.number().min(0),
  refused: z.array(z.object({ rule: z.string().max(60), evidence: z.string() })),
})

function readRows(path: string, notes: string[]): Map<string, Item> {
  const rows = new Map<string, Item>()
  let damaged = 0
  for (const { text } of readLines(path)) {
    const row = parse(text)
    if (row === undefined) damaged++
    else rows.set(row.id, row)
  }
  if (damaged > 0) notes.push(`${path}: ${String(damaged)} damaged lines are made again.`)
  return rows
}

function parse(text: string): Item | undefined {
  try {
    return item.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

const advice = 'Give --work another folder, or --force to replace what it holds.'

/** The names of the settings in which a folder differs. */
function otherSettings(path: string, settings: JobSettings): readonly string[] {
  const known = (readJson('The settings of the folder', path, advice) ?? {}) as JobSettings
  return Object.keys({ ...known, ...settings })
    .filter((key) => JSON.stringify(known[key]) !== JSON.stringify(settings[key]))
    .map((key) => key.slice(0, 40))
}

/** Numbers of one stage. */
interface StageYield {
  readonly stage: 'scripts' | 'trajectories'
  readonly requests: number
  readonly tokens: number
  /** Made by the first request, by the second, and so on. */
  readonly made: readonly number[]
  readonly given: number
  /** Refusals by rule, most frequent first: of all replies, and as the last of an item that was given up. */
  readonly refused: readonly { readonly rule: string; readonly replies: number; readonly last: number }[]
}

/** The numbers of all that a folder holds. */
export function yieldsOf(work: WorkFolder): readonly StageYield[] {
  return [
    yieldOf(work, 'scripts', 'scripts', 'rejected-scripts'),
    yieldOf(work, 'trajectories', 'trajectories', 'rejected-trajectories'),
  ]
}

function yieldOf(work: WorkFolder, stage: StageYield['stage'], kept: StageName, rejected: StageName): StageYield {
  const rules = new Map<string, { replies: number; last: number }>()
  const made: number[] = []
  let [requests, tokens, given] = [0, 0, 0]
  for (const name of [kept, rejected]) {
    for (const row of work.rows(name).values()) {
      requests += row.requests
      tokens += row.promptTokens + row.completionTokens
      for (const [place, { rule }] of row.refused.entries()) {
        const counts = rules.get(rule) ?? { replies: 0, last: 0 }
        rules.set(rule, counts)
        counts.replies++
        if (name === rejected && place === row.refused.length - 1) counts.last++
      }
      if (name === rejected) given++
      else made[row.refused.length] = (made[row.refused.length] ?? 0) + 1
    }
  }
  const refused = [...rules]
    .map(([rule, counts]) => ({ rule, ...counts }))
    .sort((one, other) => other.replies - one.replies || (one.rule < other.rule ? -1 : 1))
  return { stage, requests, tokens, made: Array.from(made, (number) => number ?? 0), given, refused }
}

/** The numbers as two tables in Markdown. */
export function describeYields(stages: readonly StageYield[]): string {
  const all = (stage: StageYield): number => stage.made.reduce((sum, number) => sum + number, 0)
  const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)
  const lines = stages.map((stage) => {
    const { made, given, requests, tokens } = stage
    const asked = all(stage) + given
    const cells = [
      stage.stage,
      asked,
      made[0] ?? 0,
      all(stage) - (made[0] ?? 0),
      given,
      share(all(stage), asked),
      requests,
      tokens,
    ]
    return `| ${cells.join(' | ')} |`
  })
  const reasons = stages.flatMap(({ stage, refused }) =>
    refused.map(({ rule, replies, last }) => `| ${stage} | ${rule} | ${String(replies)} | ${String(last)} |`),
  )
  return [
    '| stage | asked for | at the first request | after a repair | given up | yield | requests | tokens |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...lines,
    ...(reasons.length === 0
      ? []
      : ['', '| stage | reason | replies refused | given up for it |', '| --- | --- | ---: | ---: |', ...reasons]),
    '',
  ].join('\n')
}
