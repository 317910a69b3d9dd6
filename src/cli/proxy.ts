import { existsSync } from 'node:fs'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Command } from 'commander'
import { findWords } from '../../perturbations/vocabulary/index.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import { createRandom } from '../core/random.js'
import { splitCommand } from '../environments/process/index.js'
import { packagedData } from '../files/packaged.js'
import { parseAddress } from '../models/address.js'
import { createConversations } from '../proxy/conversation.js'
import { readFormsFile } from '../proxy/forms-file.js'
import { createProxyHandler } from '../proxy/handle.js'
import { openProxyLog } from '../proxy/log.js'
import { type Relay, relayMcp } from '../proxy/mcp.js'
import { connectHttp, connectStdio, createMcpHandler, loadSdk, startServer } from '../proxy/mcp-connections.js'
import { createMemory } from '../proxy/memory.js'
import { isLoopback, serveWith } from '../proxy/server.js'
import { toolWordsSchema } from '../proxy/tool-texts.js'
import { parseOneCondition, placeCondition } from '../run/conditions.js'
import { type Registry, shipped } from '../run/registry.js'
import { say, version } from './_lines.js'
import { type OptionsOf, listenFlags, makeCommand, pluginFlag, readPlugins, required, usageError } from './_flags.js'
import { stopSignal, untilStopped } from './_signals.js'

const forms = known(shipped).join(', ')
const flags = [
  ['--upstream <url>', "the model's OpenAI-compatible server, such as http://127.0.0.1:8000/v1"],
  ['--forms <environment>', `the environment: ${forms}, or a file with its action forms`],
  [
    '--mcp <server>',
    'an MCP server instead: its command or address; speaks MCP on standard input, or at /mcp with --port',
  ],
  required('--perturb <condition>', 'a perturbation, or several as a+b, the first nearest the environment'),
  ['--log <file>', 'file to append a JSON line for each turn to', undefined, 'shaketable-proxy.jsonl'],
  ['--seed <text>', 'seed of the perturbations, for all conversations', undefined, '0'],
  ...listenFlags,
  pluginFlag,
] as const
type ProxyFlags = OptionsOf<typeof flags>

/** `shaketable proxy`: perturbs the conversations between another harness and its model. */
export const proxyCommand = () =>
  makeCommand({
    flags,
    rules: [
      ['--upstream', 'or', '--mcp'],
      ['--mcp', 'excludes', '--upstream', '--forms'],
      ['--upstream', 'needs', '--forms'],
      ['--forms', 'needs', '--upstream'],
    ],
    run,
  })

async function run(flags: ProxyFlags, command: Command): Promise<void> {
  const { mcp, perturb, forms = '', seed } = flags
  const registry = await readPlugins(flags)
  if (mcp !== undefined) return runMcp(mcp, flags, registry, command.getOptionValueSource('port') === 'cli')
  const upstream = parseAddress(flags.upstream ?? '')
  const { kind, vocabulary } = readForms(forms, registry)
  const { condition, applied } = readCondition(perturb, registry, kind?.name)
  const environment = kind && { name: kind.name }
  const card = environment && { environment, kinds: Object.keys(findWords('items', environment) ?? {}) }
  const conversations = createConversations(
    { vocabulary, ...card, applied, random: createRandom(seed) },
    createMemory(),
  )
  const shown = `${upstream.origin}${upstream.pathname}`
  const log = await beginLog(flags.log, { condition, forms, upstream: shown })
  const handle = createProxyHandler({ upstream, conversations, condition, log, now, warn: say })
  await serveProxy(handle, flags, shown)
  await log.close()
}

const now = (): number => Date.now()

async function beginLog(path: string, facts: { condition: string; forms: string; upstream: string }) {
  const log = await openProxyLog(path, say)
  log.write({ kind: 'start', version: 1, ...facts, shaketable: version, at: new Date(now()).toISOString() })
  return log
}

const readWords = packagedData('perturbations/vocabulary/tools.yaml', toolWordsSchema)

