import { GivenUp, ShaketableError, messageOf } from '../../core/errors.js'
import { createDuplicateFinder } from './similarity.js'
import { type AskOptions, createAsker, writeScript, writeTrajectory } from './stages.js'
import type { Item, WorkFolder } from './work-folder.js'

/** Inputs of {@link synthesise}. */
export interface SynthesisOptions extends Omit<AskOptions, 'id'> {
  /** Taken in order, then again with the next seed. */
  readonly personas: readonly string[]
  /** Verified trajectories that are wanted. */
  readonly count: number
  readonly work: WorkFolder
  readonly mistakes: number
  /** Personas underway at once. */
  readonly concurrency: number
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
const [maxPersonasEach, morePersonas] = [4, 100]

/**
 * Makes trajectories of personas until enough of them hold: a persona becomes a script, a script a trajectory. Each
 * result is stored at once, and what is stored is not asked for again. With equal replies the stored rows are equal,
 * whatever is underway at once.
 */
export async function synthesise(options: SynthesisOptions): Promise<SynthesisEnd> {
  const { count, work, personas, concurrency, signal, mistakes } = options
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

  const itemOf = async (index: number): Promise<Item> => {
    const [id, persona] = [`s${String(index + 1).padStart(7, '0')}`, personas[index % personas.length]!]
    const asker = createAsker({
      ...options,
      ...{ id, signal: stop },
      seed: options.seed + Math.floor(index / personas.length),
    })
    const { spent } = asker
    const before = compared
    let release = (): void => undefined
    compared = new Promise((resolve) => (release = resolve))
    let script: unknown
    try {
      const known = work.items.get(id)
      if (known === undefined) script = await writeScript(persona, asker)
      await before
      const compare = known === undefined ? script : known.script
      const twin = compare === undefined ? undefined : twinOf(id, compare)
      if (known !== undefined) return known
      if (script === undefined) return { id, persona, ...spent }
      if (twin !== undefined) {
        spent.refused.push({ stage: 'script', rule: 'duplicate', evidence: `nearly the same as ${twin}` })
        return { id, persona, ...spent, text: JSON.stringify(script).slice(0, 4000) }
      }
    } finally {
      release()
    }
    const turns = await writeTrajectory(script, asker, mistakes)
    if (turns === undefined) return { id, persona, ...spent, script }
    delete spent.text
    return { id, persona, ...spent, script, turns }
  }
  const make = async (index: number): Promise<void> => {
    try {
      const item = await itemOf(index)
      if (!work.items.has(item.id)) {
        failures = 0
        await (written = written.then(() => work.keep(item)))
      }
      if (item.turns !== undefined) verified++
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
    const isFull = underway.size >= concurrency || verified + underway.size >= count || started >= limit
    if (isFull && underway.size > 0) {
      await Promise.race(underway)
    } else if (started >= limit) {
      const message = `only ${String(verified)} of ${String(started)} personas gave a trajectory that holds`
      stopped = { why: 'yield', message }
      break
    } else {
      const item = make(started++).finally(() => {
        underway.delete(item)
        options.progress?.(verified)
      })
      underway.add(item)
    }
  }
  await Promise.all(underway)
  if (broken !== undefined) throw broken.thrown
  if (signal.aborted) stopped ??= { why: 'interrupted', message: 'Interrupted.' }
  return { verified, open, ...(stopped && { stopped }) }
}
