import { randomUUID } from 'node:crypto'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { messageOf } from '../core/errors.js'
import { type Json, isObject, objectsIn } from '../files/json.js'
import { type RecorderOptions, createRecorder } from './log.js'
import { type ToolAnswer, type ToolCall, type ToolPerturbation, type ToolWorld, createToolWorld } from './tool-world.js'
import { refuseAlias } from './view.js'

/** What a proxy of tool servers needs beside its connections. */
export interface McpProxyOptions extends ToolPerturbation, RecorderOptions {}

/** A connection to an agent and one to its server, both of them not yet started. */
export interface McpConnections {
  readonly agent: Transport
  readonly server: Transport
}

/** A running relay. */
export interface Relay {
  readonly gone: Promise<'agent' | 'server'>
}

type Id = string | number
type Message = Json & { readonly id?: Id; readonly method?: string; readonly params?: Json }

const maxTools = 2000
const failure = -32_000

/**
 * Connects an agent with a server of the Model Context Protocol. The list of tools, the server's instructions and the
 * calls of tools are perturbed; all other messages pass in both directions as they are.
 * @returns once both are connected; `gone` says which of the two went first, once the other one is closed
 */
export async function relayMcp({ agent, server }: McpConnections, options: McpProxyOptions): Promise<Relay> {
  refuseAlias(options.applied)
  const { warn } = options
  const recorder = createRecorder(options)
  const conversation = randomUUID().slice(0, 13)
  /** What waits for responses of the server, by the ids of its requests. */
  const waiting = new Map<Id, (answer: ToolAnswer) => void>()
  /** The agent's requests under way: a message of the server is sent along with the last of them. */
  const underWay = new Set<Id>()
  let [asked, turn, isInitialized] = [0, 0, false]
  let record = recorder('')
  let listed = ''
  let world: ToolWorld | undefined
  let instructions: string | undefined
  let refreshing: Promise<void> = Promise.resolve()

  const toAgent = (message: Json): void => {
    const { id, method } = message as Message
    if (method === undefined && id !== undefined) underWay.delete(id)
    const related = method === undefined ? id : [...underWay].at(-1)
    agent
      .send(message as JSONRPCMessage, related === undefined ? {} : { relatedRequestId: related })
      .catch((thrown: unknown) => warn(`A message to the agent is lost: ${messageOf(thrown)}.`))
  }
  const toServer = async (message: Json): Promise<void> => {
    try {
      await server.send(message as JSONRPCMessage)
    } catch (thrown) {
      const { id, method } = message as Message
      record.failed(messageOf(thrown))
      if (id === undefined || method === undefined) return
      const error = { code: failure, message: `The MCP server cannot be reached: ${messageOf(thrown)}` }
      settle(id, { error })
    }
  }
  const settle = (id: Id, answer: ToolAnswer): void => {
    const resolve = waiting.get(id)
    waiting.delete(id)
    if (resolve === undefined) toAgent({ jsonrpc: '2.0', id, ...answer })
    else resolve(answer)
  }
  const ask = (
    method: string,
    params: Json | undefined,
    id: Id = `shaketable-${String(++asked)}`,
  ): Promise<ToolAnswer> =>
    new Promise((resolve) => {
      waiting.set(id, resolve)
      void toServer({ jsonrpc: '2.0', id, method, ...(params && { params }) })
    })

  /** Reads all tools of the server, and shows them anew where they are others than before. */
  const readTools = async (): Promise<void> => {
    const tools: Json[] = []
    let cursor: unknown
    do {
      const answer = await ask('tools/list', cursor === undefined ? {} : { cursor })
      if ('error' in answer) throw new Error(`its tools cannot be listed: ${String(answer.error.message)}`)
      tools.push(...objectsIn(answer.result.tools))
      cursor = answer.result.nextCursor
      if (tools.length > maxTools) throw new Error(`it has more than ${String(maxTools)} tools`)
    } while (typeof cursor === 'string' && cursor !== '')
    const text = JSON.stringify(tools)
    if (text !== listed) world = createToolWorld(tools, instructions, options)
    listed = text
  }
  const refresh = (): Promise<void> => (refreshing = refreshing.catch(() => undefined).then(readTools))

  const initialize = async ({ id, params }: Message): Promise<ToolAnswer> => {
    const { clientInfo } = params ?? {}
    record = recorder(isObject(clientInfo) ? String(clientInfo.name) : '')
    const answer = await ask('initialize', params, id)
    if ('error' in answer) return answer
    const { result } = answer
    server.setProtocolVersion?.(String(result.protocolVersion))
    if (!isObject(result.capabilities) || result.capabilities.tools === undefined) {
      record.unread('the MCP server has no tools')
      return answer
    }
    instructions = typeof result.instructions === 'string' ? result.instructions : undefined
    isInitialized = true
    await toServer({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await refresh()
    const shown = world?.instructions
    return { result: shown === instructions ? result : { ...result, instructions: shown } }
  }

  const call = async ({ id, params = {} }: Message): Promise<ToolAnswer> => {
    await refreshing
    const { name, arguments: input } = params
    if (world === undefined || typeof name !== 'string') return ask('tools/call', params, id)
    const args = isObject(input) ? input : {}
    const number = ++turn
    const send = (sent: ToolCall): Promise<ToolAnswer> =>
      ask('tools/call', { ...params, name: sent.name, ...(input !== undefined && { arguments: sent.arguments }) }, id)
    const { answer, sent, refused, memorised } = await world.call({ name, arguments: args }, send)
    const [action, told] = [describe({ name, arguments: args }), sent && describe(sent)]
    const isReworded = !refused && told !== undefined && told !== action
    const dose = world.dose()
    record.turn({ conversation, turn: number, action, sent: told, isReworded, refused, memorised, dose })
    return answer
  }

  const answers: Readonly<Record<string, (message: Message) => Promise<ToolAnswer>>> = {
    initialize,
    'tools/call': call,
    async 'tools/list'({ id, params }) {
      if (world === undefined) return ask('tools/list', params, id)
      await refresh()
      return { result: { tools: world.tools } }
    },
  }
  agent.onmessage = (incoming) => {
    const message = incoming as Message
    const { id, method = '', params } = message
    if (method === 'notifications/initialized' && isInitialized) return
    if (method === 'notifications/cancelled') {
      waiting.delete(params?.requestId as Id)
      underWay.delete(params?.requestId as Id)
    }
    const handler = id !== undefined && Object.hasOwn(answers, method) ? answers[method] : undefined
    if (id !== undefined && method !== '') underWay.add(id)
    if (handler === undefined) {
      void toServer(message)
      return
    }
    handler(message).then(
      (answer) => toAgent({ jsonrpc: '2.0', id, ...answer }),
      (thrown: unknown) => {
        warn(messageOf(thrown))
        record.failed(messageOf(thrown))
        toAgent({ jsonrpc: '2.0', id, error: { code: failure, message: messageOf(thrown) } })
      },
    )
  }
  server.onmessage = (incoming) => {
    const message = incoming as Message
    const { id, method } = message
    if (id !== undefined && method === undefined) {
      const { result, error } = message
      settle(id, isObject(error) ? { error } : { result: isObject(result) ? result : {} })
    } else if (method === 'notifications/tools/list_changed' && world !== undefined) {
      void refresh().then(
        () => toAgent(message),
        (thrown: unknown) => warn(`The new tools of the MCP server are not shown: ${messageOf(thrown)}.`),
      )
    } else toAgent(message)
  }
  let isOver = false
  const complain = (who: string) => (error: Error) => {
    if (!isOver) warn(`Something from ${who} cannot be read: ${messageOf(error).slice(0, 300)}`)
  }
  agent.onerror = complain('the agent')
  server.onerror = complain('the MCP server')
  const gone = new Promise<'agent' | 'server'>((resolve) => {
    agent.onclose = () => resolve('agent')
    server.onclose = () => resolve('server')
  })
  await server.start()
  await agent.start()
  return {
    gone: gone.then(async (first) => {
      isOver = true
      for (const id of [...waiting.keys()])
        settle(id, { error: { code: failure, message: 'The MCP server has gone.' } })
      await Promise.allSettled([agent.close(), server.close()])
      return first
    }),
  }
}

/** A call without the values of its arguments, which are the user's. */
function describe({ name, arguments: args }: ToolCall): string {
  return `${name}(${Object.keys(args).join(', ')})`
}
