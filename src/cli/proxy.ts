import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { findWords } from '../../perturbations/vocabulary/index.js'
import type { EnvironmentCard } from '../core/environment.js'
import { unknownName } from '../core/errors.js'
import type { AppliedPerturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { createConversations } from '../proxy/conversation.js'
import type { FormsFile } from '../proxy/forms-file.js'
import { readFormsFile } from '../proxy/forms-file.js'
import { createProxyHandler } from '../proxy/handle.js'
import { openProxyLog } from '../proxy/log.js'
import { createMemory } from '../proxy/memory.js'
import { isLoopback, serveWith } from '../proxy/server.js'
import { parseOneColumn, placeColumn } from '../run/columns.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import { printData, say, version } from './_lines.js'
import type { PluginFlag } from './_flags.js'
import { addListenFlags, addPluginFlag, readPlugins, usageError } from './_flags.js'
import { onStop } from './_signals.js'

interface ProxyFlags extends PluginFlag {
  readonly upstream: string
  readonly forms: string
  readonly perturb: string
  readonly port: number
  readonly host: string
  readonly log: string
  readonly seed: string
}

/** `shaketable proxy`: perturbs the conversations between another harness and its model. */
export function proxyCommand(): Command {
  const command = new Command('proxy')
    .description(
      'Perturbs the conversations of another harness: it rewords prompts for the model and translates actions back. Prints its address once it listens; Ctrl-C ends it.',
    )
    .requiredOption('--upstream <url>', "the model's OpenAI-compatible server, such as http://127.0.0.1:8000/v1")
    .requiredOption(
      '--forms <environment>',
      `the environment: ${known(shipped).join(', ')}, or a file with its action forms`,
    )
    .requiredOption('--perturb <condition>', 'a perturbation, or several as a+b, the first nearest the environment')
    .option('--log <file>', 'file to append a JSON line for each turn to', 'shaketable-proxy.jsonl')
    .option('--seed <text>', 'seed of the perturbations, for all conversations', '0')
  return addPluginFlag(addListenFlags(command)).action(run)
}

async function run(flags: ProxyFlags): Promise<void> {
  const upstream = readUpstream(flags.upstream)
  const registry = await readPlugins(flags)
  const { environment, vocabulary, markers } = readForms(flags.forms, registry)
  const { condition, applied } = readCondition(flags.perturb, environment, registry)
  const conversations = createConversations(
    { vocabulary, ...cardOf(environment, registry), applied, markers, random: createRandom(flags.seed) },
    createMemory(),
  )
  const log = await openProxyLog(flags.log, say)
  const now = (): number => Date.now()
  const shownUrl = `${upstream.origin}${upstream.pathname}`
  const handle = createProxyHandler({ upstream, conversations, condition, log, now, warn: say })
  const serving = await serveWith(handle, { port: flags.port, host: flags.host })
  const at = new Date(now()).toISOString()
  log.write({ kind: 'start', version: 1, condition, forms: flags.forms, upstream: shownUrl, shaketable: version, at })
  if (!isLoopback(flags.host)) {
    say(
      `warning: ${flags.host} can be reached from other machines: everyone who reaches it can use ${shownUrl} through this proxy.`,
    )
  }
  const stopped = new Promise<void>(onStop)
  await printData(serving.baseUrl)
  await stopped
  await serving.close()
  await log.close()
}

function readUpstream(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url
  throw usageError(
    `--upstream: expected the base URL of a server, such as http://127.0.0.1:8000/v1, got '${text.slice(0, 100)}'.`,
  )
}

function known(registry: Registry): readonly string[] {
  const kinds = registry.list('environment')
  return kinds.filter(({ plainText }) => plainText !== undefined).map(({ name }) => name)
}

function readForms(given: string, registry: Registry): FormsFile & { readonly environment?: string } {
  const kind = registry.list('environment').find(({ name }) => name === given)
  if (kind?.plainText !== undefined) return { environment: kind.name, vocabulary: kind.plainText, markers: [] }
  if (kind !== undefined) {
    throw usageError(
      `--forms: the actions of '${given}' are not the same in all its games. Give a file with the forms and names of the game, or one of ${known(registry).join(', ')}.`,
    )
  }
  if (existsSync(given) || /[./\\]/.test(given)) return readFormsFile(given)
  throw usageError(`--forms: ${unknownName('environment', given, known(registry))} Or give the path of a file.`)
}

/** The card of an environment, and the kinds of item that its vocabulary has. */
function cardOf(name: string | undefined, registry: Registry) {
  const kind = registry.list('environment').find((one) => one.name === name)
  if (kind === undefined) return {}
  const environment: EnvironmentCard = { name: kind.name }
  return { environment, kinds: Object.keys(findWords('items', environment) ?? {}) }
}

/** The condition of the proxy. @throws ShaketableError `usage` for none, or for several */
function readCondition(perturb: string, environment: string | undefined, registry: Registry) {
  const all = registry.list('lens')
  const column = parseOneColumn(perturb, registry)
  const placed = environment === undefined ? column : placeColumn(column, [environment], all)
  const [first, ...others] = placed.applied
  if (first === undefined) {
    throw usageError("--perturb: expected a perturbation, got none. 'placebo' changes nothing.")
  }
  for (const one of placed.applied) checkFits(one)
  return { condition: placed.label, applied: [first, ...others] as const }
}

/** Refuses options that need more than the text of a conversation. */
function checkFits({ perturbation: { name }, scope, intensity }: AppliedPerturbation): void {
  const refuse = (option: string, reason: string): never => {
    throw usageError(`--perturb: '${name}' takes no '${option}' in a proxy: ${reason}. Leave the option out.`)
  }
  if (scope !== undefined) refuse('scope', 'it names parts of a prompt, and a proxy sees one text')
  if (intensity !== undefined)
    refuse('intensity', 'it chooses among all items of an episode, which are not known there')
}
