import type { Model } from '../core/model.js'
import { serve } from '../proxy/served.js'
import type { Registry } from '../run/registry.js'
import type { OptionsOf } from './_flags.js'
import { createControl, listenFlags, makeCommand, pluginFlag, readPlugins, usageError } from './_flags.js'
import { untilStopped } from './_signals.js'

const flags = [...listenFlags, pluginFlag] as const

const modelsHelp = 'control models, such as reader and parrot:new; tuned=reader serves the reader as tuned'

/** `shaketable serve`: serves control models as an OpenAI-compatible server. */
export const serveCommand = () => makeCommand({ places: [['[models...]', modelsHelp, ['reader']]], flags, run })

async function run(names: readonly string[], { port, host, ...options }: OptionsOf<typeof flags>): Promise<void> {
  const registry = await readPlugins(options)
  const models = [...new Set(names)].map((name) => readModel(name, registry))
  const serving = await serve({ models, port, host })
  await untilStopped(serving.baseUrl)
  await serving.close()
}

/** Reads `reader`, or `tuned=reader` for a reader that is served as `tuned`. */
function readModel(text: string, registry: Registry): Model {
  const at = text.indexOf('=')
  const model = createControl(text.slice(at + 1), registry)
  if (model.name === 'oracle')
    throw usageError('The oracle needs the world itself, which a request does not contain. Name another control model.')
  const name = at === -1 ? model.name : text.slice(0, at).trim()
  if (at === -1 || /^[\w./:@-]{1,200}$/.test(name)) return { ...model, name }
  throw usageError(
    `Expected a served name of 1 to 200 letters, digits or any of ./:@_-, got '${name.slice(0, 100)}'. Write it like tuned=reader.`,
  )
}
