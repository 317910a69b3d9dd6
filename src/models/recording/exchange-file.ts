import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { copyText } from '../../core/text.js'
import { canonicalJson } from '../../core/episode.js'
import { parseJson, jsonLine } from '../../files/json.js'
import { ShaketableError, unknownName } from '../../core/errors.js'
import type { Model } from '../../core/model.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { GroupWriter } from '../../files/group-writer.js'
import type { Line } from '../../files/lines.js'
import { readLines, readLinesAt } from '../../files/lines.js'
import type { Lock } from '../../files/lock.js'
import { takeLock, thisProcess } from '../../files/lock.js'
import { makeFolder } from '../../files/make-folder.js'
import { asWriteError } from '../../files/write-error.js'
import type { Answer, Question } from './exchange.js'
import { readAnswer, storedQuestion } from './exchange.js'

/** Raised whenever this version could misread older files. */
const format = 1

/** The first line of every file of exchanges. */
const headerLine = JSON.stringify({ recording: format })

const storedModel = z.object({
  model: z.string(),
  settings: z.record(z.string(), z.unknown()),
  contextTokens: z.number().int().positive().optional(),
  logprobs: z.literal('top').optional(),
  /** What was learned of its server, as plain JSON; notices of a replay follow from it. */
  server: z.unknown().optional(),
  /** What the sessions of the run spent so far, as plain JSON, beside one of the servers. */
  sessions: z.unknown().optional(),
})

/** A recorded model: enough to recreate the same plan and prompts without its server. */
type RecordedModel = Readonly<z.infer<typeof storedModel>>

