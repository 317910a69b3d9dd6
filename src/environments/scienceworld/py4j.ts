import { type Socket, connect } from 'node:net'
import { messageOf } from '../../core/errors.js'
import { withoutSecrets } from '../secrets.js'

/** A Java object on the other side. */
export interface Reference {
  readonly ref: string
}

/** A value that py4j's text protocol carries. */
export type Value = string | number | boolean | null | Reference

/** A gateway that failed: after it no call is answered. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
}

/** An exception that Java code threw; the gateway goes on. */
export class JavaError extends Error {
  override readonly name = 'JavaError'
}

/** An answer is one line. In bytes. */
const maxAnswer = 32 << 20
const lineFeed = 0x0a

interface Waiting {
  readonly text: string
  readonly resolve: (answer: string) => void
  readonly reject: (thrown: Error) => void
}

/**
 * A connection to a Java process that speaks py4j's text protocol (py4j 0.10), on 127.0.0.1. It sends one command at a
 * time: with several in flight the server's small writes wait for delayed acknowledgements. Any failure of the
 * connection, and an answer that is late, too long or not of the protocol, ends it.
 */
export class Gateway {
  readonly #socket: Socket
  readonly #deadlineMs: number
  readonly #queue: Waiting[] = []
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #chunks: Buffer[] = []
  #size = 0
  #broken: Error | undefined

