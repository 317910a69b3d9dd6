import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { Command } from 'commander'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { AppliedPerturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { createConversations } from '../proxy/conversation.js'
import type { FormsFile } from '../proxy/forms-file.js'
import { readFormsFile } from '../proxy/forms-file.js'
import { createProxyHandler } from '../proxy/handle.js'
import { openProxyLog } from '../proxy/log.js'
import { createMemory } from '../proxy/memory.js'
import { parseOneColumn, placeColumn } from '../run/columns.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import { serveWith } from '../serve/server.js'
import { printData, say } from './_lines.js'
import type { PluginFlag } from './_flags.js'
import { addPluginFlag, readPlugins, readWhole } from './_flags.js'
import { untilSignal } from './serve.js'

interface ProxyFlags extends PluginFlag {
  readonly upstream: string
  readonly forms: string
  readonly perturb: string
  readonly port: string
  readonly host: string
  readonly log: string
  readonly seed: string
}

/** `shaketable proxy`: stands between a harness and its model, and perturbs what they say to each other. */
export function proxyCommand(): Command {
  const command = new Command('proxy')
    .description(
      'Perturbs the conversations of another harness: prompts are reworded on their way to the model, actions are translated back. Prints its address once it listens; Ctrl-C ends it.',
    )
    .requiredOption('--upstream <url>', "the model's OpenAI-compatible server, such as http://127.0.0.1:8000/v1")
    .requiredOption(
      '--forms <environment>',
      `what is played: ${known(shipped).join(', ')}, or a file with its action forms`,
    )
    .requiredOption('--perturb <condition>', 'a perturbation, or several as a+b, the first nearest the environment')
    .option('--port <n>', 'the port; 0 for one that is free', '0')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option(
      '--log <file>',
      'what is noted of each turn, as JSON lines, at the end of this file',
      'shaketable-proxy.jsonl',
    )
    .option('--seed <text>', 'seed of what perturbations draw, for all conversations', '0')
  return addPluginFlag(command).action(run)
}

async function run(flags: ProxyFlags): Promise<void> {
  const upstream = readUpstream(flags.upstream)
  const registry = await readPlugins(flags)
  const { environment, vocabulary, markers } = readForms(flags.forms, registry)
  const { condition, applied } = readCondition(flags.perturb, environment, registry)
  const port = readWhole('--port', flags.port, 0, 65_535)
  const conversations = createConversations(
    { vocabulary, applied, markers, random: createRandom(flags.seed) },
    createMemory(),
  )
  const log = await openProxyLog(flags.log, say)
  const now = (): number => Date.now()
  const shownUrl = `${upstream.origin}${upstream.pathname}`
  const handle = createProxyHandler({ upstream, conversations, condition, log, now })
  const serving = await serveWith(handle, { port, host: flags.host })
  const { version: shaketable } = createRequire(import.meta.url)('shaketable/package.json') as { version: string }
  const at = new Date(now()).toISOString()
  log.write({ kind: 'start', version: 1, condition, forms: flags.forms, upstream: shownUrl, shaketable, at })
  if (!isLoopback(flags.host)) {
    say(`warning: ${flags.host} is not this machine alone: whoever reaches it can use ${shownUrl} through this proxy.`)
  }
  const ended = untilSignal()
  await printData(serving.baseUrl)
  await ended
  await serving.close()
  await log.close()
}

function readUpstream(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url
  throw new ShaketableError(
    'usage',
    `--upstream: expected the base URL of a server, such as http://127.0.0.1:8000/v1, got '${text.slice(0, 100)}'.`,
  )
}

function known(registry: Registry): readonly string[] {
  const kinds = registry.list('environment')
  return kinds.filter(({ vocabulary }) => vocabulary !== undefined).map(({ name }) => name)
}

function readForms(given: string, registry: Registry): FormsFile & { readonly environment?: string } {
  const kind = registry.list('environment').find(({ name }) => name === given)
  if (kind?.vocabulary !== undefined) return { environment: kind.name, vocabulary: kind.vocabulary, markers: [] }
  if (kind !== undefined) {
    throw new ShaketableError(
      'usage',
      `--forms: the actions of '${given}' cannot be told from text alone. Give a file with the forms and names of the game that is played, or one of ${known(registry).join(', ')}.`,
    )
  }
  if (existsSync(given) || /[./\\]/.test(given)) return readFormsFile(given)
  throw new ShaketableError(
    'usage',
    `--forms: ${unknownName('environment', given, known(registry))} Or give the path of a file.`,
  )
}

/** @throws ShaketableError `usage` for several conditions, as a proxy has one */
function readCondition(perturb: string, environment: string | undefined, registry: Registry) {
  const all = registry.list('lens')
  const column = parseOneColumn(perturb, all)
  const placed = environment === undefined ? column : placeColumn(column, [environment], all)
  const [first, ...others] = placed.applied
  if (first === undefined) {
    throw new ShaketableError('usage', "--perturb: expected a perturbation, got none. 'placebo' changes nothing.")
  }
  for (const one of placed.applied) checkFits(one)
  return { condition: placed.label, applied: [first, ...others] as const }
}

/** Refuses what needs more than the texts of a conversation. */
function checkFits({ perturbation, scope, intensity }: AppliedPerturbation): void {
  const reason =
    scope !== undefined
      ? "'scope' tells the parts of a prompt apart, and a proxy sees one text"
      : intensity !== undefined
        ? "'intensity' draws among all items of an episode, and a proxy does not know them"
        : undefined
  if (reason === undefined) return
  throw new ShaketableError(
    'usage',
    `--perturb: '${perturbation.name}' cannot be used in this way by a proxy: ${reason}. Leave the option out.`,
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