/** Every stored exchange begins with its id. */
const exchangeStart = /^\{"id":"([0-9a-f]{20})",/

/**
 * A file of exchanges: JSON lines, appended in groups by one writer, and an index of their offsets. A class, since it
 * owns files and a lock.
 */
export class ExchangeFile {
  readonly path: string
  /** The path of its lines: another where the file is compressed. */
  readonly #lines: string
  /** Data that was cut or left out, in sentences. */
  readonly notes: string[] = []
  /** Number of exchanges in the file when it was opened. */
  readonly already: number
  /** Number of exchanges appended since then. */
  written = 0
  readonly #models = new Map<string, RecordedModel>()
  /** The places of exchanges in the file, by their ids. */
  readonly #places = new Map<string, Pick<Line, 'offset' | 'bytes'>>()
  /** Exchanges that are not on disk yet. */
  readonly #waiting = new Map<string, string>()
  readonly #groups = new GroupWriter<{ readonly id?: string; readonly line: string }>((group) => this.#write(group))
  #writer: { readonly file: AppendFile; readonly lock: Lock; readonly elsewhere: string } | undefined
  #isUnfinished = false
  #end = 0

  private constructor(path: string, lines = path) {
    this.path = path
    this.#lines = lines
    for (const { text, number, offset, bytes, ended } of readLines(lines)) {
      if (number === 1 && !headerLine.startsWith(text)) checkHeader(path, text)
      const id = exchangeStart.exec(text)?.[1]
      const model = id === undefined ? storedModel.safeParse(parseJson(text)) : undefined
      if (!ended) this.#isUnfinished = true
      else if (id !== undefined) this.#places.set(copyText(id), { offset, bytes })
      else if (model?.success) this.#models.set(model.data.model, model.data)
      else if (number > 1)
        this.notes.push(`${path}:${String(number)}: DAMAGED: the line cannot be read. It is left out.`)
    }
    this.already = this.#places.size
  }

  /**
   * Opens a file to read it, also one that is compressed (`.gz`).
   * @throws ShaketableError `bad-input` if it does not exist or is not a recording
   */
  static read(path: string): ExchangeFile {
    if (!existsSync(path)) {
      throw new ShaketableError('bad-input', `${path}: expected a recording, there is no such file. Check the path.`)
    }
    const file = new ExchangeFile(path, path.endsWith('.gz') ? unpack(path) : path)
    if (file.#isUnfinished) file.notes.push(`${path}: the last line is unfinished and left out.`)
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
    let lock = held
    try {
      makeFolder(dirname(path))
      if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
        throw new ShaketableError(
          'bad-input',
          `${path}: expected a new path or the file of a recording, got a folder or a device. ${elsewhere}.`,
        )
      }
      lock ??= lockFile(path, 'give --record another file')
      const file = new ExchangeFile(path)
      const cut = cutTornLine(path)
      if (cut > 0) file.notes.push(`${basename(path)}: cut 1 unfinished last line (${String(cut)} bytes).`)
      file.#writer = { file: await AppendFile.open(path), lock, elsewhere }
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
    return this.#waiting.size
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
    const place = this.#places.get(id)
    if (place === undefined) return undefined
    const waiting = this.#waiting.get(id)
    const [line] = waiting === undefined ? readLinesAt(this.#lines, [place]) : [{ text: waiting }]
    const answer = readAnswer(parseJson(line?.text ?? ''))
    if (answer !== undefined) return answer
    throw new ShaketableError(
      'bad-input',
      `${this.path}: expected an exchange at byte ${String(place.offset)}, got something unreadable. Restore the file from a copy, or record again.`,
    )
  }

  /** Every question, in the order of the file. */
  *questions(): Generator<Question, void, undefined> {
    for (const { text } of readLines(this.#lines)) {
      const read = exchangeStart.test(text) ? storedQuestion.safeParse(parseJson(text)) : undefined
      if (read?.success) yield read.data
    }
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
  append({ id, ...request }: Question, answer: Answer): void {
    this.#add(jsonLine({ id, ...request, ...answer }), id)
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
    if (this.#lines !== this.path) rmSync(dirname(this.#lines), { recursive: true, force: true })
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

  #add(line: string, id?: string): void {
    this.#groups.add({ line, ...(id !== undefined && { id }) })
    const bytes = Buffer.byteLength(line)
    if (id !== undefined) {
      this.#waiting.set(id, line)
      this.#places.set(id, { offset: this.#end, bytes })
    }
    this.#end += bytes + 1
  }

  async #write(group: readonly { readonly id?: string; readonly line: string }[]): Promise<void> {
    const { file, elsewhere } = this.#writer!
    try {
      await file.check()
      await file.write(group.map(({ line }) => line))
    } catch (thrown) {
      throw asWriteError(thrown, this.path, elsewhere)
    }
    for (const { id, line } of group) if (id !== undefined && this.#waiting.get(id) === line) this.#waiting.delete(id)
  }
}

/** Bytes of an unpacked recording. */
const maxUnpacked = 2 ** 30

/**
 * Unpacks a compressed file into a folder of its own, which the caller removes.
 * @throws ShaketableError `bad-input` if it is not compressed, damaged, or larger than {@link maxUnpacked}
 */
function unpack(path: string): string {
  let bytes: Buffer
  try {
    bytes = gunzipSync(readFileSync(path), { maxOutputLength: maxUnpacked })
  } catch (thrown) {
    throw new ShaketableError(
      'bad-input',
      `${path}: expected a recording compressed by gzip, of at most 1 GiB, got something else (${(thrown as Error).message}). Compress it again, or give it unpacked.`,
    )
  }
  const unpacked = join(mkdtempSync(join(tmpdir(), 'shaketable-recording-')), 'exchanges.jsonl')
  writeFileSync(unpacked, bytes)
  return unpacked
}

/** @throws ShaketableError `store` if another process is the writer of a file */
export function lockFile(path: string, elsewhere: string): Lock {
  return takeLock(`${path}.lock`, thisProcess(), { what: path, elsewhere })
}

/** @throws ShaketableError `bad-input` for the first line of anything but a recording of this format */
function checkHeader(path: string, line: string): void {
  const header = z.object({ recording: z.number() }).safeParse(parseJson(line)).data
  if (header?.recording === format) return
  throw new ShaketableError(
    'bad-input',
    header === undefined
      ? `${path}: expected a recording, which begins with ${headerLine}, got ${JSON.stringify(line.slice(0, 60))}. Give the file that --record wrote.`
      : `${path}: expected a recording of format ${String(format)}, got format ${String(header.recording)}. It was written by another version of shaketable; use that one, or record again.`,
  )
}
