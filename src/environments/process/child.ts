import { type ChildProcessWithoutNullStreams, type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import { jsonLine } from '../../files/json.js'
import { ShaketableError } from '../../core/errors.js'
import { parseJsonInput } from '../../files/read-json.js'
import { withoutSecrets } from '../secrets.js'
import { type Answer, type Request, answerSchemas, errorSchema } from './protocol.js'

interface ChildOptions {
  readonly argv: readonly [string, ...string[]]
  /** The time limit of each answer. */
  readonly deadlineMs: number
}

type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never
/** A request without its number. */
type NewRequest = WithoutId<Request>

const maxLineCharacters = 8 << 20
const maxStderrCharacters = 4000
/** The time for a child to exit once its standard input is closed. */
const graceMs = 1000

/** Marks the processes that a child starts, in their environment. */
const markName = 'SHAKETABLE_PROCESS'

/**
 * Kills the process group of a child once this process has ended, however it ended: the watcher reads from a pipe that
 * a line is written to once the child has ended, and that the system closes together with this process. Afterwards it
 * kills what is marked, where the system has /proc, and removes the child's folder.
 */
const watcher = `{
  read -r line || { sleep 1; kill -9 -- "-$1" || kill -9 "$1"; }
  [ -z "$3" ] || grep -lsF -- "${markName}=$3" /proc/[0-9]*/environ | while IFS=/ read -r root proc pid rest; do kill -9 "$pid"; done
  [ -z "$2" ] || rm -rf -- "$2"
} 2>/dev/null`

interface Waiting {
  readonly op: Request['op']
  readonly id: number
  readonly session: string | undefined
  readonly resolve: (answer: never) => void
  readonly reject: (thrown: Error) => void
  readonly timer: NodeJS.Timeout
}

/** A program that runs no longer than this process. */
export interface Program {
  readonly process: ChildProcessWithoutNullStreams
  readonly watch: ChildProcess | undefined
  /** The end of its standard error. */
  stderr: string
  /** Resolves with how it ended, once it has ended and all of its output is read. */
  readonly gone: Promise<string>
}

/** A running child. */
interface Running extends Program {
  waiting?: Waiting
  /** Why it takes no more requests, once all of its output is read. */
  broken?: Promise<Error>
}

/**
 * A process that answers requests, one at a time. The first request starts it, and so does the first one after a
 * failure. An idle child does not keep this process alive; it ends with this process. A session belongs to the process
 * that began it and fails with it.
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
   * Sends a request and waits for its answer. With `of` the request is sent to that process only.
   * @throws ShaketableError `environment` where the child fails, does not answer in time, or violates the protocol;
   * then it is killed. `usage` where it cannot be started.
   */
  ask<const R extends NewRequest>(
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

  /** Ends the process, if there is one. A later request starts a new one. */
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
    const env = { PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' }
    const running: Running = await startMarked(this.#options.argv, 'process.command', env)
    const { process: child } = running
    this.#running = running
    const decoder = new StringDecoder('utf8')
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (running.broken !== undefined) return
      const lines = (text + decoder.write(chunk)).split('\n')
      text = lines.pop()!
      for (const line of lines) {
        if (running.broken === undefined) this.#receive(running, line)
      }
      if (text.length > maxLineCharacters) {
        this.#fail(running, `wrote a line of more than ${maxLineCharacters.toLocaleString('en')} characters`)
      }
    })
    child.on('error', (error) => this.#fail(running, `failed (${error.message})`))
    void running.gone.then((why) => this.#fail(running, why))
    // Processes that the child started can keep its streams open.
    child.on('exit', (code, signal) => setTimeout(() => this.#fail(running, howEnded(code, signal)), graceMs).unref())
    refer(running, false)
    return running
  }

  #send<R extends NewRequest>(running: Running, request: R): Promise<Answer<R['op']>> {
    const id = this.#requests++
    const { op } = request
    const session = 'session' in request ? request.session : undefined
    return new Promise((resolve, reject) => {
      const { deadlineMs } = this.#options
      const timer = setTimeout(() => {
        this.#fail(running, `did not answer '${op}' within ${String(deadlineMs / 1000)} s (process.deadline)`)
      }, deadlineMs)
      running.waiting = { op, id, session, resolve, reject, timer }
      refer(running, true)
      running.process.stdin.write(`${jsonLine({ id, ...request })}\n`)
    })
  }

  #receive(running: Running, line: string): void {
    if (line.trim() === '') return
    const { waiting } = running
    if (waiting === undefined) {
      this.#fail(running, `wrote a line that nobody asked for: ${quote(line)}. Print what is not an answer to stderr`)
      return
    }
    const { op, id, session } = waiting
    const { value: request, fault } = parseJsonInput(line)
    const value = withoutSecrets(request)
    if (fault !== undefined) {
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
      const inSession = session === undefined ? '' : ` of session '${session}'`
      this.#fail(running, `answered '${op}'${inSession}, request ${String(id)}, with another's answer: ${quote(line)}`)
      return
    }
    clearTimeout(waiting.timer)
    delete running.waiting
    refer(running, false)
    if ('error' in data)
      waiting.reject(this.#error(`could not do '${op}': ${printable(data.error).slice(0, 300)}`, running))
    else waiting.resolve(data as never)
  }

  /** Kills a process that takes no more requests, and reports why with the end of its standard error. */
  #fail(running: Running, why: string): void {
    if (running.broken !== undefined) return
    if (this.#running === running) this.#running = undefined
    const { waiting } = running
    if (waiting !== undefined) clearTimeout(waiting.timer)
    delete running.waiting
    // A later request may await this, so it keeps this process alive until it settles.
    refer(running, true)
    running.broken = new Promise<void>((resolve) => {
      // What it started may hold its streams open after it.
      const late = setTimeout(resolve, graceMs)
      void running.gone.then(() => {
        clearTimeout(late)
        resolve()
      })
    }).then(() => this.#error(why, running))
    end(running)
    void running.broken.then((error) => {
      refer(running, false)
      waiting?.reject(error)
    })
  }

  #error(why: string, running: Running | undefined): ShaketableError {
    const what = `The environment process '${this.#options.argv[0].slice(0, 100)}'`
    return new ShaketableError('environment', `${what} ${why}.${tailOf(running)}`)
  }
}

/**
 * Starts a program in a process group of its own: Ctrl-C reaches this process alone, so that running episodes can
 * finish.
 * @param watched see {@link watch}
 * @throws the system's error where it cannot be started
 */
export async function startProgram(
  [program, ...rest]: readonly [string, ...string[]],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
  watched: Parameters<typeof watch>[1],
): Promise<Program> {
  const detached = process.platform !== 'win32'
  const child = spawn(program, rest, { ...options, stdio: 'pipe', detached, windowsHide: true })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  const gone = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(howEnded(code, signal)))
  })
  const running: Program = { process: child, watch: watch(child.pid!, watched), stderr: '', gone }
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    running.stderr = (running.stderr + text).slice(-2 * maxStderrCharacters)
  })
  // The end of a program is told by its exit; anything written to it later is lost.
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  return running
}

