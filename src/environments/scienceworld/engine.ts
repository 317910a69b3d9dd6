import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { type Program, end, lastLines, refer, startProgram, tailOf } from '../process/child.js'
import { withoutSecrets } from '../secrets.js'
import { type Reference, type Value, Gateway, GatewayError } from './py4j.js'

/** How an engine is started. */
export interface EngineOptions {
  /** The path of ScienceWorld's JAR. */
  readonly jar: string
  /** The program `java`. */
  readonly java: string
  /** The time limit of the start and of each answer. */
  readonly deadlineMs: number
}

/** What comes back from a step of the engine. */
export interface Stepped {
  readonly observation: string
  /** 0 to 1; below 0 after a failure. */
  readonly score: number
  readonly completed: boolean
}

const interfaceName = 'scienceworld.runtime.pythonapi.PythonInterface'
const maxFirstLine = 1000
/** The time for a process to exit by itself. */
const graceMs = 1000

interface Running extends Program {
  readonly folder: string
}

/**
 * ScienceWorld in a Java process of its own, in an empty working folder. It holds one game at a time: identifiers and
 * random numbers are global to the process. It ends with this process, however that ends, and its folder is removed.
 */
export class Engine {
  readonly #running: Running
  readonly #gateway: Gateway
  readonly #game: Reference
  #broken: ShaketableError | undefined

