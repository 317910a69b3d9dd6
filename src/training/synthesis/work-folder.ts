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

/** What a folder holds of each stage, and why replies were refused, as two tables in Markdown. */
export function describeYields(work: WorkFolder): string {
  const lines: string[] = []
  const reasons: string[] = []
  for (const stage of ['scripts', 'trajectories'] as const) {
    const kept: readonly Item[] = [...work.rows(stage).values()]
    const given: readonly Item[] = [...work.rows(`rejected-${stage}`).values()]
    const all = [...kept, ...given]
    const first = kept.filter(({ refused }) => refused.length === 0).length
    const sum = (of: (item: Item) => number): number => all.reduce((total, one) => total + of(one), 0)
    const cells = [
      stage,
      all.length,
      first,
      kept.length - first,
      given.length,
      all.length === 0 ? '–' : `${((100 * kept.length) / all.length).toFixed(1)} %`,
      sum(({ requests }) => requests),
      sum(({ promptTokens, completionTokens }) => promptTokens + completionTokens),
    ]
    lines.push(`| ${cells.join(' | ')} |`)
    const rules = all.flatMap(({ refused }) => refused.map(({ rule }) => rule))
    const last = given.flatMap(({ refused }) => refused.at(-1)?.rule ?? [])
    const times = (list: readonly string[], rule: string): number => list.filter((one) => one === rule).length
    const counted = [...new Set(rules)].map((rule) => ({ rule, replies: times(rules, rule), given: times(last, rule) }))
    counted.sort((one, other) => other.replies - one.replies || (one.rule < other.rule ? -1 : 1))
    for (const { rule, replies, given: times } of counted) {
      reasons.push(`| ${stage} | ${rule} | ${String(replies)} | ${String(times)} |`)
    }
  }
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
