import type { ServerResponse } from 'node:http'
import { json, startLoopback } from '../loopback.js'

/** A request to the fake server; no body where it was a GET. */
export interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** The properties of the fake server; the defaults are those of a plain server that accepts everything. */
export interface Habits {
  /** Entries of the list of models; null for a server without one. */
  readonly models?: readonly Readonly<Record<string, unknown>>[] | null
  /** The names that it answers to. Default: any. */
  readonly answersTo?: readonly string[]
  readonly key?: string
  readonly chat?: 'no path'
  readonly completions?: boolean
  readonly maxTokensField?: 'max_completion_tokens'
  readonly temperature?: 'only 1'
  readonly greedy?: 'different'
  readonly seed?: 'honoured' | 'ignored' | 'deaf' | 'refused'
  readonly system?: 'refused'
  readonly consecutive?: 'refused'
  readonly stop?: { readonly most: number }
  readonly logprobs?: 'ignored' | 'refused'
  readonly tools?: 'ignored' | 'refused' | 'crashes'
  readonly usage?: 'none'
  /** The field with the reasoning; any other word is a mark at the beginning of the text. */
  readonly reasoning?: 'reasoning_content' | 'reasoning' | 'hidden' | `<${string}` | `[${string}`
  readonly props?: unknown
  /** Of the reply with this number, from 1. */
  readonly fingerprint?: (count: number) => string
  /** Receives each request first; returns true if it has answered it. */
  readonly before?: (asked: Asked, response: ServerResponse, count: number) => boolean
}

export interface FakeServer {
  readonly baseUrl: string
  readonly asked: Asked[]
  become(habits: Habits): void
  close(): Promise<void>
}

export async function startFakeServer(habits: Habits = {}): Promise<FakeServer> {
  const asked: Asked[] = []
  let [present, spoken] = [habits, 0]
  const { baseUrl, close } = await startLoopback((response, request, received) => {
    const { url: path, authorization, body } = received!
    const one = { path, authorization, body: request.method === 'GET' ? undefined : body }
    asked.push(one)
    if (present.before?.(one, response, asked.length) === true) return
    const said = answer(present, one, () => ++spoken)
    send(response, said.status, said.body)
  })
  return { baseUrl, asked, become: (other) => void (present = other), close }
}

/** Answers a request. @returns that it is answered */
export function send(response: ServerResponse, status: number, body: unknown): true {
  json(body, status)(response)
  return true
}

type Said = Readonly<{ status: number; body: unknown }>

function no(status: number, message: string, more: object = {}): Said {
  return { status, body: { error: { message, ...more } } }
}

function answer(habits: Habits, { path, authorization, body }: Asked, count: () => number): Said {
  const { models = [{ id: 'tuned' }] } = habits
  const route = path.split('?')[0]!
  if (habits.key !== undefined && authorization !== `Bearer ${habits.key}`) return no(401, 'Incorrect API key provided')
  if (route === '/v1/models') {
    return models === null ? no(404, 'Not Found') : { status: 200, body: { object: 'list', data: models } }
  }
  if (route === '/props') return habits.props === undefined ? no(404, 'Not Found') : { status: 200, body: habits.props }
  if (body === undefined) return no(405, 'Method Not Allowed')
  const chat = route === '/v1/chat/completions'
  if (!chat && (route !== '/v1/completions' || habits.completions === false)) return no(404, 'Not Found')
  if (chat && habits.chat === 'no path') return no(404, 'Not Found')
  if (habits.answersTo !== undefined && !habits.answersTo.includes(String(body['model']))) {
    return no(404, `The model '${String(body['model'])}' does not exist`, { code: 404 })
  }
  return refusal(habits, body, chat) ?? { status: 200, body: speak(habits, body, chat, count()) }
}

function refusal(habits: Habits, body: Readonly<Record<string, unknown>>, chat: boolean): Said | undefined {
  const roles = ((body['messages'] ?? []) as { role: string }[]).map(({ role }) => role)
  const { most = Infinity } = habits.stop ?? {}
  const [field, other] =
    habits.maxTokensField === undefined
      ? ['max_completion_tokens', 'Extra inputs: max_completion_tokens']
      : ['max_tokens', "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."]
  const isOffered = chat && 'tools' in body
  const refusals: readonly (readonly [isRefused: boolean, message: string, status?: number])[] = [
    [field in body, other],
    [
      habits.temperature !== undefined && body['temperature'] === 0,
      "Unsupported value: 'temperature' does not support 0. Only the default (1) is supported.",
    ],
    [habits.seed === 'refused' && 'seed' in body, 'Unrecognized request argument supplied: seed'],
    [habits.system !== undefined && roles.includes('system'), 'System role not supported'],
    [
      habits.consecutive !== undefined && roles.some((role, index) => role === roles[index - 1]),
      'Conversation roles must alternate user/assistant/user/assistant/...',
    ],
    [((body['stop'] ?? []) as string[]).length > most, `stop: at most ${String(most)}`],
    [habits.logprobs === 'refused' && 'logprobs' in body, 'logprobs is not supported'],
    [habits.tools === 'refused' && isOffered, 'tools: extra inputs are not permitted'],
    [habits.tools === 'crashes' && isOffered, 'tools param requires --jinja flag', 500],
  ]
  const found = refusals.find(([isRefused]) => isRefused)
  return found && no(found[2] ?? 400, found[1])
}

const words = 'the kettle sings while bread cools near an open window and somebody hums'.split(' ')

function speak(habits: Habits, body: Readonly<Record<string, unknown>>, chat: boolean, count: number): unknown {
  const sampled = body['temperature'] !== 0
  const { seed = 'honoured' } = habits
  const drawn =
    sampled && seed === 'honoured' ? Number(body['seed'] ?? count) : sampled && seed === 'ignored' ? count : 0
  const start = habits.greedy === 'different' ? count : drawn
  const rest = Array.from({ length: 8 }, (_, index) => words[(start * 5 + index) % words.length]!).join(' ')
  const cut = ((body['stop'] ?? []) as string[]).reduce((text, mark) => text.split(mark)[0]!, rest)
  const { reasoning } = habits
  const apart = reasoning === 'reasoning' || reasoning === 'reasoning_content' ? { [reasoning]: 'Hm.' } : {}
  const text = reasoning === 'hidden' ? '' : `${/^[<[]/.exec(reasoning ?? '') ? reasoning! : ''}${cut}`
  const called = habits.tools === undefined && 'tools' in body
  const scored = { logprobs: { content: [{ token: 'the', logprob: -1 }] } }
  const logprobs = habits.logprobs === undefined && 'logprobs' in body && scored
  const tool_calls = [{ id: '1', type: 'function', function: { name: 'look', arguments: '{}' } }]
  const message = { role: 'assistant', content: called ? null : text, ...apart, ...(called && { tool_calls }) }
  const choice = { finish_reason: 'length', ...logprobs, ...(chat ? { message } : { text }) }
  return {
    model: String(body['model']),
    ...(habits.fingerprint && { system_fingerprint: habits.fingerprint(count) }),
    choices: [{ ...choice, index: 0 }],
    ...(habits.usage === undefined && { usage: { prompt_tokens: 12, completion_tokens: 8 } }),
  }
}