/** Perturbs the tools of an MCP server, for one agent on standard input and output, or for all that come to a port. */
async function runMcp(server: string, flags: ProxyFlags, registry: Registry, isServing: boolean): Promise<void> {
  const url = /^https?:/i.test(server) ? parseAddress(server) : undefined
  const argv = url === undefined ? splitCommand(server, '--mcp') : undefined
  const { condition, applied } = readCondition(flags.perturb, registry, undefined, true)
  const sdk = await loadSdk()
  const upstream = url === undefined ? argv![0] : `${url.origin}${url.pathname}`
  const log = await beginLog(flags.log, { condition, forms: 'mcp', upstream })
  const options = { applied, words: readWords(), condition, log, warn: say, now }
  const connect = async (agent: Transport, headers: Record<string, string>): Promise<Relay> => {
    const server = url === undefined ? await startServer(sdk, argv!) : connectHttp(sdk, url, headers)
    return relayMcp({ agent, server }, { ...options, random: createRandom(flags.seed) })
  }
  if (!isServing) {
    const agent = connectStdio(sdk)
    stopSignal().addEventListener('abort', () => void agent.close())
    const { gone } = await connect(agent, {})
    if ((await gone) === 'server') throw new ShaketableError('environment', `The MCP server ${upstream} has gone.`)
  } else {
    const { handle, close } = createMcpHandler(sdk, connect)
    await serveProxy(handle, flags, upstream, '/mcp', close)
  }
  await log.close()
}

/** Serves requests until Ctrl-C, at a path; `close` ends what still uses the server. */
async function serveProxy(
  handle: Parameters<typeof serveWith>[0],
  { port, host }: ProxyFlags,
  upstream: string,
  path = '/v1',
  close?: () => Promise<void>,
): Promise<void> {
  const serving = await serveWith(handle, { port, host })
  const warning = `everyone who reaches it can use ${upstream} through this proxy.`
  if (!isLoopback(host)) say(`warning: ${host} can be reached from other machines: ${warning}`)
  await untilStopped(serving.baseUrl.replace(/\/v1$/, path))
  await close?.()
  await serving.close()
}

/** The environments whose actions are known from their text alone. */
function known(registry: Registry): string[] {
  return registry.list('environment').flatMap(({ name, plainText }) => (plainText === undefined ? [] : [name]))
}

/** The action forms of an environment, or of a file. */
function readForms(source: string, registry: Registry) {
  const kind = registry.list('environment').find(({ name }) => name === source)
  if (kind?.plainText !== undefined) return { kind, vocabulary: kind.plainText }
  if (kind !== undefined) {
    throw usageError(
      `--forms: the actions of '${source}' are not the same in all its games. Give a file with the forms and names of the game, or one of ${known(registry).join(', ')}.`,
    )
  }
  if (existsSync(source) || /[./\\]/.test(source)) return { vocabulary: readFormsFile(source) }
  throw usageError(`--forms: ${unknownName('environment', source, known(registry))} Or give the path of a file.`)
}

/** The condition of the proxy. @throws ShaketableError `usage` for none, or for options that need more than a text */
function readCondition(perturb: string, registry: Registry, environment?: string, hasItems = false) {
  const condition = parseOneCondition(perturb, registry)
  const placed = environment === undefined ? condition : placeCondition(condition, [environment], registry.list('lens'))
  const [first, ...others] = placed.applied
  if (first === undefined) throw usageError("--perturb: expected a perturbation, got none. 'placebo' changes nothing.")
  for (const { perturbation, scope, intensity } of placed.applied) {
    const reason =
      scope !== undefined
        ? "'scope' in a proxy: it names parts of a prompt, and a proxy sees one text"
        : "'intensity' in a proxy: it chooses among all items of an episode, which are not known there"
    if (scope !== undefined || (intensity !== undefined && !hasItems))
      throw usageError(`--perturb: '${perturbation.name}' takes no ${reason}. Leave the option out.`)
  }
  return { condition: placed.label, applied: [first, ...others] as const }
}
