import type { EpisodeRow } from '../results/episode-row.js'
import { isValid } from '../core/episode.js'
import type { Plan, PlannedCondition } from './plan.js'
import { formatDuration } from '../models/retry-after.js'
import { coloursOf } from '../tables/colours.js'
import { fitTo } from '../tables/plain.js'
import { grouped } from '../tables/words.js'

/** Output stream of the progress display. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

interface ProgressState {
  readonly tally: Tally
  /** Pauses that servers request, in words. */
  readonly pauses?: readonly string[] | undefined
  /** What this session took from servers so far. */
  readonly spent?: { readonly calls: number; readonly tokens: number }
}

/** Display of a run's progress. */
export type Progress = ReturnType<typeof showProgress>

const redrawMs = 200
const plainLineMs = 10_000
/**
 * The rate is measured over these last milliseconds, as a run begins slowly; the final one is that of the whole run.
 */
const windowMs = 20_000
const maxWidth = 100

/**
 * Shows a line that is redrawn in a terminal; without a terminal it prints one from time to time.
 * @param clock milliseconds since any fixed moment
 */
export function showProgress(stream: ProgressStream, read: () => ProgressState, clock = () => performance.now()) {
  const countNow = ({ tally: { played, errors } }: ProgressState) => ({ at: clock(), count: played + errors })
  const started = countNow(read())
  let recent = [started]
  const live = stream.isTTY === true
  const colours = coloursOf(stream)
  const line = (from: typeof started): string => {
    const state = read()
    const now = countNow(state)
    const rate = now.at > from.at ? ((now.count - from.count) * 1000) / (now.at - from.at) : 0
    recent = [...recent.filter(({ at }) => now.at - at <= windowMs), now]
    const width = live ? Math.min(maxWidth, (stream.columns || 80) - 1) : maxWidth
    return progressLine(state, rate, width)
  }
  const draw = (): void => void stream.write(`\r${colours.dim(line(recent[0]!))}\u001b[K`)
  const print = (text: string): void => void stream.write(live ? `\r${text}\u001b[K\n` : `${text}\n`)
  const timer = setInterval(live ? draw : () => print(line(recent[0]!)), live ? redrawMs : plainLineMs)
  timer.unref()
  if (live) draw()
  return {
    /** Prints a sentence above the display. */
    note(text: string): void {
      print(text)
      if (live) draw()
    },
    end(): void {
      clearInterval(timer)
      print(line(started))
    },
  }
}

/** The progress in at most `width` characters: episodes, rate, time left, errors, use of servers, and their pauses. */
export function progressLine({ tally, pauses = [], spent }: ProgressState, rate: number, width: number): string {
  const { planned, already, played, errors } = tally
  const done = already + played + errors
  const parts = [
    `${String(planned === 0 ? 100 : Math.floor((100 * done) / planned))}%`,
    `${grouped(done)} of ${grouped(planned)} episodes`,
    ...(rate > 0 ? [`${rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate))}/s`] : []),
    ...(rate > 0 && done < planned ? [`${formatDuration(((planned - done) * 1000) / rate)} left`] : []),
    ...(errors > 0 ? [`${grouped(errors)} in error`] : []),
    ...(spent && spent.calls > 0 ? [`${grouped(spent.calls)} calls`, `${grouped(spent.tokens)} tokens`] : []),
    ...pauses,
  ]
  return fitTo(parts.join(' · '), width)
}

/** A rate as a whole percentage: `92%`, or `–` without an episode. */
export function percentOf({ valid, successes }: Rate): string {
  return valid === 0 ? '–' : `${String(Math.round((100 * successes) / valid))}%`
}

interface Rate {
  readonly valid: number
  readonly successes: number
}

/** Running counts of a run's episodes. */
export interface Tally {
  readonly planned: number
  /** Valid episodes of earlier sessions. */
  readonly already: number
  /** Valid episodes of this session. */
  readonly played: number
  /** Episodes of this session that ended in an error. */
  readonly errors: number
  /**
   * Valid episodes and successes by model, in the order of the plan. Conditions that promise identity, such as placebo,
   * count as neither clean nor perturbed.
   */
  readonly models: readonly { readonly model: string; readonly clean: Rate; readonly perturbed: Rate }[]
  readonly messages: ReadonlyMap<string, number>
}

/** The most different messages that are counted, to bound memory. */
const maxMessages = 100

/** What is counted of a valid row. */
type Counted = Pick<EpisodeRow, 'model' | 'condition' | 'outcome'>

function sideOf(perturbations: PlannedCondition['perturbations']): 'clean' | 'perturbed' | undefined {
  if (perturbations.length === 0) return 'clean'
  return perturbations.some(({ promise }) => promise !== 'identity') ? 'perturbed' : undefined
}

/** Creates the counts of a grid: `seen` adds a row of an earlier session, `played` one of this session. */
export function createTally(planned: number, { models: names, conditions }: Pick<Plan, 'models' | 'conditions'>) {
  const none = { valid: 0, successes: 0 }
  const models = new Map(names.map(({ name: model }) => [model, { model, clean: { ...none }, perturbed: { ...none } }]))
  const sides = new Map(conditions.map(({ label, perturbations }) => [label, sideOf(perturbations)]))
  const messages = new Map<string, number>()
  const count = { already: 0, played: 0, errors: 0 }
  const valid = (row: Counted): void => {
    const side = sides.get(row.condition)
    const rate = side && models.get(row.model)?.[side]
    if (rate === undefined) return
    rate.valid++
    if (row.outcome === 'success') rate.successes++
  }
  return {
    seen(row: Counted): void {
      if (!isValid(row.outcome)) return
      count.already++
      valid(row)
    },
    played(row: EpisodeRow): void {
      if (isValid(row.outcome)) {
        count.played++
        valid(row)
        return
      }
      count.errors++
      const message = `${row.outcome} of ${row.model}: ${row.error ?? 'without a message'}`
      if (messages.has(message) || messages.size < maxMessages) messages.set(message, (messages.get(message) ?? 0) + 1)
    },
    now: (): Tally => ({ planned, ...count, models: [...models.values()], messages }),
  }
}
