import type { ChildProcessWithoutNullStreams, ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { ShaketableError } from '../../core/errors.js'
import type { Answer, Request } from './protocol.js'
import { answerSchemas, errorSchema } from './protocol.js'

/** How a child is started and how long it is waited for. */
interface ChildOptions {
  readonly argv: readonly [string, ...string[]]
  /** For each answer. */
  readonly deadlineMs: number
}

type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never
/** A request without its number. */
type Asked = WithoutId<Request>

const maxLineCharacters = 8 << 20
const maxStderrCharacters = 4000
/** How long a child may take to end by itself once its standard input is closed. */
const graceMs = 1000

/**
 * Ends the process group of a child once we are gone, however we went: its standard input is a pipe that nobody writes
 * to before then, and the system closes it with the thread that holds it.
 */
const watcher = 'read -r line || { sleep 1; kill -9 -- "-$1" || kill -9 "$1"; } 2>/dev/null'

interface Waiting {
  readonly op: Request['op']
  readonly id: number
  readonly session: string | undefined
  readonly resolve: (answer: never) => void
  readonly reject: (thrown: Error) => void
  readonly timer: NodeJS.Timeout
}

/** A child that is running. */
interface Running {
  readonly process: ChildProcessWithoutNullStreams
  readonly watch: ChildProcess | undefined
  /** The last that it wrote to standard error. */
  stderr: string
  waiting?: Waiting
  /** Its end, with all that it wrote before. */
  readonly gone: Promise<void>
  /** Why it cannot be asked any more, once all that it wrote is read. */
  broken?: Promise<Error>
}

/**
 * A process that answers requests, one at a time. It is started when it is first asked, and again after it broke. While
 * nothing is asked it does not keep us alive; it ends with us. A session belongs to the process that began it and
 * breaks with it.
 */
export class Child {
  readonly #options: ChildOptions
  #running: Running | undefined
  #requests = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: ChildOptions) {
    this.#options = options
  }

  /**
   * Asks and waits. With `of` the request goes to that process alone.
   * @throws ShaketableError `environment` where the child breaks, does not answer in time, or answers what the protocol
   * does not allow; then it is ended. `usage` where it cannot be started.
   */
  ask<const R extends Asked>(
    request: R,
    of?: object,
  ): Promise<{ readonly answer: Answer<R['op']>; readonly of: object }> {
    const asked = this.#turn.then(async () => {
      const running = this.#running ?? (of === undefined ? await this.#start() : undefined)
      if (running === undefined || (of !== undefined && of !== running)) {
        throw (await (of as Running | undefined)?.broken) ?? this.#error('ended', undefined)
      }
      return { answer: await this.#send(running, request), of: running }
    })
    this.#turn = asked.catch(() => undefined)
    return asked
  }

  /** Ends the process, if there is one. A later request starts another. */
  async close(): Promise<void> {
    await this.#turn
    const running = this.#running
    if (running === undefined) return
    const { process: child } = running
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    refer(running, true)
    const timer = setTimeout(() => end(running), graceMs)
    child.stdin.end()
    await gone
    clearTimeout(timer)
    this.#fail(running, 'was closed')
  }

  async #start(): Promise<Running> {
    const [program, ...rest] = this.#options.argv
    const child = spawn(program, rest, {
      stdio: 'pipe',
      // A group of its own: Ctrl-C reaches us alone, and episodes under way can be finished.
      detached: process.platform !== 'win32',
      windowsHide: true,
      env: { ...process.env, PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' },
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', () => resolve())
      child.once('error', (error: NodeJS.ErrnoException) => reject(describeStart(program, error)))
    })
    const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const running: Running = { process: child, watch: watch(child.pid!), stderr: '', gone }
    this.#running = running
    const decoder = new StringDecoder('utf8')
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (running.broken !== undefined) return
      const lines = (text + decoder.write(chunk)).split('\n')
      text = lines.pop()!
      for (const line of lines) {
        if (running.broken === undefined) this.#hear(running, line)
      }
      if (text.length > maxLineCharacters) {
        this.#fail(running, `wrote a line of more than ${maxLineCharacters.toLocaleString('en')} characters`)
      }
    })
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (said: string) => (running.stderr = (running.stderr + said).slice(-maxStderrCharacters)))
    // A child that is gone is heard of by its end; what is still written to it is lost with it.
    child.stdin.on('error', () => undefined)
    child.on('error', (error) => this.#fail(running, `failed (${error.message})`))
    const ended = (code: number | null, signal: string | null): void => {
      this.#fail(
        running,
        code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${String(code)}`,
      )
    }
    child.on('close', ended)
    // What the child started may hold its streams open after it.
    child.on('exit', (code, signal) => setTimeout(ended, graceMs, code, signal).unref())
    refer(running, false)
    return running
  }

  #send<R extends Asked>(running: Running, request: R): Promise<Answer<R['op']>> {
    const id = this.#requests++
    const { op } = request
    const session = 'session' in request ? request.session : undefined
    return new Promise((resolve, reject) => {
      const { deadlineMs } = this.#options
      const timer = setTimeout(() => {
        this.#fail(running, `did not answer '${op}' within ${String(deadlineMs / 1000)} s (--deadline)`)
      }, deadlineMs)
      running.waiting = { op, id, session, resolve, reject, timer }
      refer(running, true)
      running.process.stdin.write(`${JSON.stringify({ id, ...request })}\n`)
    })
  }

  #hear(running: Running, line: string): void {
    if (line.trim() === '') return
    const { waiting } = running
    if (waiting === undefined) {
      this.#fail(running, `wrote a line that nobody asked for: ${quote(line)}. Print what is not an answer to stderr`)
      return
    }
    const { op, id, session } = waiting
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.#fail(
        running,
        `answered '${op}' with what is not JSON: ${quote(line)}. Print what is not an answer to stderr`,
      )
      return
    }
    const error = errorSchema.safeParse(value)
    const answer = error.success ? error : answerSchemas[op].safeParse(value)
    if (!answer.success) {
      const { path, message } = answer.error.issues[0]!
      const where = path.length === 0 ? '' : ` at '${path.join('.')}'`
      this.#fail(
        running,
        `answered '${op}' with what shaketable-env/1 does not allow${where} (${message}): ${quote(line)}`,
      )
      return
    }
    const { data } = answer
    if (data.id !== id || (session !== undefined && 'session' in data && data.session !== session)) {
      const own = session === undefined ? '' : ` of session '${session}'`
      this.#fail(running, `answered '${op}'${own}, request ${String(id)}, with another's answer: ${quote(line)}`)
      return
    }
    settle(running)
    if ('error' in data)
      waiting.reject(this.#error(`could not do '${op}': ${printable(data.error).slice(0, 300)}`, running))
    else waiting.resolve(data as never)
  }

  /** Ends a process that cannot be asked any more, and tells why with the last that it wrote to standard error. */
  #fail(running: Running, why: string): void {
    if (running.broken !== undefined) return
    if (this.#running === running) this.#running = undefined
    const { waiting } = running
    if (waiting !== undefined) clearTimeout(waiting.timer)
    delete running.waiting
    // What it started may hold its streams open after it.
    const late = new Promise((resolve) => setTimeout(resolve, graceMs).unref())
    running.broken = Promise.race([running.gone, late]).then(() => this.#error(why, running))
    end(running)
    void running.broken.then((error) => {
      refer(running, false)
      waiting?.reject(error)
    })
  }

  #error(why: string, running: Running | undefined): ShaketableError {
    const said = lastLines(running?.stderr ?? '')
    const tail = said === '' ? '' : ` Its stderr ends: ${said}`
    const [program] = this.#options.argv
    return new ShaketableError('environment', `The environment process '${program.slice(0, 100)}' ${why}.${tail}`)
  }
}

