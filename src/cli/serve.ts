import { Command } from 'commander'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { serve } from '../proxy/served.js'
import { printData } from './_lines.js'
import type { PluginFlag } from './_flags.js'
import { addPluginFlag, readPlugins, whole } from './_flags.js'
import { onStop } from './_signals.js'
import type { Registry } from '../run/registry.js'

interface ServeFlags extends PluginFlag {
  readonly port: number
  readonly host: string
  readonly apiKey?: string
  readonly latency: number
  readonly context?: number
}

/** `shaketable serve`: serves control models as an OpenAI-compatible server. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description(
      'Serves control models as an OpenAI-compatible server. Prints its address once it listens; Ctrl-C ends it.',
    )
    .argument('[models...]', 'control models, such as reader and parrot:new; tuned=reader serves the reader as tuned', [
      'reader',
    ])
    .option(...whole('--port <n>', 'port; 0 chooses a free one', 0, 65_535, 0))
    .option('--host <address>', 'address to listen on; 0.0.0.0 for all networks of this machine', '127.0.0.1')
    .option('--api-key <key>', 'refuse requests without this key')
    .option(...whole('--latency <ms>', 'delay of each answer', 0, 3_600_000, 0))
    .option(...whole('--context <n>', 'tokens of prompt and reply; longer requests are refused', 1, 100_000_000))
  return addPluginFlag(command).action(run)
}

async function run(names: readonly string[], flags: ServeFlags): Promise<void> {
  const registry = await readPlugins(flags)
  const serving = await serve({
    models: [...new Set(names)].map((name) => readModel(name, registry)),
    port: flags.port,
    host: flags.host,
    ...(flags.apiKey !== undefined && { apiKey: readKey(flags.apiKey) }),
    latencyMs: flags.latency,
    ...(flags.context !== undefined && { contextTokens: flags.context }),
  })
  const stopped = new Promise<void>(onStop)
  await printData(serving.baseUrl)
  await stopped
  await serving.close()
}

/** Reads `reader`, or `tuned=reader` for a reader that is served as `tuned`. */
function readModel(text: string, registry: Registry): Model {
  const at = text.indexOf('=')
  const model = findControl(text.slice(at + 1), registry)
  if (at === -1) return model
  const name = text.slice(0, at).trim()
  if (/^[\w./:@-]{1,200}$/.test(name)) return { ...model, name }
  throw new ShaketableError(
    'usage',
    `Expected a served name of 1 to 200 letters, digits or any of ./:@_-, got '${name.slice(0, 100)}'. Write it like tuned=reader.`,
  )
}

/** @throws ShaketableError `usage` for an unknown control model, or one that has to see the world */
function findControl(text: string, registry: Registry): Model {
  const [name = '', ...option] = text.split(':')
  const served = registry.list('model').filter((baseline) => baseline.name !== 'oracle')
  const baseline = served.find((one) => one.name === name)
  if (baseline !== undefined) return option.length === 0 ? baseline.create() : baseline.create(option.join(':'))
  const names = served.map((one) => one.name)
  const why = name === 'oracle' ? 'The oracle needs the world itself, which a request does not contain. ' : ''
  throw new ShaketableError('usage', why + unknownName('control model', name, names))
}

function readKey(text: string): string {
  if (text.trim() !== '') return text
  throw new ShaketableError(
    'usage',
    '--api-key: expected a key, got nothing. Leave the flag out for a server without one.',
  )
}
