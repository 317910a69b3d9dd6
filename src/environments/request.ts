import { ShaketableError, messageOf } from '../core/errors.js'
import { withoutSecrets } from './secrets.js'

/** The longest answer of a server that is read. */
const maxAnswerBytes = 8 << 20

/** A server's answer. */
interface Reply {
  readonly status: number
  readonly headers: Headers
  /** Where it came from, after redirects. */
  readonly url: string
  /** Without the secrets that this process knows. */
  readonly text: string
}

/**
 * Asks a server once.
 * @param call the request in messages: `GET http://127.0.0.1/step`
 * @returns the answer, or a sentence on why there is none
 * @throws ShaketableError `environment` for an answer that is too long
 */
export async function request(
  call: string,
  url: string,
  init: RequestInit,
  deadlineMs: number,
): Promise<Reply | { readonly fault: string }> {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const response = await fetch(url, { ...init, signal })
    const { status, headers, url: from } = response
    return { status, headers, url: from, text: withoutSecrets(await readBounded(call, response)) }
  } catch (thrown) {
    if (thrown instanceof ShaketableError) throw thrown
    if (signal.aborted) return { fault: `no answer within ${String(deadlineMs / 1000)} s` }
    const { cause = thrown } = thrown as { readonly cause?: unknown }
    if ((cause as { readonly code?: string }).code === 'ECONNREFUSED') return { fault: 'no server listens there' }
    return { fault: withoutSecrets(messageOf(cause) || 'the connection broke') }
  }
}

async function readBounded(call: string, response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) {
      const bound = maxAnswerBytes.toLocaleString('en')
      throw new ShaketableError('environment', `${call}: the server answered with more than ${bound} bytes.`)
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