/** Takes what waits, which then waits no longer. */
function settle(running: Running): Waiting | undefined {
  const { waiting } = running
  if (waiting !== undefined) clearTimeout(waiting.timer)
  delete running.waiting
  refer(running, false)
  return waiting
}

/** Whether we stay alive for a child. */
function refer({ process: child }: Running, stays: boolean): void {
  for (const one of [child, child.stdin, child.stdout, child.stderr] as (ChildProcess & {
    ref(): void
    unref(): void
  })[]) {
    if (stays) one.ref()
    else one.unref()
  }
}

/** Ends a child and all that it started. */
function end({ process: child, watch }: Running): void {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // It is gone already.
  }
  watch?.stdin?.end('\n')
}

function watch(pid: number): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const child = spawn('/bin/sh', ['-c', watcher, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  child.unref()
  ;(child.stdin as unknown as { unref(): void }).unref()
  return child
}

function describeStart(program: string, { code, message }: NodeJS.ErrnoException): ShaketableError {
  const shown = program.slice(0, 200)
  const why =
    code === 'ENOENT'
      ? `the program '${shown}' was not found. Install it, or give its path`
      : code === 'EACCES'
        ? `'${shown}' may not be executed. Make it executable, or put its interpreter in front, as in python3 ${shown}`
        : `'${shown}' cannot be started (${message})`
  return new ShaketableError('usage', `--command: ${why}.`)
}

/** The last few lines, on one line. */
function lastLines(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => printable(line).trim())
    .filter((line) => line !== '')
  const said = lines.slice(-5).join(' | ')
  return said.length > 300 ? `…${said.slice(-300)}` : said
}

function quote(line: string): string {
  return `'${printable(line.slice(0, 120))}${line.length > 120 ? '…' : ''}'`
}

/** Without control characters, which would act on a terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
