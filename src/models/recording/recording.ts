import { basename, dirname } from 'node:path'
import { statSync } from 'node:fs'
import { canonicalJson } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import type { Model } from '../../core/model.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { checksumBytes, tellUnchecked } from '../../files/checksum.js'
import { GroupWriter } from '../../files/group-writer.js'
import type { Lock } from '../../files/lock.js'
import { takeLock, thisProcess } from '../../files/lock.js'
import { makeFolder } from '../../files/make-folder.js'
import { asWriteError } from '../../files/write-error.js'
import type { Exchange } from './exchange.js'
import type { RecordedModel } from './recording-lines.js'
import { headerLine, readRecording } from './recording-lines.js'

const elsewhere = 'Give --record another file'

/** A file of exchanges opened for writing: JSON lines, appended in groups. A class, since it owns a lock and a file. */
export class Recording {
  readonly path: string
  /** Data that was cut or is unreadable, in sentences. */
  readonly notes: readonly string[]
  /** Number of exchanges in the file when it was opened. */
  readonly already: number
  readonly #models: Map<string, RecordedModel>
  readonly #file: AppendFile
  readonly #lock: Lock
  readonly #groups: GroupWriter<string>
  readonly #share = createPromptSharing()
  #end: number
  #written = 0

  private constructor(path: string, found: Found, file: AppendFile, lock: Lock) {
    this.path = path
    this.notes = found.notes
    this.already = found.exchanges
    this.#models = found.models
    this.#file = file
    this.#lock = lock
    this.#end = file.bytes
    this.#groups = new GroupWriter((lines) => this.#write(lines))
    if (this.#end === 0) this.#add(headerLine)
  }

  /**
   * Opens a new or existing recording as its only writer. An unfinished line of an interrupted writer is cut.
   * @throws ShaketableError `bad-input` if the file is something else; `store` if it cannot be written or another
   * process writes to it
   */
  static async open(path: string): Promise<Recording> {
    let lock: Lock | undefined
    try {
      makeFolder(dirname(path))
      if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
        throw new ShaketableError(
          'bad-input',
          `${path}: expected a new path or the file of a recording, got a folder or a device. ${elsewhere}.`,
        )
      }
      lock = takeLock(`${path}.lock`, thisProcess(), { what: path, elsewhere: 'give --record another file' })
      const found = readExisting(path)
      const cut = cutTornLine(path)
      if (cut > 0) found.notes.push(`${basename(path)}: cut 1 unfinished last line (${String(cut)} bytes).`)
      return new Recording(path, found, await AppendFile.open(path), lock)
    } catch (thrown) {
      lock?.release()
      throw asWriteError(thrown, path, elsewhere)
    }
  }

  /** Number of exchanges recorded since it was opened. */
  get written(): number {
    return this.#written
  }

  /**
   * Records the model.
   * @throws ShaketableError `bad-input` if the file holds a different model of that name
   */
  declare({ name, settings, contextTokens, counts, logprobs }: Model): void {
    const traits = {
      ...(contextTokens !== undefined && { contextTokens }),
      ...(counts && { counts }),
      ...(logprobs && { logprobs }),
    }
    const model: RecordedModel = { model: name, settings, ...traits }
    const known = this.#models.get(name)
    if (known === undefined) {
      this.#models.set(name, model)
      this.#add(JSON.stringify(model))
      return
    }
    const { server, sessions, ...others } = known
    void [server, sessions]
    const [was, is] = [canonicalJson(others), canonicalJson(model)]
    if (was === is) return
    throw new ShaketableError(
      'bad-input',
      `${this.path} holds another model of the name '${name}': recorded ${was}, now ${is}. ${elsewhere}.`,
    )
  }

  /** Records what is known of a declared model's server, where that is new. */
  learn(name: string, about: Pick<RecordedModel, 'server' | 'sessions'>): void {
    const known = this.#models.get(name)
    const model = known && { ...known, ...about }
    if (model === undefined || canonicalJson(known) === canonicalJson(model)) return
    this.#models.set(name, model)
    this.#add(JSON.stringify(model))
  }