/**
 * Starts a program of the user, with a mark in its environment: what it starts ends with it.
 * @param option where it was given
 * @throws ShaketableError `usage` where it cannot be started
 */
export async function startMarked(
  argv: readonly [string, ...string[]],
  option: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const mark = randomUUID()
  try {
    return await startProgram(argv, { env: { ...process.env, ...env, [markName]: mark } }, { mark })
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    const shown = argv[0].slice(0, 200)
    const why =
      code === 'ENOENT'
        ? `the program '${shown}' was not found. Install it, or give its path`
        : code === 'EACCES'
          ? `'${shown}' may not be executed. Make it executable, or put its interpreter in front, as in python3 ${shown}`
          : `'${shown}' cannot be started (${message})`
    throw new ShaketableError('usage', `${option}: ${why}.`)
  }
}

function howEnded(code: number | null, signal: string | null): string {
  return code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${String(code)}`
}

/** The end of a program's standard error, as a sentence; empty where it wrote nothing. */
export function tailOf(program: Pick<Program, 'stderr'> | undefined): string {
  // What was cut off may end within a secret, so the half beside it is left out.
  const lines = lastLines(withoutSecrets(program?.stderr ?? '').slice(-maxStderrCharacters))
  return lines === '' ? '' : ` Its stderr ends: ${lines}`
}

/** Sets whether a child keeps this process alive. */
export function refer({ process: child }: Program, stays: boolean): void {
  for (const stream of [child, child.stdin, child.stdout, child.stderr] as (ChildProcess & {
    ref(): void
    unref(): void
  })[]) {
    if (stays) stream.ref()
    else stream.unref()
  }
}

/** Kills a child and all processes that it started. */
export function end({ process: child, watch }: Pick<Program, 'process' | 'watch'>): void {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // It has ended already.
  }
  watch?.stdin?.end('\n')
}

/**
 * Ends a child and its processes together with this one.
 * @param folder what is removed once the child has ended
 * @param mark what the child has in its environment under {@link markName}
 */
function watch(pid: number, { folder = '', mark = '' }): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const child = spawn('/bin/sh', ['-c', watcher, 'sh', String(pid), folder, mark], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  child.unref()
  ;(child.stdin as unknown as { unref(): void }).unref()
  return child
}

/** The last few lines, on one line. */
export function lastLines(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => printable(line).trim())
    .filter((line) => line !== '')
  const last = lines.slice(-5).join(' | ')
  return last.length > 300 ? `…${last.slice(-300)}` : last
}

function quote(line: string): string {
  const clean = withoutSecrets(line)
  return `'${printable(clean.slice(0, 120))}${clean.length > 120 ? '…' : ''}'`
}

/** A text without control characters, which a terminal would execute. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
