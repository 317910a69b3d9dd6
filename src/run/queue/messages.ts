import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import * as z from 'zod'
import { canonicalJson, hashOf } from '../../core/episode.js'
import { jsonLine, parseJson } from '../../files/json.js'
import { ShaketableError } from '../../core/errors.js'
import type { Plan } from '../plan.js'
import { cellAt, countCells, maxCells, rowOf } from '../cells.js'
import type { Experiment } from '../experiment.js'
import type { Grid } from '../grid.js'
import type { KnownServer } from '../servers.js'
import { knownServers } from '../servers.js'
import { planSchema } from '../store/plan-file.js'
import type { SealedEpisode, SentEpisode } from '../store/record.js'
import { isRow } from '../store/row.js'

/*
 * What goes through Redis. Anyone who can write there can write anything, so everything that is read is checked and
 * bounded: a coordinator stores only rows of its own grid.
 */

const count = z.int().min(0)

/** A run in the list of runs. */
const listedRun = z.object({
  name: z.string().max(200),
  /** As the user wrote it, for people. */
  folder: z.string().max(5000),
  /** Identifies the folder, whatever its plan. */
  place: z.string().max(100),
  episodes: count,
})
export type ListedRun = z.infer<typeof listedRun>

/** Reads the list of runs by id, without what is not one. */
export function readRuns(found: Readonly<Record<string, string>>): ReadonlyMap<string, ListedRun> {
  const runs = Object.entries(found).flatMap(([id, text]): [string, ListedRun][] => {
    const run = listedRun.safeParse(parseJson(text)).data
    return run !== undefined && /^[0-9a-f]{16}$/.test(id) ? [[id, run]] : []
  })
  return new Map(runs.slice(0, maxRuns))
}

const maxRuns = 1000

/** What workers need to play a run. */
export interface QueuedRun {
  /** Whether any of its models waits for a server. */
  readonly live: boolean
  readonly experiment: Experiment
  readonly plan: Plan
  readonly servers: readonly KnownServer[]
  /** See {@link Grid.played}. */
  readonly played?: readonly string[]
}

const queuedRun = z.object({
  live: z.boolean(),
  experiment: z.looseObject({ name: z.string(), concurrency: z.int().min(1), plugins: z.array(z.string()) }),
  plan: planSchema,
  servers: knownServers,
  played: z.array(z.string()).optional(),
})

/** Characters of a run as JSON. */
const maxRunLength = 200_000_000

/** Reads a run. @throws ShaketableError `queue` for anything else, and for one of too many episodes */
export function readQueuedRun(text: string): QueuedRun {
  const run = text.length > maxRunLength ? undefined : queuedRun.safeParse(parseJson(text)).data
  if (run !== undefined && countCells(run.plan as unknown as Plan) <= maxCells) return run as unknown as QueuedRun
  const most = maxCells.toLocaleString('en')
  const message = `Expected a run of at most ${most} episodes in Redis, got something else. Clean the queue.`
  throw new ShaketableError('queue', message)
}

/** The cell of a job: its index in the order of play; undefined for anything else. */
export function readCell(data: unknown): number | undefined {
  const cell = (data as { readonly cell?: unknown } | null)?.cell
  return Number.isSafeInteger(cell) && (cell as number) >= 0 ? (cell as number) : undefined
}

/** Why a worker does not play a run: its files differ, or it does not reach a model server (`model`). */
const refusal = z.object({ code: z.enum(['bad-input', 'model']), why: z.string().max(5000) })

export function packRefusal({ code, why }: { readonly code: string; readonly why: string }): string {
  return JSON.stringify({ code, why: why.slice(0, 5000) })
}

/** Reads the refusals of a run, by the names of workers, without what is none. */
export function readRefusals(found: Readonly<Record<string, string>>) {
  return Object.entries(found).flatMap(([worker, text]) => {
    const { data } = refusal.safeParse(parseJson(text))
    return data === undefined ? [] : [{ worker, ...data }]
  })
}

/** Bytes of an episode, before they are compressed. */
const maxBytes = 256 * 1024 * 1024

/** Packs an episode into a text. */
export async function packEpisode(episode: SentEpisode): Promise<string> {
  return (await promisify(deflateRaw)(JSON.stringify(episode), { level: 1 })).toString('base64')
}

const packed = z.object({
  rowLine: z.string(),
  trajectoryLine: z.string(),
  attempts: count.exactOptional(),
  prompts: z.array(z.object({ hash: z.string(), line: z.string() })),
})

/**
 * Creates a function that unpacks the result of the job of a cell.
 * @throws ShaketableError `queue` for anything that is not the episode of this cell
 */
export function createUnpacker({ plan, keyOf }: Grid): (result: unknown, cell: number) => Promise<SealedEpisode> {
  const refuse = (what: string): never => {
    throw new ShaketableError('queue', `Expected an episode of this run from a worker, got ${what}.`)
  }
  return async (result, cell) => {
    if (typeof result !== 'string') return refuse(result === null ? 'null' : `a ${typeof result}`)
    const bytes = await promisify(inflateRaw)(Buffer.from(result, 'base64'), { maxOutputLength: maxBytes }).catch(() =>
      refuse('data that cannot be unpacked'),
    )
    const read = packed.safeParse(parseJson(bytes.toString('utf8')))
    if (!read.success) return refuse('other data')
    const { rowLine, trajectoryLine, prompts } = read.data
    const row = parseWhole(rowLine)
    if (!isRow(row)) return refuse('a row that is not one')
    const planned = cellAt(plan, cell)
    if (row.key !== keyOf(planned) || canonicalJson({ ...row, ...rowOf(planned) }) !== canonicalJson(row))
      return refuse('a row of another episode')
    const { key } = (parseWhole(trajectoryLine) ?? {}) as { readonly key?: unknown }
    if (key !== row.key) return refuse('a trajectory of another episode')
    for (const { hash, line } of prompts) {
      const { hash: said, ...message } = (parseWhole(line) ?? {}) as { readonly hash?: unknown }
      if (said !== hash || hashOf(message, 20) !== hash) return refuse('a prompt that does not match its hash')
    }
    return { row, ...read.data }
  }
}

/** The value of a line of JSON exactly as it was written; undefined for anything else, such as two lines. */
function parseWhole(line: string): unknown {
  const value = parseJson(line)
  return value !== undefined && jsonLine(value) === line ? value : undefined
}

/** The process that coordinates a run. */
export const coordinatorSign = z.object({ host: z.string().max(300), pid: z.int() })
