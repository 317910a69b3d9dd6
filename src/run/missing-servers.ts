import { ShaketableError } from '../core/errors.js'
import { plainAddress } from '../models/address.js'
import type { Listed, ProbeOptions } from '../models/probe/probe-server.js'
import { listServed } from '../models/probe/probe-server.js'
import { listFirst } from '../tables/words.js'
import type { Connection } from './create-model.js'
import { addressOf, createConnection } from './create-model.js'
import type { Experiment } from './experiment.js'
import type { ModelChoice } from './model-choice.js'
import { isServed } from './model-choice.js'
import type { Registry } from './registry.js'

/** A model whose server does not answer, or does not list it. */
export interface MissingModel {
  readonly model: string
  /** `http://gpu:8000/v1: connection refused`, `http://gpu:8000/v1 serves tuned-200, not tuned-400`. */
  readonly why: string
}

/** For one request of a list. */
const askMs = 10_000

/**
 * Asks servers once which models they serve.
 * @returns those of these models whose server does not answer, or does not list them
 */
export async function findMissing(
  experiment: Experiment,
  registry: Registry,
  models: readonly string[],
): Promise<readonly MissingModel[]> {
  if (models.length === 0) return []
  const connection = createConnection(experiment)
  const lists = new Map<string, Promise<Listed>>()
  const asked = experiment.models.map(async (choice): Promise<readonly MissingModel[]> => {
    if (!models.includes(choice.name) || !isServed(choice, registry)) return []
    const options = addressOrNone(choice, experiment, connection, registry)
    if (options === undefined) return []
    const key = JSON.stringify({ ...options, model: '' })
    const asking = lists.get(key) ?? listServed(options)
    lists.set(key, asking)
    const { names, why } = await asking
    const shown = options.shown ?? plainAddress(options.baseUrl!)
    if (why !== undefined) return [{ model: choice.name, why: `${shown}: ${why}` }]
    if (names === undefined || names.includes(options.model)) return []
    const served = names.length === 0 ? 'no model' : listFirst(names.map((name) => name.slice(0, 100)))
    return [{ model: choice.name, why: `${shown} serves ${served}, not ${options.model}` }]
  })
  return (await Promise.all(asked)).flat()
}

function addressOrNone(
  choice: ModelChoice,
  { baseUrl }: Experiment,
  { endpoint: { secrets } }: Connection,
  registry: Registry,
): ProbeOptions | undefined {
  try {
    return { ...addressOf(choice, baseUrl, process.env, registry), secrets, timeoutMs: askMs }
  } catch {
    return undefined // What is wrong with it is said, with its place, when the grid is prepared.
  }
}

/** @throws ShaketableError `usage` for a checkpoint whose server serves another model, which may answer to any name */
export function refuseOthers(missing: readonly MissingModel[]): void {
  const other = missing.find(({ why }) => why.includes(' serves '))
  if (other === undefined) return
  throw new ShaketableError(
    'usage',
    `Expected the checkpoint '${other.model}' on its server, but ${other.why}. Serve it under this name (vLLM: --lora-modules or --served-model-name, llama.cpp: --alias), give the entry the name on the server as model, or play the one that is served alone, with --only model=NAME.`,
  )
}
