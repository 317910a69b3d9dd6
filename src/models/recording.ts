import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { canonicalJson } from '../core/episode.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Completion, Message, Model, Sampling } from '../core/model.js'
import { type AppendFile, openToAppend } from '../files/append-file.js'
import { createGroupWriter } from '../files/group-writer.js'
import { jsonLine, parseJson } from '../files/json.js'
import { type Line, readLines } from '../files/lines.js'
import { type Lock, takeLock } from '../files/lock.js'
import { makeFolder } from '../files/make-folder.js'
import { asWriteError } from '../files/write-error.js'
import { type Failure, CallError } from './call-error.js'

/** The identity of a call: its request, its sampling, and its position in an episode. */
interface Question {
  readonly model: string
  readonly messagesHash: string
  readonly toolsHash: string
  readonly temperature: number
  readonly seed: number
  readonly maxTokens: number
  readonly stop: readonly string[]
  /** Empty if the caller names no episode. */
  readonly episode: string
  readonly number: number
  /** Hash of all other fields: 20 hex digits. */
  readonly id: string
}

/** A call without a reply. The attempts are absent if unknown. */
interface StoredFailure extends Pick<Failure, 'overflow' | 'mayBeOverflow'> {
  readonly attempts?: CallError['attempts']
  readonly code: 'model' | 'context-overflow'
  readonly message: string
}

/** A reply, or the failure in place of one. */
type Answer = { readonly reply: Completion } | { readonly failure: StoredFailure }

/** A recorded model: enough to recreate the same plan and prompts without its server. */
interface RecordedModel extends Pick<Model, 'settings' | 'contextTokens' | 'logprobs'> {
  readonly model: string
  /** What was learned of its server, as plain JSON; notices of a replay follow from it. */
  readonly server?: unknown
}

