import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod'
import { parseJson } from '../../files/json.js'
import type { StoredRun } from '../plan.js'
import { cutTornLine } from '../../files/append-file.js'
import { readLines } from '../../files/lines.js'
import { writeParts } from '../../files/open-to-write.js'
import { count as counted } from '../../tables/words.js'
import type { Budget, Spent } from '../budget.js'
import { asStoreError } from './run-folder.js'

/** A line of sessions.jsonl. The last line of a session counts. */
export interface StoredSession extends Spent {
  /** Identifies the session, also among those of other machines. */
  readonly session: string
  /** Times (ISO 8601) of its beginning, and of this line. */
  readonly started: string
  readonly ended: string
}

const count = z.number().int().nonnegative()
const sessionSchema = z.object({
  session: z.string().min(1).max(100),
  started: z.iso.datetime(),
  ended: z.iso.datetime(),
  episodes: count,
  calls: count,
  attempts: count,
  tokens: z.object({ prompt: count, completion: count }),
  cost: z.number().nonnegative().exactOptional(),
})

/** Sessions as plain JSON. */
export const storedSessions = z.array(sessionSchema)

/** Writes the sessions of another run as those of this one, unless it has some. */
export function copySessions(path: string, sessions: readonly StoredSession[]): void {
  if (sessions.length === 0 || existsSync(path)) return
  writeParts(
    path,
    'append',
    sessions.map((line) => `${JSON.stringify(line)}\n`),
  )
}

/** A kill of the process loses the use of at most this time. */
const intervalMs = 10_000

/**
 * Records what this session spends: a line from time to time, and one when it ends or the process exits. A session that
 * has spent nothing leaves no line; one that goes on after a pause keeps its name.
 */
export function recordSession(
  path: string,
  { session, started, spent }: Pick<Budget, 'session' | 'started' | 'spent'>,
) {
  let written = ''
  let failed: unknown
  const write = (): void => {
    const use = spent()
    const text = JSON.stringify(use)
    if (use.attempts === 0 || text === written || failed !== undefined) return
    try {
      if (written === '') cutTornLine(path)
      const line: StoredSession = { session, started, ended: new Date().toISOString(), ...use }
      writeParts(path, 'append', [`${JSON.stringify(line)}\n`])
      written = text
    } catch (thrown) {
      failed = thrown
    }
  }
  const timer = setInterval(write, intervalMs).unref()
  process.on('exit', write)
  return {
    /** @throws ShaketableError `store` if a line could not be written */
    close(): void {
      clearInterval(timer)
      process.off('exit', write)
      write()
      if (failed !== undefined) throw asStoreError(failed, path)
    },
  }
}

/** The last line of each session, and sentences on lines that cannot be read. */
export function readSessions(path: string): { readonly sessions: readonly StoredSession[]; readonly notes: string[] } {
  const sessions = new Map<string, StoredSession>()
  let damaged = 0
  for (const { text, ended } of readLines(path)) {
    if (!ended) break
    const read = sessionSchema.safeParse(parseJson(text))
    if (read.success) sessions.set(read.data.session, read.data)
    else damaged++
  }
  const notes =
    damaged === 0
      ? []
      : [`${basename(path)}: left out ${counted(damaged, 'line')} that cannot be read; what was spent may be more.`]
  return { sessions: [...sessions.values()], notes }
}

/** The sum over sessions; absent without any. Money is known if every session had prices. */
export function sumSessions(sessions: readonly StoredSession[]): Pick<StoredRun, 'spent'> {
  if (sessions.length === 0) return {}
  const sum = (of: (one: StoredSession) => number): number => sessions.reduce((all, one) => all + of(one), 0)
  const isPriced = sessions.every(({ cost }) => cost !== undefined)
  return {
    spent: {
      sessions: sessions.length,
      calls: sum(({ calls }) => calls),
      attempts: sum(({ attempts }) => attempts),
      promptTokens: sum(({ tokens }) => tokens.prompt),
      completionTokens: sum(({ tokens }) => tokens.completion),
      hours: sum(({ started, ended }) => Math.max(0, Date.parse(ended) - Date.parse(started))) / 3_600_000,
      ...(isPriced && { money: sum(({ cost = 0 }) => cost) }),
    },
  }
}
