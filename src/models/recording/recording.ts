import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { canonicalJson } from '../../core/episode.js'
import { ShaketableError, unknownName } from '../../core/errors.js'
import type { Completion, Model } from '../../core/model.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { GroupWriter } from '../../files/group-writer.js'
import { jsonLine, parseJson } from '../../files/json.js'
import type { Lock } from '../../files/lock.js'
import { takeLock, thisProcess } from '../../files/lock.js'
import { makeFolder } from '../../files/make-folder.js'
import { asWriteError } from '../../files/write-error.js'
import type { Answer, Question } from './exchange.js'
import { createAsker, errorOf, failureOf, readAnswer, storedQuestion } from './exchange.js'

/** The first line of every recording; the number is raised whenever this version could misread older files. */
const headerLine = '{"recording":1}'
const header = z.object({ recording: z.literal(1) })

const storedModel = z.object({
  model: z.string(),
  settings: z.record(z.string(), z.unknown()),
  contextTokens: z.number().int().positive().optional(),
  logprobs: z.literal('top').optional().catch(undefined),
  /** What was learned of its server, as plain JSON; notices of a replay follow from it. */
  server: z.unknown().optional(),
})

/** A recorded model: enough to recreate the same plan and prompts without its server. */
type RecordedModel = Readonly<z.infer<typeof storedModel>>

/** Every stored exchange begins with its id. */
const exchangeStart = /^\{"id":"([0-9a-f]{20})",/

const elsewhere = 'Give --record another file'
/** Bytes of an unpacked recording. */
const maxUnpacked = 2 ** 30

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
  readonly #groups = new GroupWriter<string>((lines) => this.#write(lines))
  #writer: { readonly file: AppendFile; readonly lock: Lock } | undefined

  private constructor(path: string, bytes: Buffer) {
    this.path = path
    let number = 0
    for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
      end = bytes.indexOf(10, start)
      const isEnded = end !== -1
      if (!isEnded) end = bytes.length
      const text = bytes.toString('utf8', start, end).replace(/\r$/, '')
      if (++number === 1 && !headerLine.startsWith(text)) this.#checkHeader(text)
      const id = exchangeStart.exec(text)?.[1]
      const model = id === undefined ? storedModel.safeParse(parseJson(text)) : undefined
      if (!isEnded) this.notes.push(`${path}: the last line is unfinished and left out.`)
      else if (id !== undefined) this.#exchanges.set(id, text)
      else if (model?.success) this.#models.set(model.data.model, model.data)
      else if (number > 1) {
        this.notes.push(`${path}:${String(number)}: DAMAGED: the line cannot be read. It is left out.`)
      }
    }
    this.already = this.#exchanges.size
  }

  /** @throws ShaketableError `bad-input` for the first line of anything but a recording of this format */
  #checkHeader(line: string): void {
    if (header.safeParse(parseJson(line)).success) return
    throw new ShaketableError(
      'bad-input',
      `${this.path}: expected a recording of this version, which begins with ${headerLine}, got ${JSON.stringify(line.slice(0, 60))}. Give the file that --record wrote, or record again.`,
    )
  }

  /**
   * Opens a file to read it, also one that is compressed (`.gz`).
   * @throws ShaketableError `bad-input` if it does not exist or is not a recording
   */
  static read(path: string): Recording {
    try {
      const bytes = readFileSync(path)
      return new Recording(path, path.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: maxUnpacked }) : bytes)
    } catch (thrown) {
      if (thrown instanceof ShaketableError) throw thrown
      throw new ShaketableError(
        'bad-input',
        `${path}: expected a recording, as it is or compressed by gzip, of at most 1 GiB (${(thrown as Error).message}). Check the path.`,
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
      lock = takeLock(`${path}.lock`, thisProcess(), { what: path, elsewhere: 'give --record another file' })
      const whole = existsSync(path) ? Recording.read(path) : new Recording(path, Buffer.alloc(0))
      const cut = cutTornLine(path)
      if (cut > 0) whole.notes.splice(-1, 1, `${basename(path)}: cut 1 unfinished last line (${String(cut)} bytes).`)
      const file = await AppendFile.open(path)
      whole.#writer = { file, lock }
      if (file.bytes === 0) whole.#groups.add(headerLine)
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
    throw new ShaketableError(
      'bad-input',
      `${this.path}: ${unknownName('recorded model', name, [...this.#models.keys()])} Replay what was recorded.`,
    )
  }

  /**
   * The latest answer to a question; undefined if there is none.
   * @throws ShaketableError `bad-input` if its line is damaged
   */
  answer(id: string): Answer | undefined {
    const line = this.#exchanges.get(id)
    if (line === undefined) return undefined
    const answer = readAnswer(parseJson(line))
    if (answer !== undefined) return answer
    throw new ShaketableError(
      'bad-input',
      `${this.path}: the exchange ${id} cannot be read. Restore the file from a copy, or record again.`,
    )
  }

  /** Every question, in the order of the file. */
  questions(): readonly Question[] {
    return [...this.#exchanges.values()].flatMap((line) => storedQuestion.safeParse(parseJson(line)).data ?? [])
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
    const { server, ...others } = known
    void server
    const [was, is] = [canonicalJson(others), canonicalJson(model)]
    if (was === is) return
    throw new ShaketableError(
      'bad-input',
      `${this.path} holds another model of the name '${name}': recorded ${was}, now ${is}. ${elsewhere}.`,
    )
  }

  /** Records what is known of a declared model's server, where that is new. */
  learn(name: string, server: RecordedModel['server']): void {
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
      let reply: Completion
      try {
        reply = await model.complete(messages, sampling)
      } catch (thrown) {
        const failure = sampling.signal?.aborted === true ? undefined : failureOf(thrown)
        if (failure !== undefined) recording.append(question, { failure })
        throw thrown
      }
      recording.append(question, { reply })
      return reply
    },
  }
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
  const find = (question: Question): Answer => {
    try {
      const answer = recording.answer(question.id)
      if (answer !== undefined) return answer
      throw explainMiss(recording, question)
    } catch (thrown) {
      missed(thrown as Error)
      throw thrown
    }
  }
  return {
    name,
    settings,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(logprobs && { logprobs }),
    complete(messages, sampling) {
      const answer = find(ask(messages, sampling))
      if ('reply' in answer) return answer.reply
      throw errorOf(answer.failure)
    },
  }
}

