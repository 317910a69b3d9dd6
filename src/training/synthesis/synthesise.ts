import { GivenUp, ShaketableError, messageOf } from '../../core/errors.js'
import type { Model } from '../../core/model.js'
import type { VerifyOptions } from '../verify/verify-trajectory.js'
import { createDuplicateFinder } from './similarity.js'
import type { Staged } from './stages.js'
import { writeScript, writeTrajectory } from './stages.js'
import type { StageName, StageRows, WorkFolder } from './work-folder.js'

/** Inputs of {@link synthesise}. */
export interface SynthesisOptions {
  /** Asked in turn. */
  readonly models: readonly Model[]
  /** Taken in order, then again with the next seed. */
  readonly personas: readonly string[]
  /** Verified trajectories that are wanted. */
  readonly count: number
  readonly work: WorkFolder
  readonly seed: number
  readonly temperature: number
  readonly maxTokens: number
  readonly mistakes: number
  /** Further requests after one that cannot be used, for each script and each trajectory. */
  readonly repairs: number
  readonly verify: VerifyOptions
  /** Personas underway at once. */
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Called after each persona. */
  readonly progress?: (verified: number) => void
}

/** How a synthesis ended. */
export interface SynthesisEnd {
  /** Verified trajectories, earlier sessions included. */
  readonly verified: number
  /** Personas that were begun and have no result, since a request failed. */
  readonly open: number
  /**
   * Why it ended before all were made: `budget`; `model`, where one request after the other failed; `yield`, where too
   * few trajectories hold; `interrupted`.
   */
  readonly stopped?: { readonly why: 'budget' | 'model' | 'yield' | 'interrupted'; readonly message: string }
}

/** Requests that fail in a row before it ends. */
const maxFailures = 5
/** The most personas for each trajectory that is wanted, and some more. */
const maxPersonasEach = 4
const morePersonas = 100

/** Name of an item in the stage files; in the order of the items. */
export function idOf(index: number): string {
  return `s${String(index + 1).padStart(7, '0')}`
}

/**
 * Makes trajectories of personas until enough of them hold: a persona becomes a script, a script a trajectory. Each
 * result is stored at once, and what is stored is not asked for again. With equal replies the stored rows are equal,
 * whatever is underway at once.
 */
export async function synthesise(options: SynthesisOptions): Promise<SynthesisEnd> {
  const { count, work, personas, models, concurrency, signal } = options
  /** The earlier script of which one is a near duplicate. */
  const twinOf = createDuplicateFinder()
  const failure = new AbortController()
  const stop = AbortSignal.any([signal, failure.signal])
  const limit = maxPersonasEach * count + morePersonas
  let [started, verified, open, failures] = [0, 0, 0, 0]
  let stopped: SynthesisEnd['stopped']
  let broken: { readonly thrown: unknown } | undefined
  /** Ends once all scripts before are compared. */
  let compared = Promise.resolve()
  /** Ends once all rows before are written. */
  let written = Promise.resolve()
  const keep = <Name extends StageName>(stage: Name, row: StageRows[Name]): Promise<void> =>
    (written = written.then(() => work.keep(stage, row)))

  const scriptOf = async (ask: ReturnType<typeof askedOf>): Promise<unknown> => {
    const { id, persona } = ask
    const before = compared
    let release = (): void => undefined
    compared = new Promise((resolve) => (release = resolve))
    try {
      const known = work.rows('scripts').get(id)
      if (known !== undefined || work.rows('rejected-scripts').has(id)) {
        await before
        if (known !== undefined) twinOf(id, known.script)
        return known?.script
      }
      const staged = await writeScript(persona, ask)
      failures = 0
      await before
      const item = itemOf(staged, id, persona)
      if (staged.made === undefined) {
        await keep('rejected-scripts', { ...item, text: staged.text })
        return undefined
      }
      const { source, steps } = staged.made
      const twin = twinOf(id, source)
      if (twin === undefined) {
        await keep('scripts', { ...item, script: source, steps })
        return source
      }
      const refused = [...item.refused, { rule: 'duplicate', evidence: `nearly the same as ${twin}` }]
      await keep('rejected-scripts', { ...item, refused, text: JSON.stringify(source).slice(0, 4000) })
      return undefined
    } finally {
      release()
    }
  }
  const askedOf = (index: number) => ({
    id: idOf(index),
    persona: personas[index % personas.length]!,
    model: models[index % models.length]!,
    seed: options.seed + Math.floor(index / personas.length),
    temperature: options.temperature,
    maxTokens: options.maxTokens,
    repairs: options.repairs,
    signal: stop,
  })
  const make = async (index: number): Promise<void> => {
    const ask = askedOf(index)
    const { id, persona } = ask
    try {
      const script = await scriptOf(ask)
      if (script === undefined) return
      if (work.rows('trajectories').has(id)) {
        verified++
        return
      }
      if (work.rows('rejected-trajectories').has(id)) return
      const { mistakes, verify } = options
      const staged = await writeTrajectory(script, { ...ask, mistakes, verify })
      failures = 0
      const item = itemOf(staged, id, persona)
      if (staged.made === undefined) await keep('rejected-trajectories', { ...item, text: staged.text })
      else {
        await keep('trajectories', { ...item, script, turns: staged.made })
        verified++
      }
    } catch (thrown) {
      open++
      end(thrown)
    }
  }
  const end = (thrown: unknown): void => {
    if (stopped !== undefined || broken !== undefined) return
    if (signal.aborted) stopped = { why: 'interrupted', message: 'Interrupted.' }
    else if (thrown instanceof GivenUp) stopped = { why: 'budget', message: thrown.message }
    else if (thrown instanceof ShaketableError && thrown.code === 'model') {
      if (++failures < maxFailures) return
      stopped = { why: 'model', message: messageOf(thrown) }
    } else broken = { thrown }
    failure.abort()
  }

  const underway = new Set<Promise<void>>()
  while (verified < count && !stop.aborted) {
    if (underway.size >= concurrency || (underway.size > 0 && verified + underway.size >= count)) {
      await Promise.race(underway)
      continue
    }
    if (started >= limit) {
      if (underway.size > 0) {
        await Promise.race(underway)
        continue
      }
      const message = `only ${String(verified)} of ${String(started)} personas gave a trajectory that holds`
      stopped = { why: 'yield', message }
      break
    }
    const item = make(started++).finally(() => {
      underway.delete(item)
      options.progress?.(verified)
    })
    underway.add(item)
  }
  await Promise.all(underway)
  if (broken !== undefined) throw broken.thrown
  if (signal.aborted) stopped ??= { why: 'interrupted', message: 'Interrupted.' }
  return { verified, open, ...(stopped && { stopped }) }
}

function itemOf({ requests, promptTokens, completionTokens, refused }: Staged<unknown>, id: string, persona: string) {
  return { id, persona, requests, promptTokens, completionTokens, refused }
}