  /**
   * Records an exchange; it is on disk after {@link flush}.
   * @throws ShaketableError `store` after a failed write
   */
  append({ question, answer }: Exchange): void {
    const { id, prompt, ...request } = question
    const conversation = JSON.stringify([request.model, request.episode, request.temperature, request.seed])
    this.#add(JSON.stringify({ id, ...request, ...this.#share(prompt, conversation, this.#end), ...answer }))
    this.#written++
  }

  /**
   * Waits until all recorded data is on disk.
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
    try {
      await this.flush()
      await this.#file.check()
    } finally {
      await this.#file.close()
      this.#lock.release()
    }
  }

  #add(line: string): void {
    this.#groups.add(line)
    this.#end += Buffer.byteLength(line) + checksumBytes + 1
  }

  async #write(lines: readonly string[]): Promise<void> {
    try {
      await this.#file.check()
      await this.#file.write(lines)
    } catch (thrown) {
      throw asWriteError(thrown, this.path, elsewhere)
    }
  }
}

interface Found {
  readonly models: Map<string, RecordedModel>
  readonly notes: string[]
  readonly exchanges: number
}

function readExisting(path: string): Found {
  const models = new Map<string, RecordedModel>()
  const notes: string[] = []
  let [exchanges, isUnchecked] = [0, false]
  for (const line of readRecording(path)) {
    if (line.kind === 'model') models.set(line.model.model, line.model)
    else if (line.kind === 'damaged') notes.push(damaged(path, line.number))
    else if (line.kind === 'exchange') {
      exchanges++
      isUnchecked ||= line.state === 'unchecked'
    }
  }
  if (isUnchecked) notes.push(tellUnchecked(path))
  return { models, notes, exchanges }
}

/** The note about a damaged line. */
export function damaged(path: string, number: number): string {
  return `${path}:${String(number)}: DAMAGED: the line is not as it was written. It is left out; restore the file from a copy, or record again.`
}

/** A prompt as it is stored: `keep` characters of the prompt at byte `from`, followed by `rest`. */
interface SharedPrompt {
  readonly from?: number
  readonly keep?: number
  readonly rest: string
}

interface Written {
  readonly offset: number
  readonly text: string
  /** Number of other lines to read for it. */
  readonly depth: number
}

/** Maximum number of prompts kept in memory. */
const maxRemembered = 1024
const maxDepth = 64
/** Prompts that share this many first characters probably share their instruction. */
const headCharacters = 400
/** A shorter common beginning is not worth a reference. */
const minShared = 64

/**
 * Creates a function that reduces each prompt to its new part. An agent's prompt grows by a line per call, and all
 * prompts of an experiment begin with the same instruction. So the reference is the last prompt of the same
 * conversation, or else the first with the same beginning.
 */
function createPromptSharing(): (text: string, conversation: string, offset: number) => SharedPrompt {
  const last = new Map<string, Written>()
  const first = new Map<string, Written>()
  return (text, conversation, offset) => {
    const head = text.slice(0, headCharacters)
    const before = last.get(conversation)
    const near = before !== undefined && before.depth < maxDepth ? before : first.get(head)
    const keep = near === undefined ? 0 : commonStart(near.text, text)
    const shared = near !== undefined && keep >= minShared
    const written: Written = { offset, text, depth: shared ? near.depth + 1 : 0 }
    if (!first.has(head)) remember(first, head, written)
    last.delete(conversation)
    remember(last, conversation, written)
    return shared ? { from: near.offset, keep, rest: text.slice(keep) } : { rest: text }
  }
}

/** Adds an entry and drops the oldest beyond the maximum. */
function remember(entries: Map<string, Written>, key: string, written: Written): void {
  entries.set(key, written)
  if (entries.size > maxRemembered) entries.delete(entries.keys().next().value!)
}

/** Length of the common beginning of two texts. */
export function commonStart(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let length = 0
  while (length < end && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
