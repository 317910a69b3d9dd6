import { usageError } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { Recording, replayModel, withRecording } from '../models/recording.js'
import { count } from '../tables/words.js'
import { type ModelChoice, roleOf } from './model-choice.js'
import type { GridModel } from './grid.js'
import { type KnownServer, isKnownServer } from './servers.js'

/** The flags of `shaketable run` that record or replay exchanges with models. */
export interface ExchangeFlags {
  readonly record?: string
  readonly replay?: string
  readonly dryRun?: true
}

/** Records or replays the exchanges of a run with its models. */
export interface Exchanges {
  readonly notes: readonly string[]
  /** Ends running episodes, with the reason why the run cannot go on. */
  readonly stop?: AbortSignal
  /** Replaces a model of the experiment; absent if the experiment's own models are played. */
  readonly choose?: (choice: ModelChoice) => GridModel
  /** What was learned of the servers of a recorded run; absent if nothing is replayed. */
  readonly servers?: readonly KnownServer[]
  /** Records what is known of the servers now. */
  readonly learn?: (servers: readonly KnownServer[]) => void
  readonly wrap?: (model: Model) => Model
  /** Called before the run begins, with the number of stored episodes. @returns notes, in sentences */
  readonly begin?: (already: number) => readonly string[]
  /** Waits until the exchanges of finished episodes are written, so that no episode is stored without them. */
  readonly settle?: () => Promise<void>
  /** Summary after the run, as a sentence. */
  summary(): string
  close(): Promise<void>
}

/**
 * Opens the file that the flags name; undefined without such flags. A dry run writes nothing.
 * @throws ShaketableError `usage` for an empty path, `bad-input` or `store` for an unusable file
 */
export async function openExchanges({ record, replay, dryRun }: ExchangeFlags): Promise<Exchanges | undefined> {
  for (const [flag, path] of Object.entries({ record, replay })) {
    if (path?.trim() === '') throw usageError(`--${flag}: expected a path, got nothing.`)
  }
  if (replay !== undefined) return replaying(Recording.read(replay))
  return dryRun || record === undefined ? undefined : recordingTo(await Recording.write(record))
}

function replaying(recorded: Recording): Exchanges {
  const stop = new AbortController()
  return {
    notes: recorded.notes,
    stop: stop.signal,
    choose: (choice) => ({
      model: replayModel(recorded, choice.name, (thrown) => stop.abort(thrown)),
      live: false,
      ...roleOf(choice),
    }),
    servers: recorded.servers().filter(isKnownServer),
    summary: () => `Replayed from ${recorded.path}; no model was asked.`,
    close: () => recorded.close(),
  }
}

function recordingTo(recording: Recording): Exchanges {
  const { path, notes, already } = recording
  return {
    notes,
    wrap: (model) => withRecording(model, recording),
    learn: (servers) => servers.forEach((server) => recording.learn(server.model, server)),
    begin(stored) {
      if (stored === 0 || already > 0) return []
      return [`${path} begins after ${String(stored)} episodes that are already there: it cannot replay the whole run.`]
    },
    settle: () => recording.flush(),
    summary() {
      const { written, known } = recording.count
      const taken = known === 0 ? '' : `; ${count(known, 'call')} ${known === 1 ? 'was' : 'were'} answered from it`
      return `Recorded ${count(written, 'exchange')} to ${path}${taken}.`
    },
    close: () => recording.close(),
  }
}
