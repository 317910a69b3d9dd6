import { basename } from 'node:path'
import * as z from 'zod'
import { jsonLine, parseJson } from '../../files/json.js'
import type { ShrunkEpisode } from '../plan.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { readLines } from '../../files/lines.js'
import { takeLock } from '../../files/lock.js'
import { asWriteError } from '../../files/write-error.js'
import type { Replay } from './find-changes.js'

/** A replay as it is stored, with the number of calls that it took. */
export interface StoredReplay extends Replay {
  readonly calls: number
}

const count = z.number().int().nonnegative()
const text = z.string().max(10_000)
const total = z.object({ of: count, lost: count, plays: count })
const shrunk = z.object({
  key: z.string(),
  state: z.enum(['found', 'unconfirmed', 'none', 'unfinished']),
  sentence: text,
  changes: z.array(
    z.object({ perturbation: text, hook: text, of: text, before: text.optional(), after: text.optional() }),
  ),
  met: count,
  replays: total,
  clean: total,
  p: z.number().min(0).max(1).optional(),
  seeds: count,
  calls: count,
})
const replay = z.object({
  replay: z.string(),
  lost: z.boolean().nullable(),
  calls: count,
  trace: z.string().optional(),
})
const line = z.union([replay, z.object({ shrunk })])

/** The content of shrunk.jsonl: replays by their key, and the last result of each episode. */
interface ShrunkContent {
  readonly replays: Map<string, StoredReplay>
  readonly episodes: Map<string, ShrunkEpisode>
  /** Lines that are left out, in sentences. */
  readonly notes: readonly string[]
}

/** Reads shrunk.jsonl. A missing file is empty; damaged lines are left out, and what they held is played again. */
export function readShrunk(path: string): ShrunkContent {
  const [replays, episodes] = [new Map<string, StoredReplay>(), new Map<string, ShrunkEpisode>()]
  const bad: number[] = []
  for (const { text, number, ended } of readLines(path)) {
    if (!ended) break
    const read = line.safeParse(parseJson(text)).data
    if (read === undefined) bad.push(number)
    else if ('shrunk' in read) episodes.set(read.shrunk.key, read.shrunk as ShrunkEpisode)
    else {
      const { replay: name, lost, calls, trace } = read
      replays.set(name, { lost: lost ?? undefined, calls, ...(trace !== undefined && { trace }) })
    }
  }
  const notes = bad
    .slice(0, 5)
    .map(
      (number) =>
        `${basename(path)}:${String(number)}: expected a replay or the result of one, got something else. It is LEFT OUT.`,
    )
  return { replays, episodes, notes }
}

/** The lock of those who write shrunk.jsonl, which has its own. */
const lockOf = (path: string): string => `${path}.lock`

/** Opens shrunk.jsonl to add to it. @throws ShaketableError `store` if another process does */
export async function openShrunk(path: string): Promise<ShrunkContent & OpenShrunk> {
  const guarded = { what: path, elsewhere: 'shrink a copy of the run' }
  const lock = takeLock(lockOf(path), undefined, guarded)
  try {
    cutTornLine(path)
    const content = readShrunk(path)
    const file = await AppendFile.open(path)
    let last = Promise.resolve()
    const write = (value: object): Promise<void> => (last = last.then(() => file.write([jsonLine(value)])))
    return {
      ...content,
      addReplay(name, { lost, ...rest }) {
        content.replays.set(name, { lost, ...rest })
        return write({ replay: name, lost: lost ?? null, ...rest })
      },
      addEpisode(episode) {
        content.episodes.set(episode.key, episode)
        return write({ shrunk: episode })
      },
      async close() {
        await last.catch(() => undefined)
        await file.close()
        lock.release()
      },
    }
  } catch (thrown) {
    lock.release()
    throw asWriteError(thrown, path, 'Shrink a copy of the run')
  }
}

interface OpenShrunk {
  addReplay(name: string, replay: StoredReplay): Promise<void>
  addEpisode(episode: ShrunkEpisode): Promise<void>
  close(): Promise<void>
}
