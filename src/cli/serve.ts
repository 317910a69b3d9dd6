import { Command } from 'commander'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { faults } from '../serve/faults.js'
import { readFaults } from '../serve/fault-plan.js'
import { serve } from '../serve/server.js'
import { printData } from './_lines.js'
import type { PluginFlag } from './_flags.js'
import { addPluginFlag, readPlugins, readWhole } from './_flags.js'
import type { Registry } from '../run/registry.js'

interface ServeFlags extends PluginFlag {
  readonly port: string
  readonly host: string
  readonly apiKey?: string
  readonly latency: string
  readonly context?: string
  readonly fault?: readonly string[]
  readonly faultSeed: string
  readonly retryAfter: string
  readonly slowPause: string
}

const several = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** `shaketable serve`: offers control models as an OpenAI-compatible server, one that is as bad as is asked for. */
export function serveCommand(): Command {
  const known = faults.map(({ name, summary }) => `  ${name.padEnd(13)} ${summary}`)
  const command = new Command('serve')
    .description(
      'Offers control models as an OpenAI-compatible server. Prints its address once it listens; Ctrl-C ends it.',
    )
    .argument('[models...]', 'control models, such as reader and parrot:new; tuned=reader serves one by another name', [
      'reader',
    ])
    .option('--port <n>', 'the port; 0 for one that is free', '0')
    .option('--host <address>', 'the address to listen on; 0.0.0.0 for every network of this machine', '127.0.0.1')
    .option('--api-key <key>', 'refuse requests without this key')
    .option('--latency <ms>', 'how long each answer takes', '0')
    .option('--context <n>', 'the most tokens of prompt and reply; longer ones are refused')
    .option('--fault <shares>', 'spoil answers, such as rate-limit=0.1,reset=0.05; may be given again', several)
    .option('--fault-seed <seed>', 'decides which answers are spoilt', '0')
    .option('--retry-after <seconds>', 'what a rate limit asks to wait', '1')
    .option('--slow-pause <ms>', 'the pause after each piece of a slow answer', '100')
  return addPluginFlag(command)
    .addHelpText('after', `\nFaults:\n${known.join('\n')}`)
    .action(run)
}

async function run(names: readonly string[], flags: ServeFlags): Promise<void> {
  const registry = await readPlugins(flags)
  const contextTokens = flags.context === undefined ? undefined : readWhole('--context', flags.context, 1, 100_000_000)
  const serving = await serve({
    models: [...new Set(names)].map((name) => readModel(name, registry)),
    port: readWhole('--port', flags.port, 0, 65_535),
    host: flags.host,
    ...(flags.apiKey !== undefined && { apiKey: readKey(flags.apiKey) }),
    latencyMs: readWhole('--latency', flags.latency, 0, 3_600_000),
    ...(contextTokens !== undefined && { contextTokens }),
    faults: readFaults((flags.fault ?? []).join(',')),
    faultSeed: flags.faultSeed,
    retryAfterSeconds: readWhole('--retry-after', flags.retryAfter, 0, 1_000_000),
    slowMs: readWhole('--slow-pause', flags.slowPause, 0, 3_600_000),
  })
  const ended = untilSignal()
  await printData(serving.baseUrl)
  await ended
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
    `A name to serve a model by has 1 to 200 letters, digits or any of ./:@_-, got '${name.slice(0, 100)}'. Write it like tuned=reader.`,
  )
}

/** @throws ShaketableError `usage` for a name that is no control model, or one that has to see the world */
function findControl(text: string, registry: Registry): Model {
  const [name = '', ...option] = text.split(':')
  const served = registry.list('model').filter((baseline) => baseline.name !== 'oracle')
  const baseline = served.find((one) => one.name === name)
  if (baseline !== undefined) return option.length === 0 ? baseline.create() : baseline.create(option.join(':'))
  const names = served.map((one) => one.name)
  const why = name === 'oracle' ? 'The oracle looks at the world itself, which no request holds. ' : ''
  throw new ShaketableError('usage', why + unknownName('control model', name, names))
}

function readKey(text: string): string {
  if (text.trim() !== '') return text
  throw new ShaketableError(
    'usage',
    '--api-key: expected a key, got nothing. Leave the flag out for a server without one.',
  )
}

/** Ends with the first signal; a second one leaves at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(130)
        asked = true
        resolve()
      })
    }
  })
}