/** The first line of every recording; the number is raised whenever this version could misread older files. */
const headerLine = '{"recording":1}'
/** Every stored exchange begins with its id. */
const exchangeStart = /^\{"id":"([0-9a-f]{20})",/

const elsewhere = 'Give --record another file'
/** Bytes of an unpacked recording; a longer text would not fit a string. */
const maxUnpacked = 2 ** 29 - 24

/**
 * A file of exchanges with models: JSON lines, appended in groups by one writer. A class, since it owns a file and a
 * lock.
 */
export class Recording {
  readonly path: string
  /** Data that was cut or left out, in sentences. */
  readonly notes: string[] = []
  /** Number of exchanges in the file when it was opened. */
  readonly already: number
  /** Number of exchanges appended since then, and of calls that were answered from the file. */
  readonly count = { written: 0, known: 0 }
  readonly #models = new Map<string, RecordedModel>()
  /** The line of each exchange, by its id. */
  readonly #exchanges = new Map<string, string>()
  readonly #groups = createGroupWriter<string>((lines) => this.#write(lines))
  #writer: { readonly file: AppendFile; readonly lock: Lock } | undefined

  private constructor(path: string, lines: Iterable<Pick<Line, 'text' | 'number' | 'ended'>>) {
    this.path = path
    for (const { text, number, ended } of lines) {
      if (number === 1 && !/^\{"recording":1[,}]/.test(text) && !headerLine.startsWith(text))
        throw otherFile(path, text)
      const id = exchangeStart.exec(text)?.[1]
      const model = id === undefined ? (parseJson(text) as RecordedModel | undefined) : undefined
      if (!ended) this.notes.push(`${path}: the last line is unfinished and left out.`)
      else if (id !== undefined) this.#exchanges.set(id, text)
      else if (typeof model?.model === 'string') this.#models.set(model.model, model)
      else if (number > 1) {
        this.notes.push(`${path}:${String(number)}: DAMAGED: the line cannot be read. It is left out.`)
      }
    }
    this.already = this.#exchanges.size
  }

  /**
   * Opens a file to read it, also one that is compressed (`.gz`).
   * @throws ShaketableError `bad-input` if it does not exist or is not a recording
   */
  static read(path: string): Recording {
    try {
      statSync(path)
      return new Recording(path, path.endsWith('.gz') ? unpackedLines(path) : readLines(path))
    } catch (thrown) {
      if (thrown instanceof ShaketableError) throw thrown
      throw new ShaketableError(
        'bad-input',
        `${path}: expected a recording, as it is or compressed by gzip (${(thrown as Error).message}). Check the path.`,
      )
    }
  }

  /**
   * Opens a new or existing file as its only writer. An unfinished line of an interrupted writer is cut.
   * @throws ShaketableError `bad-input` if the file is something else; `store` if it cannot be written or another
   * process writes to it
   */
  static async write(path: string): Promise<Recording> {
    let lock: Lock | undefined
    try {
      makeFolder(dirname(path))
      if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
        throw new ShaketableError('bad-input', `${path}: expected a file, got a folder or a device. ${elsewhere}.`)
      }
      lock = takeLock(`${path}.lock`, path, 'give --record another file')
      const whole = existsSync(path) ? Recording.read(path) : new Recording(path, [])
      const file = await openToAppend(path)
      const { cut } = file
      if (cut > 0) whole.notes.splice(-1, 1, `${basename(path)}: cut 1 unfinished last line (${String(cut)} bytes).`)
      whole.#writer = { file, lock }
      if (file.isNew) whole.#groups.add(headerLine)
      return whole
    } catch (thrown) {
      lock?.release()
      throw asWriteError(thrown, path, elsewhere)
    }
  }

  /** What was learned of the servers of its models, as plain JSON. */
  servers(): readonly unknown[] {
    return [...this.#models.values()].flatMap(({ server }) => server ?? [])
  }

  /** @throws ShaketableError `bad-input` with the near miss if the model was not recorded */
  model(name: string): RecordedModel {
    const model = this.#models.get(name)
    if (model !== undefined) return model
    const unknown = unknownName('recorded model', name, [...this.#models.keys()])
    throw new ShaketableError('bad-input', `${this.path}: ${unknown} Replay what was recorded.`)
  }

  /** The latest answer to a question; undefined if there is none that can be read. */
  answer(id: string): Answer | undefined {
    return parseJson(this.#exchanges.get(id) ?? '') as Answer | undefined
  }

  /** Every question, in the order of the file. */
  questions(): readonly Question[] {
    return [...this.#exchanges.values()].flatMap((line) => (parseJson(line) as Question | undefined) ?? [])
  }

  /**
   * Records the model.
   * @throws ShaketableError `bad-input` if the file holds a different model of that name
   */
  declare({ name, settings, contextTokens, logprobs }: Model): void {
    const traits = { ...(contextTokens !== undefined && { contextTokens }), ...(logprobs && { logprobs }) }
    const model: RecordedModel = { model: name, settings, ...traits }
    const known = this.#models.get(name)
    if (known === undefined) return this.#addModel(model)
    const [was, is] = [
      { ...known, server: undefined },
      { ...model, server: undefined },
    ].map(canonicalJson)
    if (was === is) return
    throw new ShaketableError(
      'bad-input',
      `${this.path} holds another model of the name '${name}': recorded ${was!}, now ${is!}. ${elsewhere}.`,
    )
  }

  /** Records what is known of a declared model's server, where that is new. */
  learn(name: string, server: unknown): void {
    const known = this.#models.get(name)
    const model = known && { ...known, server }
    if (model !== undefined && canonicalJson(known) !== canonicalJson(model)) this.#addModel(model)
  }

  #addModel(model: RecordedModel): void {
    this.#groups.add(jsonLine(model))
    this.#models.set(model.model, model)
  }

  /**
   * Appends an exchange; it is on disk after {@link Recording.flush}.
   * @throws ShaketableError `store` after a failed write
   */
  append({ id, ...request }: Question, answer: Answer): void {
    const line = jsonLine({ id, ...request, ...answer })
    this.#groups.add(line)
    this.#exchanges.set(id, line)
    this.count.written++
  }

  async #write(lines: readonly string[]): Promise<void> {
    const { file } = this.#writer!
    try {
      await file.check()
      await file.write(lines)
    } catch (thrown) {
      throw asWriteError(thrown, this.path, elsewhere)
    }
  }

  /**
   * Waits until all appended data is on disk.
   * @throws ShaketableError `store` if that fails
   */
  flush(): Promise<void> {
    return this.#groups.flush()
  }

  /**
   * Flushes, closes the file and releases the lock.
   * @throws ShaketableError `store` if the data cannot be written
   */
  async close(): Promise<void> {
    if (this.#writer === undefined) return
    const { file, lock } = this.#writer
    try {
      await this.flush()
      await file.check()
    } finally {
      await file.close()
      lock.release()
    }
  }
}

function unpackedLines(path: string): Pick<Line, 'text' | 'number' | 'ended'>[] {
  const lines = gunzipSync(readFileSync(path), { maxOutputLength: maxUnpacked }).toString('utf8').split('\n')
  return lines
    .map((text, index) => ({ text, number: index + 1, ended: index < lines.length - 1 }))
    .filter(({ text }) => text !== '')
}

function otherFile(path: string, line: string): ShaketableError {
  return new ShaketableError(
    'bad-input',
    `${path}: expected a recording of this version, which begins with ${headerLine}, got ${JSON.stringify(line.slice(0, 60))}. Give the file that --record wrote, or record again.`,
  )
}

/** Creates a function that identifies the calls to a model. Repeated requests without a given position are numbered. */
function createAsker(model: string): (messages: readonly Message[], sampling: Sampling) => Question {
  const repeats = new Map<string, number>()
  return (messages, { temperature, seed, maxTokens, stop, tools = [], call }) => {
    // Reasoning that is sent back follows from earlier replies.
    const messagesHash = shortHash(canonicalJson(messages.map((message) => ({ ...message, reasoning: undefined }))))
    const toolsHash = shortHash(canonicalJson(tools))
    const request = { model, messagesHash, toolsHash, temperature, seed, maxTokens, stop: [...stop] }
    const fields = Object.values(request)
    let place = call
    if (place === undefined) {
      const hash = shortHash(JSON.stringify(fields))
      place = { episode: '', number: repeats.get(hash) ?? 0 }
      repeats.set(hash, place.number + 1)
    }
    const { episode, number } = place
    const id = shortHash(JSON.stringify([...fields, episode, number]))
    return { ...request, episode, number, id }
  }
}

/** 20 hex digits of SHA-256. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20)
}

/**
 * A model whose exchanges are recorded, failed calls included but not aborted ones. A reply that the recording already
 * has is taken from it.
 * @throws ShaketableError `bad-input` if the recording holds a different model of that name
 */
export function withRecording(model: Model, recording: Recording): Model {
  recording.declare(model)
  return answering(model, recording, createAsker(model.name))
}

function answering(model: Model, recording: Recording, ask: ReturnType<typeof createAsker>): Model {
  const { withWorld } = model
  return {
    ...model,
    ...(withWorld && { withWorld: (world, phrase) => answering(withWorld(world, phrase), recording, ask) }),
    async complete(messages, sampling): Promise<Completion> {
      const question = ask(messages, sampling)
      const known = recording.answer(question.id)
      if (known !== undefined && 'reply' in known) {
        recording.count.known++
        return known.reply
      }
      try {
        const reply = await model.complete(messages, sampling)
        recording.append(question, { reply })
        return reply
      } catch (thrown) {
        const failure = sampling.signal?.aborted === true ? undefined : failureOf(thrown)
        if (failure !== undefined) recording.append(question, { failure })
        throw thrown
      }
    },
  }
}

/** The failure of a model call from its exception; undefined for any other exception. */
function failureOf(thrown: unknown): StoredFailure | undefined {
  if (!(thrown instanceof ShaketableError)) return undefined
  const { code, message } = thrown
  if (code !== 'model' && code !== 'context-overflow') return undefined
  if (!(thrown instanceof CallError)) return { code, message }
  const { attempts } = thrown
  const { overflow, mayBeOverflow } = thrown.failure
  return { code, message, attempts, ...(overflow && { overflow }), ...(mayBeOverflow && { mayBeOverflow }) }
}

/**
 * A model that replays a recording. It has the recorded settings, so that plans and keys are equal.
 * @param missed called with the error for a question that was not recorded, before it is thrown: such an error ends the
 * run, not only the episode
 * @throws ShaketableError `bad-input` if the recording has no such model
 */
export function replayModel(
  recording: Recording,
  name: string,
  missed: (thrown: Error) => void = () => undefined,
): Model {
  const { settings, contextTokens, logprobs } = recording.model(name)
  const ask = createAsker(name)
  return {
    name,
    settings,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(logprobs && { logprobs }),
    complete(messages, sampling) {
      const question = ask(messages, sampling)
      const answer = recording.answer(question.id)
      if (answer === undefined) {
        const miss = explainMiss(recording, question)
        missed(miss)
        throw miss
      }
      if ('reply' in answer) return answer.reply
      const { code, message, attempts, ...failure } = answer.failure
      if (attempts === undefined) throw new ShaketableError(code, message)
      throw new CallError(code, message, failure, attempts)
    },
  }
}

/** The fields of a question by their names in messages. Of texts there are hashes, which are not told. */
const fields: Readonly<Partial<Record<keyof Question, string>>> = {
  model: 'the model',
  episode: 'the episode',
  temperature: 'the temperature',
  seed: 'the seed',
  maxTokens: 'the most tokens of a reply',
  stop: 'the stop strings',
  toolsHash: 'the tools',
  messagesHash: 'the messages',
  number: 'the number of the call',
}

/** Why a recording has no reply to a question: the differences from the nearest question of the whole file. */
function explainMiss(recording: Recording, asked: Question): ShaketableError {
  const names = Object.keys(fields) as (keyof Question)[]
  let nearest: readonly string[] | undefined
  for (const question of recording.questions()) {
    const tell = (question: Question, name: keyof Question): string => {
      const value = question[name]
      return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 200)
    }
    const differing = names.filter((name) => tell(question, name) !== tell(asked, name))
    if (nearest !== undefined && differing.length > nearest.length) continue
    nearest = differing.map((name) => {
      const values = `(recorded ${tell(question, name)}, asked ${tell(asked, name)})`
      return name.endsWith('Hash') ? fields[name]! : `${fields[name]!} ${values}`
    })
  }
  const why = nearest
    ? `the nearest exchange in it differs in ${nearest.join(' and in ')}`
    : 'it holds no exchange at all'
  const { episode, model, temperature, seed, number } = asked
  const place = `${episode === '' ? '' : `${episode.slice(0, 200)}, `}model ${model.slice(0, 100)}`
  return new ShaketableError(
    'bad-input',
    `${recording.path} has no reply to call ${String(number + 1)} of ${place}, temperature ${String(temperature)}, seed ${String(seed)}: ${why}. Replay the experiment that was recorded, or record this one.`,
  )
}
