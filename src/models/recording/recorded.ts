import { existsSync } from 'node:fs'
import { parseJson } from '../../core/episode.js'
import { ShaketableError, unknownName } from '../../core/errors.js'
import { tellUnchecked } from '../../files/checksum.js'
import type { PlacedLines } from '../../files/line-at.js'
import { openLines } from '../../files/line-at.js'
import { readAnswer } from './exchange.js'
import type { Answer } from './exchange.js'
import { damaged } from './recording.js'
import type { RecordedModel, StoredQuestion } from './recording-lines.js'
import { readRecording, storedQuestion } from './recording-lines.js'

/**
 * A recording opened for reading: an index of the exchanges' offsets, and an open file. A class, since it owns that
 * file.
 */
export class Recorded {
  readonly path: string
  /** Data that was left out, in sentences. */
  readonly notes: readonly string[]
  /** Numbers of damaged lines, which are left out. */
  readonly damagedLines: readonly number[]
  readonly #models: ReadonlyMap<string, RecordedModel>
  readonly #offsets: ReadonlyMap<string, number>
  readonly #lines: PlacedLines

  private constructor(path: string) {
    const models = new Map<string, RecordedModel>()
    const offsets = new Map<string, number>()
    const notes: string[] = []
    const damagedLines: number[] = []
    let isUnchecked = false
    for (const line of readRecording(path)) {
      if (line.kind === 'model') models.set(line.model.model, line.model)
      else if (line.kind === 'exchange') {
        offsets.set(line.id, line.offset)
        isUnchecked ||= line.state === 'unchecked'
      } else if (line.kind === 'damaged') {
        damagedLines.push(line.number)
        notes.push(damaged(path, line.number))
        // The run used the damaged reply, so an older reply to the same question must not replace it.
        for (const id of line.ids) offsets.delete(id)
      } else notes.push(`${path}: the last line is unfinished and left out.`)
    }
    if (isUnchecked) notes.push(tellUnchecked(path))
    this.path = path
    this.notes = notes
    this.damagedLines = damagedLines
    this.#models = models
    this.#offsets = offsets
    this.#lines = openLines(path)
  }

  /** @throws ShaketableError `bad-input` if the file does not exist or is not a recording */
  static open(path: string): Recorded {
    if (!existsSync(path)) {
      throw new ShaketableError('bad-input', `${path}: expected a recording, there is no such file. Check the path.`)
    }
    return new Recorded(path)
  }

  /** What was learned of the servers of its models, as plain JSON. */
  servers(): readonly unknown[] {
    return [...this.#models.values()].flatMap(({ server }) => server ?? [])
  }

  /** What the sessions of the run spent, as plain JSON. */
  sessions(): unknown {
    return [...this.#models.values()].find(({ sessions }) => sessions !== undefined)?.sessions
  }

  /** Number of exchanges. */
  get size(): number {
    return this.#offsets.size
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

  /** Every question, in the order of the file. */
  *questions(): Generator<StoredQuestion, void, undefined> {
    for (const line of readRecording(this.path)) {
      const read = line.kind === 'exchange' ? storedQuestion.safeParse(parseJson(line.text)) : undefined
      if (read?.success === true) yield read.data
    }
  }

  /** Reconstructs a question's prompt; undefined if a line that it depends on is damaged. */
  prompt(question: StoredQuestion): string | undefined {
    const keeps: { readonly keep: number; readonly rest: string }[] = []
    let part = question
    let before = Number.POSITIVE_INFINITY
    for (;;) {
      keeps.push({ keep: part.keep ?? 0, rest: part.rest })
      if (part.from === undefined) break
      if (part.from >= before) return undefined
      before = part.from
      const read = storedQuestion.safeParse(this.#valueAt(part.from))
      if (!read.success) return undefined
      part = read.data
    }
    return keeps.reduceRight((text, { keep, rest }) => text.slice(0, keep) + rest, '')
  }

  close(): void {
    this.#lines.close()
  }

  /** Undefined if the line is damaged. */
  #valueAt(offset: number): unknown {
    const line = this.#lines.lineAt(offset)
    return line === undefined ? undefined : parseJson(line)
  }
}
