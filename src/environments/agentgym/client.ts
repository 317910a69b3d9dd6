import { ShaketableError } from '../../core/errors.js'
import { secretsOfLogin } from '../../files/redactor.js'
import { parseJsonInput } from '../../files/read-json.js'
import { printable } from '../process/child.js'
import { request } from '../request.js'
import { addSecrets, withoutSecrets } from '../secrets.js'

/** The time limit of requests whose answer is not needed. */
const maxLastMs = 5000

/** A client of an AgentGym server. */
export interface Client {
  /** The address without login and query, for messages. */
  readonly shown: string
  /** @throws ShaketableError `environment` for anything but an answer of status 200 that is JSON without an `error` */
  get(path: string): Promise<unknown>
  /** Like {@link get}. With `isLast` the answer is not needed and the time limit is shorter. */
  post(path: string, body?: object, isLast?: boolean): Promise<unknown>
}

/**
 * @param deadlineMs the time limit of each answer
 * @throws ShaketableError `usage` where the address is not that of a server
 */
export function createClient(address: string, deadlineMs: number): Client {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    const shown = address
      .replace(/^([^/]*\/\/)?[^/]*@/, '$1…@')
      .replace(/[?#].*$/s, '?…')
      .slice(0, 200)
    throw new ShaketableError(
      'usage',
      `agentgym.url: expected the address of an AgentGym server, such as http://127.0.0.1:36001, got '${shown}'.`,
    )
  }
  const login = url.username + url.password
  const authorization =
    login === ''
      ? undefined
      : `Basic ${Buffer.from(`${decode(url.username)}:${decode(url.password)}`).toString('base64')}`
  if (login !== '') addSecrets(secretsOfLogin(decode(url.username), decode(url.password)))
  const shown = `${url.origin}${url.pathname}`.replace(/\/$/, '')

  const ask = async (method: 'GET' | 'POST', path: string, body?: object, limitMs = deadlineMs): Promise<unknown> => {
    const call = `${method} ${shown}${path}`
    const fail = (why: string): never => {
      throw new ShaketableError('environment', `${call}: ${why}`)
    }
    const headers = {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const init = {
      method,
      redirect: 'manual',
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    } as const
    const reply = await request(call, `${shown}${path}`, init, limitMs)
    if ('fault' in reply)
      return fail(`${reply.fault}${reply.fault.startsWith('no answer') ? ' (agentgym.deadline)' : ''}.`)
    const { status, text } = reply
    if (status !== 200) return fail(`the server answered ${String(status)}: ${quote(text)}`)
    const { value, fault } = parseJsonInput(text)
    if (fault !== undefined) return fail(`the server answered with what is not JSON: ${quote(text)}`)
    if (typeof value === 'object' && value !== null && 'error' in value) {
      return fail(`the server answered with an error: ${quote(String(value.error))}`)
    }
    return withoutSecrets(value)
  }
  return {
    shown,
    get: (path) => ask('GET', path),
    post: (path, body, isLast = false) =>
      ask('POST', path, body, isLast ? Math.min(deadlineMs, maxLastMs) : deadlineMs),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The beginning of a server's answer, without control characters. */
function quote(text: string): string {
  const clean = withoutSecrets(text)
  const line = printable(clean.slice(0, 300)).trim()
  return `'${line}${clean.length > 300 ? '…' : ''}'`
}