/** The fields of a question by their names, and those whose values are told. */
const fields: readonly (readonly [string, (question: Question) => string | number, 'told'?])[] = [
  ['the model', ({ model }) => model, 'told'],
  ['the episode', ({ episode }) => episode, 'told'],
  ['the temperature', ({ temperature }) => temperature, 'told'],
  ['the seed', ({ seed }) => seed, 'told'],
  ['the most tokens of a reply', ({ maxTokens }) => maxTokens, 'told'],
  ['the stop strings', ({ stop }) => JSON.stringify(stop), 'told'],
  ['the tools', ({ toolsHash }) => toolsHash],
  ['the messages', ({ messagesHash }) => messagesHash],
  ['the number of the call', ({ number }) => number + 1, 'told'],
]

/** Why a recording has no reply to a question: the differences from the nearest question of the whole file. */
function explainMiss(recording: Recording, asked: Question): ShaketableError {
  let why = 'it holds no exchange at all'
  let fewest = fields.length + 1
  for (const question of recording.questions()) {
    const differing = fields.filter(([, valueOf]) => valueOf(question) !== valueOf(asked))
    if (differing.length > fewest) continue
    fewest = differing.length
    const parts = differing.map(([name, valueOf, isTold]) => {
      const [was, is] = [question, asked].map((one) => String(valueOf(one)).slice(0, 200))
      return isTold ? `${name} (recorded ${was!}, asked ${is!})` : name
    })
    why = `the nearest exchange in it differs in ${parts.join(' and in ')}`
  }
  const { episode, model, temperature, seed } = asked
  const place = `${episode === '' ? '' : `${episode.slice(0, 200)}, `}model ${model.slice(0, 100)}`
  return new ShaketableError(
    'bad-input',
    `${recording.path} has no reply to call ${String(asked.number + 1)} of ${place}, temperature ${String(temperature)}, seed ${String(seed)}: ${why}. Replay the experiment that was recorded, or record this one.`,
  )
}
