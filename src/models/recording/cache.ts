import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ShaketableError } from '../../core/errors.js'
import type { Completion } from '../../core/model.js'
import type { Lock } from '../../files/lock.js'
import { makeFolder } from '../../files/make-folder.js'
import { asWriteError } from '../../files/write-error.js'
import type { Answer, Question } from './exchange.js'
import { ExchangeFile, lockFile } from './exchange-file.js'

const elsewhere = 'Give --cache another folder'
/** The most processes that may write to a cache at once. */
const maxWriters = 1000

/**
 * A folder of files of exchanges, one for each process that writes to it at once: it appends to the first file that
 * no other process writes to, and reads what all of them held when it was opened.
 */
export class Cache {
  readonly folder: string
  readonly notes: readonly string[]
  /** Look-ups with a reply, look-ups without one, and replies that could not be kept. */
  readonly count = { hits: 0, absent: 0, lost: 0 }
  readonly #files: readonly ExchangeFile[]
  readonly #own: ExchangeFile
  #refused = 0

  private constructor(folder: string, own: ExchangeFile, others: readonly ExchangeFile[]) {
    this.folder = folder
    this.#own = own
    this.#files = [own, ...others].sort((a, b) => (a.path < b.path ? -1 : 1))
    this.notes = this.#files.flatMap(({ notes }) => notes)
  }

  /** @throws ShaketableError `store` if the folder cannot be written or holds other files */
  static async open(folder: string): Promise<Cache> {
    try {
      makeFolder(folder)
      const names = readdirSync(folder)
      const unknown = names.filter((name) => !/^\d+\.jsonl($|\.lock)/.test(name))
      if (unknown.length > 0) {
        throw new ShaketableError(
          'store',
          `Expected an empty folder or a cache of this version, but ${folder} holds other files (${unknown.slice(0, 3).join(', ')}). ${elsewhere}.`,
        )
      }
      const { path, lock } = takeFreeFile(folder)
      const others = names.map((name) => join(folder, name)).filter((one) => one.endsWith('.jsonl') && one !== path)
      return new Cache(
        folder,
        await ExchangeFile.write(path, elsewhere, lock),
        others.map((one) => ExchangeFile.read(one)),
      )
    } catch (thrown) {
      throw asWriteError(thrown, folder, elsewhere)
    }
  }

  /** The stored reply to a question, in whichever file; undefined for a miss and for one that is unreadable. */
  find(id: string): Completion | undefined {
    for (const file of this.#files) {
      try {
        const answer = file.answer(id)
        if (answer === undefined || !('reply' in answer)) continue
        this.count.hits++
        return answer.reply
      } catch {
        // It is asked for again.
      }
    }
    this.count.absent++
    return undefined
  }

  /** Stores an answer. After a failed write the run continues without the entry. */
  keep(question: Question, answer: Answer): void {
    try {
      this.#own.append(question, answer)
    } catch {
      this.#refused++
    }
  }

  /** Waits until the replies are on disk, and counts those that cannot be written. */
  async flush(): Promise<void> {
    await this.#own.flush().catch(() => {
      this.count.lost = this.#refused + this.#own.waiting
    })
  }

  /** Closes the files. */
  async close(): Promise<void> {
    await this.flush()
    for (const file of this.#files) await file.close().catch(() => undefined)
  }
}

/** Takes the lock of the first file that no other process writes to. */
function takeFreeFile(folder: string): { readonly path: string; readonly lock: Lock } {
  for (let number = 1; ; number++) {
    const path = join(folder, `${String(number)}.jsonl`)
    try {
      return { path, lock: lockFile(path, 'give --cache another folder') }
    } catch (thrown) {
      if (!(thrown instanceof ShaketableError) || number === maxWriters) throw thrown
    }
  }
}
