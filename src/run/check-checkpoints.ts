import { usageError } from '../core/errors.js'
import { plainAddress } from '../models/address.js'
import { listServed } from '../models/probe/probe-server.js'
import { listFirst } from '../tables/words.js'
import { addressOf, createConnection } from './create-model.js'
import type { Experiment } from './experiment.js'
import { isServed } from './model-choice.js'
import type { Registry } from './registry.js'

/**
 * Asks the servers of checkpoints once which models they serve: a server with one model may answer to any name.
 * @param models names of the models that are played
 * @throws ShaketableError `usage` for a checkpoint whose server serves another model
 */
export async function checkCheckpoints(
  experiment: Experiment,
  registry: Registry,
  models: readonly string[],
): Promise<void> {
  const { secrets } = createConnection(experiment).endpoint
  const lists = new Map<string, ReturnType<typeof listServed>>()
  for (const choice of experiment.models) {
    if (!choice.checkpoint || !models.includes(choice.name) || !isServed(choice, registry)) continue
    const address = addressOf(choice, experiment.baseUrl, process.env, registry)
    const options = { ...address, secrets, timeoutMs: 10_000 }
    const key = JSON.stringify({ ...options, model: '' })
    const asking = lists.get(key) ?? listServed(options)
    lists.set(key, asking)
    const names = await asking
    if (names === undefined || names.includes(options.model)) continue
    const served = names.length === 0 ? 'no model' : listFirst(names.map((name) => name.slice(0, 100)))
    throw usageError(
      `Expected the checkpoint '${choice.name}' on its server, but ${options.shown ?? plainAddress(options.baseUrl)} serves ${served}, not ${options.model}. Serve it under this name (vLLM: --lora-modules or --served-model-name, llama.cpp: --alias), give the entry the name on the server as model, or play those that are served with --only model=NAME.`,
    )
  }
}
