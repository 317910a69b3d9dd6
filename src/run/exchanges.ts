import { ShaketableError } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { Cache } from '../models/recording/cache.js'
import { ExchangeFile } from '../models/recording/exchange-file.js'
import { replayModel, withCache, withRecording } from '../models/recording/uses.js'
import { count } from '../tables/words.js'
import type { ModelChoice } from './model-choice.js'
import { roleOf } from './model-choice.js'
import type { GridModel } from './grid.js'
import type { Player } from './play-cell.js'
import type { KnownServer } from './servers.js'
import { knownServer } from './servers.js'
import type { StoredSession } from './store/sessions.js'
import { storedSessions } from './store/sessions.js'

/** The flags of `shaketable run` that record, replay or cache exchanges with models. */
export interface ExchangeFlags {
  readonly record?: string
  readonly replay?: string
  readonly cache?: string
  readonly dryRun?: true
}

/** Records, replays or caches the exchanges of a run with its models. */
export interface Exchanges {
  /** Notes from opening the files. */
  readonly notes: readonly string[]
  /** Ends running episodes, with the reason why the run cannot go on. */
  readonly stop?: AbortSignal
  /** Replaces a model of the experiment; absent if the experiment's own models are played. */
  readonly choose?: (choice: ModelChoice) => GridModel
  /** What was learned of the servers of a recorded run; absent if nothing is replayed. */
  readonly servers?: readonly KnownServer[]
  /** What the sessions of a recorded run spent. */
  readonly sessions?: readonly StoredSession[]
  /** Records what is known of the servers now, and what was spent on them. */
  learn(servers: readonly KnownServer[], sessions: readonly StoredSession[]): void
  wrap(model: Model): Model
  /** Called before the run begins, with the number of stored episodes. @returns notes, in sentences */
  begin(already: number): readonly string[]
  /** Waits until the exchanges of finished episodes are written, so that no episode is stored without them. */
  settle(): Promise<void>
  /** Summary after the run, in sentences. */
  summary(): readonly string[]
  close(): Promise<void>
}

/**
 * Opens the files that the flags name; undefined without such flags. A dry run writes nothing.
 * @throws ShaketableError `usage` for flags that exclude each other, `bad-input` or `store` for unusable files
 */
export async function openExchanges({ record, replay, cache, dryRun }: ExchangeFlags): Promise<Exchanges | undefined> {
  for (const [flag, path] of Object.entries({ record, replay, cache })) {
    if (path?.trim() === '') throw new ShaketableError('usage', `--${flag}: expected a path, got nothing.`)
  }
  if (replay !== undefined) {
    const other = record !== undefined ? '--record' : cache !== undefined ? '--cache' : undefined
    if (other === undefined) return replaying(ExchangeFile.read(replay))
    throw new ShaketableError(
      'usage',
      `--replay asks no model, so that there is nothing for ${other}. Give one of them.`,
    )
  }
  if (dryRun || (record === undefined && cache === undefined)) return undefined
  const opened = cache === undefined ? undefined : await Cache.open(cache)
  try {
    return keeping(record === undefined ? undefined : await ExchangeFile.write(record), opened)
  } catch (thrown) {
    await opened?.close()
    throw thrown
  }
}

/** A player that returns episodes only after their exchanges are written. */
export function withExchanges(player: Player, exchanges: Exchanges): Player {
  return {
    ...player,
    async play(indices) {
      const episodes = await player.play(indices)
      await exchanges.settle()
      return episodes
    },
  }
}

function replaying(recorded: ExchangeFile): Exchanges {
  const stop = new AbortController()
  return {
    notes: recorded.notes,
    stop: stop.signal,
    choose: (choice) => ({
      model: replayModel(recorded, choice.name, (thrown) => stop.abort(thrown)),
      live: false,
      ...roleOf(choice),
    }),
    servers: recorded.servers().flatMap((server) => knownServer.safeParse(server).data ?? []) as readonly KnownServer[],
    sessions: storedSessions.safeParse(recorded.sessions()).data ?? [],
    learn: () => undefined,
    wrap: (model) => model,
    begin: () => [],
    settle: () => Promise.resolve(),
    summary: () => [`Replayed from ${recorded.path}; no model was asked.`],
    close: () => recorded.close(),
  }
}

function keeping(recording: ExchangeFile | undefined, cache: Cache | undefined): Exchanges {
  return {
    notes: [...(recording?.notes ?? []), ...(cache?.notes ?? [])],
    wrap(model) {
      const cached = cache === undefined ? model : withCache(model, cache)
      return recording === undefined ? cached : withRecording(cached, recording)
    },
    learn(servers, sessions) {
      servers.forEach((server, place) => {
        recording?.learn(server.model, { server, ...(place === 0 && sessions.length > 0 && { sessions }) })
      })
    },
    begin(already) {
      if (recording === undefined || already === 0 || recording.already > 0) return []
      return [
        `${recording.path} begins after ${String(already)} episodes that are already there: it cannot replay the whole run.`,
      ]
    },
    async settle() {
      await Promise.all([recording?.flush(), cache?.flush()])
    },
    summary: () => [
      ...(recording === undefined ? [] : [`Recorded ${count(recording.written, 'exchange')} to ${recording.path}.`]),
      ...(cache === undefined ? [] : [describeCache(cache)]),
    ],
    async close() {
      await Promise.all([recording?.close(), cache?.close()])
    },
  }
}

function describeCache({ folder, count: { hits, absent, lost } }: Cache): string {
  const reasons = [
    ...(absent > 0 ? [`${String(absent)} were not in it`] : []),
    ...(lost > 0 ? [`${String(lost)} could not be kept`] : []),
  ]
  return `${[`${String(hits)} of ${count(hits + absent, 'call')} came from ${folder}`, ...reasons].join('; ')}.`
}