  private constructor(running: Running, gateway: Gateway, game: Reference) {
    this.#running = running
    this.#gateway = gateway
    this.#game = game
    void running.gone.then((why) => (this.#broken ??= describe(why, running)))
  }

  /**
   * Starts a process and connects to it.
   * @throws ShaketableError `usage` where Java cannot be started, `environment` where the engine does not come up
   */
  static async start({ jar, java, deadlineMs }: EngineOptions): Promise<Engine> {
    const folder = await mkdtemp(join(tmpdir(), 'shaketable-scienceworld-'))
    const running = await launch(java, resolve(jar), folder)
    try {
      const gateway = await Gateway.open(await readPort(running, deadlineMs), deadlineMs)
      return new Engine(running, gateway, await gateway.create(interfaceName))
    } catch (thrown) {
      const why = await within(running.gone, graceMs)
      await stop(running)
      throw describe(why ?? messageOf(thrown), running, thrown)
    } finally {
      refer(running, false)
    }
  }

  /** Why it takes no more calls. */
  get broken(): ShaketableError | undefined {
    return this.#broken
  }

  /**
   * Sets up a variation of a task and resets it, as ScienceWorld's Python package does.
   * @throws ShaketableError `environment` where there is no such task or variation
   */
  async load(task: string, variation: number, simplifications: string, gold = false): Promise<void> {
    const error = await this.#text('load', task, variation, simplifications, gold)
    if (error !== '') throw new ShaketableError('environment', `ScienceWorld's engine cannot load a task: ${error}`)
    if (!gold) await this.#call('reset')
  }

  /** The engine's wording of the goal. */
  description(): Promise<string> {
    return this.#text('getTaskDescription')
  }

  /** Enters a line of text. */
  async step(input: string): Promise<Stepped> {
    const observation = await this.#text('step', input)
    const [score, completed] = [await this.#call('getScore'), await this.#call('getCompleted')]
    if (typeof score === 'number' && typeof completed === 'boolean') return { observation, score, completed }
    throw unexpected('getScore and getCompleted', [score, completed])
  }

  /** What the agent has, which takes no time. */
  inventory(): Promise<string> {
    return this.#text('freeActionInventory')
  }

  /** The room, which takes no time. */
  look(): Promise<string> {
    return this.#text('freeActionLook')
  }

  /** The kinds of action: `pick up OBJ`. */
  kinds(): Promise<readonly string[]> {
    return this.#strings('getPossibleActions')
  }

  /** Every action that is possible now, with an unambiguous name for each object. */
  actions(): Promise<readonly string[]> {
    return this.#strings('getValidActionObjectCombinations')
  }

  /** The number of variations of a type of task; -1 for an unknown type. */
  async variations(type: string): Promise<number> {
    const count = await this.#call('getTaskMaxVariations', type)
    return typeof count === 'number' ? count : Promise.reject(unexpected('getTaskMaxVariations', count))
  }

  /** The engine's own solution, where {@link load} was asked for one. */
  solution(): Promise<readonly string[]> {
    return this.#strings('getGoldActionSequence')
  }

  /** Ends the process. */
  async close(): Promise<void> {
    this.#broken ??= new ShaketableError('environment', "ScienceWorld's engine was closed.")
    this.#gateway.close()
    await stop(this.#running)
  }

  async #text(method: string, ...values: readonly Value[]): Promise<string> {
    const text = await this.#call(method, ...values)
    return typeof text === 'string' ? text : Promise.reject(unexpected(method, text))
  }

  async #strings(method: string): Promise<readonly string[]> {
    const list = await this.#call(method)
    if (list === null || typeof list !== 'object') throw unexpected(method, list)
    return this.#guard(method, () => this.#gateway.strings(list))
  }

  #call(method: string, ...values: readonly Value[]): Promise<Value> {
    return this.#guard(method, () => this.#gateway.call(this.#game, method, ...values))
  }

  async #guard<T>(method: string, work: () => Promise<T>): Promise<T> {
    if (this.#broken !== undefined) throw this.#broken
    try {
      return await work()
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) {
        const message = `ScienceWorld's engine could not do '${method}': ${messageOf(thrown)}`
        throw new ShaketableError('environment', message, { cause: thrown })
      }
      // A process that ended says more than its closed connection.
      const why = await within(this.#running.gone, graceMs / 2)
      this.#broken ??= describe(why ?? thrown.message, this.#running, thrown)
      void stop(this.#running)
      throw this.#broken
    }
  }
}

/** Processes for episodes, one for each that is open; an episode that has ended leaves its own to the next. */
export class Engines {
  readonly #options: EngineOptions
  #idle: Engine[] = []

  constructor(options: EngineOptions) {
    this.#options = options
  }

  async take(): Promise<Engine> {
    for (let engine = this.#idle.pop(); engine !== undefined; engine = this.#idle.pop()) {
      if (engine.broken === undefined) return engine
    }
    return Engine.start(this.#options)
  }

  release(engine: Engine): void {
    this.#idle.push(engine)
  }
}

/**
 * Engine 1.2.3 keeps things in sets that are ordered by identity hash codes, which depend on all that a process did
 * before. With one hash code for all, the order is that of insertion, and equal input gives equal output.
 */
const javaOptions = [
  '-Xmx512m',
  '-XX:+UseSerialGC',
  '-XX:+IgnoreUnrecognizedVMOptions',
  '-XX:+UnlockExperimentalVMOptions',
  '-XX:hashCode=2',
]

async function launch(java: string, jar: string, folder: string): Promise<Running> {
  const options = [...javaOptions, '-cp', jar, 'py4j.GatewayServer', '--die-on-broken-pipe', '0']
  try {
    return Object.assign(await startProgram([java, ...options], { cwd: folder }, { folder }), { folder })
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw new ShaketableError('usage', `Java cannot be started as '${java}' (${messageOf(cause)}).`, { cause })
  }
}

/** The port in the first line of output. Later output is read and dropped, since a full pipe would stop the process. */
function readPort({ process: { stdout }, gone }: Running, deadlineMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const finish = (work: () => void): void => {
      clearTimeout(timer)
      stdout.removeAllListeners('data')
      stdout.resume()
      work()
    }
    const fail = (why: string): void => finish(() => reject(new Error(why)))
    const timer = setTimeout(
      () => fail(`gave no port within ${String(deadlineMs / 1000)} s (scienceworld.deadline)`),
      deadlineMs,
    )
    void gone.then(fail)
    stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (!text.includes('\n') && text.length <= maxFirstLine) return
      const line = text.slice(0, maxFirstLine).split('\n')[0]!.trim()
      const port = /^\d{1,5}$/.test(line) ? Number(line) : 0
      if (port > 0 && port < 65536) finish(() => resolve(port))
      else fail(`printed '${lastLines(withoutSecrets(line)).slice(0, 100)}' in place of its port`)
    })
  })
}

/** Ends a process, kindly at first, and removes its folder. */
async function stop(running: Running): Promise<void> {
  running.process.stdin.end()
  await within(running.gone, graceMs)
  end(running)
  await within(running.gone, graceMs)
  await rm(running.folder, { recursive: true, force: true }).catch(() => undefined)
}

/** The result of a promise, or undefined if it takes longer. */
async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, milliseconds, undefined)))
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

function describe(why: string, running: Running, cause?: unknown): ShaketableError {
  if (cause instanceof ShaketableError) return cause
  return new ShaketableError('environment', `ScienceWorld's engine failed: ${why}.${tailOf(running)}`, { cause })
}

function unexpected(method: string, got: unknown): ShaketableError {
  const text = JSON.stringify(got) ?? 'nothing'
  return new ShaketableError('environment', `ScienceWorld's engine answered '${method}' with ${text.slice(0, 100)}.`)
}
