import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ShaketableError } from '../../core/errors.js'
import { type AppendFile, openToAppend } from '../../files/append-file.js'
import { jsonLine, parseJson } from '../../files/json.js'
import { readLines } from '../../files/lines.js'
import { takeLock } from '../../files/lock.js'
import { makeFolder } from '../../files/make-folder.js'
import { readJson } from '../../files/read-json.js'
import { asWriteError } from '../../files/write-error.js'
import { writeWhole } from '../../files/write-whole.js'
import type { ScriptedTurn } from '../verify/turn.js'
import type { Spent } from './stages.js'

/** What was made of a persona: a script, and a trajectory of it, as far as they hold. */
export interface Item extends Readonly<Spent> {
  /** Name of the item, in its order. */
  readonly id: string
  readonly persona: string
  readonly script?: unknown
  readonly turns?: readonly ScriptedTurn[]
}

/** What decides the content of a folder, as plain JSON. */
type JobSettings = Readonly<Record<string, unknown>>

/** The folder in which a synthesis keeps what it has made. */
export type WorkFolder = Awaited<ReturnType<typeof openWorkFolder>>

const elsewhere = 'Give --out another path'
const advice = `${elsewhere}, or --force to replace what it holds.`

/**
 * Opens a folder, and makes a new one if it is missing.
 * @param replaces whether the items of a folder of other settings are removed
 * @throws ShaketableError `usage` for a folder of other settings, which it names; `store` for one that is in use or
 * cannot be written
 */
export async function openWorkFolder(path: string, settings: JobSettings, replaces = false) {
  const place = join(path, 'settings.json')
  const other = existsSync(place) ? otherSettings(place, settings) : []
  if (other.length > 0 && !replaces) {
    throw new ShaketableError('usage', `${place} was made with other settings: ${other.join(', ')}. ${advice}`)
  }
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (thrown) {
      throw thrown instanceof ShaketableError ? thrown : asWriteError(thrown, path, elsewhere)
    }
  }
  const [made, rejected] = ['trajectories.jsonl', 'rejected.jsonl'].map((name) => join(path, name)) as [string, string]
  await attempt(() => makeFolder(path))
  const lock = await attempt(() => takeLock(join(path, 'lock')))
  const items = new Map<string, Item>()
  const open = async (file: string): Promise<AppendFile> => {
    if (other.length > 0) rmSync(file, { force: true })
    const opened = await openToAppend(file)
    // A damaged item is made again.
    for (const { text } of readLines(file)) {
      const item = parseJson(text) as Item | undefined
      if (item !== undefined) items.set(item.id, item)
    }
    return opened
  }
  try {
    if (other.length > 0 || !existsSync(place))
      writeWhole(place, `${JSON.stringify(settings, undefined, 2)}\n`, elsewhere)
    const files = { made: await attempt(() => open(made)), rejected: await attempt(() => open(rejected)) }
    return {
      /** All items by their ids. */
      items: items as ReadonlyMap<string, Item>,
      /** The file of the items that have a trajectory. */
      made,
      /** Stores an item; it is on disk when the promise resolves. */
      async keep(item: Item): Promise<void> {
        const file = item.turns === undefined ? files.rejected : files.made
        await attempt(() => file.check())
        await attempt(() => file.write([jsonLine(item)]))
        items.set(item.id, item)
      },
      async close(): Promise<void> {
        for (const file of Object.values(files)) await file.close()
        lock.release()
      },
    }
  } catch (thrown) {
    lock.release()
    throw thrown
  }
}

/** The names of the settings in which a folder differs. */
function otherSettings(path: string, settings: JobSettings): readonly string[] {
  const known = (readJson('The settings of the folder', path, advice) ?? {}) as JobSettings
  return Object.keys({ ...known, ...settings })
    .filter((key) => JSON.stringify(known[key]) !== JSON.stringify(settings[key]))
    .map((key) => key.slice(0, 40))
}

/** What was made of the items, and why replies were refused, as two tables in Markdown. */
export function describeYields(items: readonly Item[]): string {
  const [scripts, made] = (['script', 'turns'] as const).map(
    (key) => items.filter((item) => item[key] !== undefined).length,
  )
  const row = (stage: string, asked: number, held: number): string =>
    `| ${stage} | ${String(asked)} | ${String(held)} | ${asked === 0 ? '–' : `${((100 * held) / asked).toFixed(1)} %`} |`
  const reasons = new Map<string, number>()
  let [requests, tokens] = [0, 0]
  for (const item of items) {
    requests += item.requests
    tokens += item.promptTokens + item.completionTokens
    for (const { stage, rule } of item.refused)
      reasons.set(`${stage} | ${rule}`, (reasons.get(`${stage} | ${rule}`) ?? 0) + 1)
  }
  return [
    '| stage | asked for | made | yield |',
    '| --- | ---: | ---: | ---: |',
    row('scripts', items.length, scripts!),
    row('trajectories', scripts!, made!),
    '',
    `${String(requests)} requests, ${String(tokens)} tokens.`,
    ...(reasons.size === 0 ? [] : ['', '| stage | reason | replies refused |', '| --- | --- | ---: |']),
    ...[...reasons]
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([why, count]) => `| ${why} | ${String(count)} |`),
    '',
  ].join('\n')
}