  private constructor(socket: Socket, deadlineMs: number) {
    this.#socket = socket
    this.#deadlineMs = deadlineMs
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.#fail(`its connection failed (${messageOf(error)})`))
    socket.on('close', () => this.#fail('it closed the connection'))
    socket.unref()
  }

  /**
   * @param deadlineMs the time limit of the connection and of each answer, in milliseconds
   * @throws GatewayError if nothing listens there
   */
  static open(port: number, deadlineMs: number): Promise<Gateway> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true })
      const fail = (why: string): void => {
        socket.destroy()
        reject(new GatewayError(`port ${String(port)} cannot be reached (${why})`))
      }
      const timer = setTimeout(() => fail(`no answer within ${String(deadlineMs / 1000)} s`), deadlineMs)
      const failed = (error: Error): void => {
        clearTimeout(timer)
        fail(messageOf(error))
      }
      socket.once('error', failed)
      socket.once('connect', () => {
        clearTimeout(timer)
        socket.off('error', failed)
        resolve(new Gateway(socket, deadlineMs))
      })
    })
  }

  /** Creates an object. */
  async create(className: string): Promise<Reference> {
    const made = await this.#value(`i\n${className}\ne\n`)
    if (made !== null && typeof made === 'object') return made
    throw new GatewayError(`it answered the creation of ${className} with ${JSON.stringify(made)}`)
  }

  /**
   * Calls a method of an object, or of a class given as `z:java.lang.String`.
   * @throws JavaError for an exception there, {@link GatewayError} where no answer can be read
   */
  call(target: Reference | `z:${string}`, method: string, ...values: readonly Value[]): Promise<Value> {
    const on = typeof target === 'string' ? target : target.ref
    return this.#value(`c\n${on}\n${method}\n${values.map(write).join('')}e\n`)
  }

  /** A Java list of strings, in one answer; the list is freed afterwards. */
  async strings(list: Reference): Promise<readonly string[]> {
    const joined = await this.call('z:java.lang.String', 'join', separator, list)
    const size = joined === '' ? await this.call(list, 'size') : undefined
    this.free(list)
    if (typeof joined !== 'string') throw new GatewayError(`it answered a list with ${JSON.stringify(joined)}`)
    return size === 0 ? [] : joined.split(separator)
  }

  /** Lets the other side forget an object. Nothing waits for it. */
  free({ ref }: Reference): void {
    this.#ask(`m\nd\n${ref}\ne\n`).catch(() => undefined)
  }

  /** Ends the connection; waiting calls fail. */
  close(): void {
    this.#fail('it was closed')
  }

  async #value(command: string): Promise<Value> {
    const answer = await this.#ask(command)
    if (!answer.startsWith('!x')) return read(answer)
    throw new JavaError(await this.#describe(answer))
  }

  async #describe(answer: string): Promise<string> {
    const [type, rest] = [answer[2], answer.slice(3)]
    if (type === 's') return firstLine(unescape(rest))
    if (type !== 'r') return 'an error without a description'
    const text = await this.#ask(`c\n${rest}\ntoString\ne\n`)
    this.free({ ref: rest })
    return firstLine(text.startsWith('!ys') ? unescape(text.slice(3)) : 'an exception without a description')
  }

  #ask(text: string): Promise<string> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken)
    return new Promise((resolve, reject) => {
      this.#queue.push({ text, resolve, reject })
      if (this.#current === undefined) this.#next()
    })
  }

  #next(): void {
    this.#current = this.#queue.shift()
    if (this.#current === undefined) {
      this.#socket.unref()
      return
    }
    this.#socket.ref()
    this.#timer = setTimeout(() => {
      this.#fail(`it did not answer within ${String(this.#deadlineMs / 1000)} s (scienceworld.deadline)`)
    }, this.#deadlineMs)
    this.#socket.write(this.#current.text)
  }

  #receive(chunk: Buffer): void {
    if (this.#broken !== undefined) return
    const end = chunk.indexOf(lineFeed)
    this.#size += chunk.length
    if (end === -1) {
      this.#chunks.push(chunk)
      if (this.#size > maxAnswer) this.#fail(`it sent a line of more than ${String(maxAnswer >> 20)} MB`)
      return
    }
    const last = chunk.subarray(0, end)
    const whole = this.#chunks.length === 0 ? last : Buffer.concat([...this.#chunks, last])
    const line = withoutSecrets(whole.toString('utf8'))
    this.#chunks = []
    this.#size = 0
    const waiting = this.#current
    if (waiting === undefined || end !== chunk.length - 1 || !line.startsWith('!')) {
      this.#fail(`it sent what is not an answer of py4j: '${firstLine(line).slice(0, 100)}'`)
      return
    }
    clearTimeout(this.#timer)
    this.#next()
    waiting.resolve(line)
  }

  #fail(why: string): void {
    if (this.#broken !== undefined) return
    this.#broken = new GatewayError(why)
    clearTimeout(this.#timer)
    this.#socket.destroy()
    for (const waiting of [this.#current, ...this.#queue.splice(0)]) waiting?.reject(this.#broken)
    this.#current = undefined
  }
}

/** Between the strings of a list in one answer; no text has it. */
const separator = '\u0001'

function write(value: Value): string {
  if (value === null) return 'n\n'
  if (typeof value === 'string') return `s${escape(value)}\n`
  if (typeof value === 'boolean') return value ? 'bTrue\n' : 'bFalse\n'
  if (typeof value === 'number') return Number.isInteger(value) ? `i${String(value)}\n` : `d${String(value)}\n`
  return `r${value.ref}\n`
}

function read(answer: string): Value {
  const [type, rest] = [answer[2], answer.slice(3)]
  if (type === 's') return unescape(rest)
  if (type === 'n' || type === 'v') return null
  if (type === 'b') return rest === 'true'
  if (type === 'i' || type === 'L' || type === 'd') return Number(rest)
  if (type !== undefined && 'rlahtg'.includes(type)) return { ref: rest }
  throw new GatewayError(`it answered with a value of the unknown type '${firstLine(answer).slice(0, 100)}'`)
}

function escape(text: string): string {
  return text.replace(/[\\\r\n]/g, (one) => (one === '\\' ? '\\\\' : one === '\r' ? '\\r' : '\\n'))
}

function unescape(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(.)/gs, (_, one: string) => (one === 'n' ? '\n' : one === 'r' ? '\r' : one))
}

function firstLine(text: string): string {
  return text
    .replace(/[\r\n].*$/s, '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)
}
