import { ShaketableError } from '../core/errors.js'
import { plainAddress } from '../models/address.js'
import type { Listed, ProbeOptions } from '../models/probe/probe-server.js'
import { listServed } from '../models/probe/probe-server.js'
import { sleep } from '../models/signals.js'
import { listFirst } from '../tables/words.js'
import { createConnection, createModel } from './create-model.js'
import type { Experiment } from './experiment.js'
import { isServed } from './model-choice.js'
import type { Player } from './play-cell.js'
import type { Registry } from './registry.js'

/** A model whose server does not answer, or does not list it. */
export interface MissingModel {
  readonly model: string
  /** `http://gpu:8000/v1: connection refused`, `http://gpu:8000/v1 serves tuned-200, not tuned-400`. */
  readonly why: string
}

/** The servers of an experiment, asked which of its models they serve now. */
export interface ServedModels {
  /** @returns those of these models that are missing; one that its server does not list, where it has a list */
  missing(models: readonly string[]): Promise<readonly MissingModel[]>
  /**
   * Asks, after an episode, whether its model is still served. Only servers that list one model are asked: they may
   * answer to every name. @returns why it is not
   */
  confirm(model: string): Promise<string | undefined>
}

/** For one request of a list, and how often it is made after an episode. */
const [askMs, maxTries] = [10_000, 3]
const waitMs = 1000

/** Finds the address of each model behind a server. Nothing is asked yet. */
export function watchServed(experiment: Experiment, registry: Registry): ServedModels {
  const connection = createConnection(experiment)
  const { secrets } = connection.endpoint
  const asked = new Map<string, ProbeOptions>()
  for (const choice of experiment.models) {
    if (!isServed(choice, registry)) continue
    try {
      const { address } = createModel(choice, experiment.baseUrl, process.env, undefined, connection, registry)
      if (address !== undefined) asked.set(choice.name, { ...address, secrets, timeoutMs: askMs })
    } catch {
      // What is wrong with it is said, with its place, when the grid is prepared.
    }
  }
  const alone = new Set<string>()
  const reasonOf = (options: ProbeOptions, { names, why }: Listed): string | undefined => {
    const shown = options.shown ?? plainAddress(options.baseUrl!)
    if (why !== undefined) return `${shown}: ${why}`
    if (names === undefined || names.includes(options.model)) return undefined
    return `${shown} serves ${names.length === 0 ? 'no model' : listFirst(names.map((name) => name.slice(0, 100)))}, not ${options.model}`
  }
  return {
    async missing(models) {
      const lists = new Map<string, Promise<Listed>>()
      const found = await Promise.all(
        models.map(async (model): Promise<readonly MissingModel[]> => {
          const options = asked.get(model)
          if (options === undefined) return []
          const key = JSON.stringify({ ...options, model: '' })
          const asking = lists.get(key) ?? listServed(options)
          lists.set(key, asking)
          const listed = await asking
          if (listed.names !== undefined && new Set(listed.names).size <= 2) alone.add(model)
          else alone.delete(model)
          const why = reasonOf(options, listed)
          return why === undefined ? [] : [{ model, why }]
        }),
      )
      return found.flat()
    },
    async confirm(model) {
      const options = asked.get(model)
      if (options === undefined || !alone.has(model)) return undefined
      for (let tries = 1; ; tries++) {
        const listed = await listServed(options)
        if (listed.why === undefined || tries === maxTries) return reasonOf(options, listed)
        await sleep(waitMs, undefined)
      }
    },
  }
}

/** `tuned-200 and tuned-400 (http://gpu:8000/v1: connection refused)`, each reason once. */
export function describeMissing(missing: readonly MissingModel[]): string {
  const servers = new Map<string, string[]>()
  for (const { model, why } of missing) {
    const reason = why.replace(/, not .*$/s, '')
    servers.set(reason, [...(servers.get(reason) ?? []), model])
  }
  return [...servers].map(([why, models]) => `${listFirst(models)} (${why})`).join('; ')
}

/** @throws ShaketableError `usage` for a checkpoint whose server serves another model, which may answer to any name */
export function refuseOthers(missing: readonly MissingModel[]): void {
  const other = missing.find(({ why }) => why.includes(' serves '))
  if (other === undefined) return
  throw new ShaketableError(
    'usage',
    `Expected the checkpoint '${other.model}' on its server, but ${other.why}. Serve it under this name (vLLM: --lora-modules or --served-model-name, llama.cpp: --alias), give the entry the name on the server as model, or give --skip-missing to play the checkpoints that are served.`,
  )
}

/**
 * A player that leaves out an episode whose model is no longer served when it ends: another model may have answered.
 * `lost` is aborted then, with the reason.
 */
export function withConfirmation(player: Player, confirm: ServedModels['confirm'], lost: AbortController): Player {
  return {
    ...player,
    async play(indices) {
      const episodes = await player.play(indices)
      const reasons = new Map<string, string | undefined>()
      for (const { row } of episodes) if (!reasons.has(row.model)) reasons.set(row.model, await confirm(row.model))
      const why = [...reasons.values()].find((reason) => reason !== undefined)
      if (why !== undefined && !lost.signal.aborted)
        lost.abort(new ShaketableError('model', `A server is gone: ${why}.`))
      return episodes.filter(({ row }) => reasons.get(row.model) === undefined)
    },
  }
}
