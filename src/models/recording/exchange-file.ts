import { closeSync, existsSync, readSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { canonicalJson } from '../../core/episode.js'
import { jsonLine, parseJson } from '../../files/json.js'
import { ShaketableError, unknownName } from '../../core/errors.js'
import type { Model } from '../../core/model.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { checksumBytes, readChecked, withChecksum } from '../../files/checksum.js'
import { GroupWriter } from '../../files/group-writer.js'
import type { Lock } from '../../files/lock.js'
import { takeLock, thisProcess } from '../../files/lock.js'
import { makeFolder } from '../../files/make-folder.js'
import { openRegular } from '../../files/read-text.js'
import { asWriteError, whileReading } from '../../files/write-error.js'
import type { Answer, Question, StoredQuestion } from './exchange.js'
import { readAnswer, storedQuestion } from './exchange.js'
import type { RecordedModel } from './recording-lines.js'
import { headerLine, readRecording } from './recording-lines.js'
import { createPromptSharing } from './share-prompts.js'

/**
 * A file of exchanges: JSON lines, appended in groups by one writer, and an index of their offsets. A class, since it
 * owns files and a lock.
 */
export class ExchangeFile {
  readonly path: string
  /** Data that was cut or left out, in sentences. */
  readonly notes: string[] = []
  /** Numbers of damaged lines, which are left out. */
  readonly damagedLines: number[] = []
  /** Number of exchanges in the file when it was opened. */
  readonly already: number
  /** Number of exchanges appended since then. */
  written = 0
  readonly #models = new Map<string, RecordedModel>()
  readonly #offsets = new Map<string, number>()
  readonly #groups = new GroupWriter<string>((lines) => this.#write(lines))
  readonly #share = createPromptSharing()
  #reading!: number
  #writer: Writer | undefined
  #isUnfinished = false
  #end = 0

  private constructor(path: string) {
    this.path = path
    let isUnchecked = false
    for (const line of readRecording(path)) {
      if (line.kind === 'model') this.#models.set(line.model.model, line.model)
      else if (line.kind === 'exchange') {
        this.#offsets.set(line.id, line.offset)
        isUnchecked ||= line.state === 'unchecked'
      } else if (line.kind === 'damaged') {
        this.damagedLines.push(line.number)
        this.notes.push(
          `${path}:${String(line.number)}: DAMAGED: the line is not as it was written. It is left out; restore the file from a copy, or ask the model again.`,
        )
        // The run used the damaged reply, so an older reply to the same question must not replace it.
        for (const id of line.ids) this.#offsets.delete(id)
      } else this.#isUnfinished = line.kind === 'unfinished'
    }
    if (isUnchecked) {
      this.notes.push(
        `${path} has lines without a checksum, as earlier versions wrote them: damage in them can go unnoticed.`,
      )
    }
    this.already = this.#offsets.size
  }

  /**
   * Opens a file to read it.
   * @throws ShaketableError `bad-input` if it does not exist or is not a recording
   */
  static read(path: string): ExchangeFile {
    if (!existsSync(path)) {
      throw new ShaketableError('bad-input', `${path}: expected a recording, there is no such file. Check the path.`)
    }
    const file = new ExchangeFile(path)
    if (file.#isUnfinished) file.notes.push(`${path}: the last line is unfinished and left out.`)
    file.#reading = openToRead(path)
    return file
  }

  /**
   * Opens a new or existing file as its only writer. An unfinished line of an interrupted writer is cut.
   * @param elsewhere how to choose another place, in messages
   * @param held its lock, if the caller has taken it
   * @throws ShaketableError `bad-input` if the file is something else; `store` if it cannot be written or another
   * process writes to it
   */
  static async write(path: string, elsewhere = 'Give --record another file', held?: Lock): Promise<ExchangeFile> {
    let lock: Lock | undefined
    try {
      makeFolder(dirname(path))
      if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
        throw new ShaketableError(
          'bad-input',
          `${path}: expected a new path or the file of a recording, got a folder or a device. ${elsewhere}.`,
        )
      }
      if (held === undefined) lock = lockFile(path, 'give --record another file')
      const file = new ExchangeFile(path)
      const cut = cutTornLine(path)
      if (cut > 0) file.notes.push(`${basename(path)}: cut 1 unfinished last line (${String(cut)} bytes).`)
      file.#writer = { file: await AppendFile.open(path), lock: held ?? lock!, elsewhere }
      file.#reading = openToRead(path)
      file.#end = file.#writer.file.bytes
      if (file.#end === 0) file.#add(headerLine)
      return file
    } catch (thrown) {
      lock?.release()
      throw asWriteError(thrown, path, elsewhere)
    }
  }

  /** Number of exchanges that are not on disk. */
  get waiting(): number {
    return [...this.#offsets.keys()].filter((id) => this.#isWaiting(id)).length
  }

  /** What was learned of the servers of its models, as plain JSON. */
  servers(): readonly unknown[] {
    return [...this.#models.values()].flatMap(({ server }) => server ?? [])
  }

  /** What the sessions of the run spent, as plain JSON. */
  sessions(): unknown {
    return [...this.#models.values()].find(({ sessions }) => sessions !== undefined)?.sessions
  }

  /** @throws ShaketableError `bad-input` with the near miss if the model was not recorded */
  model(name: string): RecordedModel {
    const model = this.#models.get(name)
    if (model !== undefined) return model
    const known = [...this.#models.keys()]
    throw new ShaketableError(
      'bad-input',
      known.length === 0
        ? `${this.path} holds no model. Record the experiment with --record first.`
        : `${unknownName('recorded model', name, known)} ${this.path} has no other; replay what was recorded.`,
    )
  }

  /**
   * The latest answer to a question; undefined if there is none.
   * @throws ShaketableError `bad-input` if its line is damaged
   */
  answer(id: string): Answer | undefined {
    const offset = this.#offsets.get(id)
    if (offset === undefined) return undefined
    const answer = readAnswer(this.#valueAt(offset))
    if (answer !== undefined) return answer
    throw new ShaketableError(
      'bad-input',
      `${this.path}: expected an exchange at byte ${String(offset)}, got something unreadable. Restore the file from a copy, or record again.`,
    )
  }

  /** As {@link ExchangeFile.answer}, also for an exchange that is not on disk yet; undefined if it is unreadable. */
  async find(id: string): Promise<Answer | undefined> {
    try {
      if (this.#isWaiting(id)) await this.flush()
      return this.answer(id)
    } catch {
      return undefined
    }
  }

  /** Every question, in the order of the file. */
  *questions(): Generator<StoredQuestion, void, undefined> {
    for (const line of readRecording(this.path)) {
      const read = line.kind === 'exchange' ? storedQuestion.safeParse(parseJson(line.text)) : undefined
      if (read?.success === true) yield read.data
    }
  }

  /** Reconstructs a question's prompt; undefined if a line that it depends on is damaged. */
  prompt(question: StoredQuestion): string | undefined {
    const parts = [question]
    for (let { from } = question; from !== undefined; from = parts[0]!.from) {
      const read = storedQuestion.safeParse(this.#valueAt(from))
      if (!read.success || (read.data.from ?? -1) >= from) return undefined
      parts.unshift(read.data)
    }
    return parts.reduce((text, { keep = 0, rest }) => text.slice(0, keep) + rest, '')
  }

  /**
   * Records the model.
   * @throws ShaketableError `bad-input` if the file holds a different model of that name
   */
  declare({ name, settings, contextTokens, logprobs }: Model): void {
    const traits = {
      ...(contextTokens !== undefined && { contextTokens }),
      ...(logprobs && { logprobs }),
    }
    const model: RecordedModel = { model: name, settings, ...traits }
    const known = this.#models.get(name)
    if (known === undefined) return this.#addModel(model)
    const { server, sessions, ...others } = known
    void [server, sessions]
    const [was, is] = [canonicalJson(others), canonicalJson(model)]
    if (was === is) return
    throw new ShaketableError(
      'bad-input',
      `${this.path} holds another model of the name '${name}': recorded ${was}, now ${is}. ${this.#writer!.elsewhere}.`,
    )
  }

  /** Records what is known of a declared model's server, where that is new. */
  learn(name: string, about: Pick<RecordedModel, 'server' | 'sessions'>): void {
    const known = this.#models.get(name)
    const model = known && { ...known, ...about }
    if (model !== undefined && canonicalJson(known) !== canonicalJson(model)) this.#addModel(model)
  }

  /**
   * Appends an exchange; it is on disk after {@link ExchangeFile.flush}.
   * @throws ShaketableError `store` after a failed write
   */
  append({ id, prompt, ...request }: Question, answer: Answer): void {
    const conversation = JSON.stringify([request.model, request.episode, request.temperature, request.seed])
    const offset = this.#end
    this.#add(jsonLine({ id, ...request, ...this.#share(prompt, conversation, offset), ...answer }))
    this.#offsets.set(id, offset)
    this.written++
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
    closeSync(this.#reading)
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

  #addModel(model: RecordedModel): void {
    this.#add(jsonLine(model))
    this.#models.set(model.model, model)
  }

  #add(line: string): void {
    this.#groups.add(line)
    this.#end += Buffer.byteLength(line) + checksumBytes + 1
  }

  async #write(lines: readonly string[]): Promise<void> {
    const { file, elsewhere } = this.#writer!
    try {
      await file.check()
      await file.write(lines.map(withChecksum))
    } catch (thrown) {
      throw asWriteError(thrown, this.path, elsewhere)
    }
  }

  #isWaiting(id: string): boolean {
    return (this.#offsets.get(id) ?? 0) >= (this.#writer?.file.bytes ?? Number.POSITIVE_INFINITY)
  }

  /** The value of the line at an offset; undefined if it is damaged. */
  #valueAt(offset: number): unknown {
    const blocks: Buffer[] = []
    for (let at = offset; ; at += blockBytes) {
      const block = Buffer.allocUnsafe(blockBytes)
      const read = whileReading(this.path, () => readSync(this.#reading, block, 0, blockBytes, at))
      const end = block.subarray(0, read).indexOf(10)
      blocks.push(block.subarray(0, end === -1 ? read : end))
      if (end !== -1 || read < blockBytes) break
    }
    const { text, state } = readChecked(Buffer.concat(blocks).toString('utf8'))
    return state === 'damaged' ? undefined : parseJson(text)
  }
}

/**
 * Makes this process the only writer of a file.
 * @throws ShaketableError `store` if another process is
 */
export function lockFile(path: string, elsewhere: string): Lock {
  return takeLock(`${path}.lock`, thisProcess(), { what: path, elsewhere })
}

/** A line is read in blocks of this size; most have one. */
const blockBytes = 1 << 14

function openToRead(path: string): number {
  return whileReading(path, () => openRegular(path))
}

interface Writer {
  readonly file: AppendFile
  readonly lock: Lock
  /** How to choose another place, in messages. */
  readonly elsewhere: string
}
