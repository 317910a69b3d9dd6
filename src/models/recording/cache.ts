import { mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { parseJson } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { readObject, withChecksum } from '../../files/checksum.js'
import { asWriteError } from '../../files/write-error.js'
import { readAnswer } from './exchange.js'
import type { Answer, Question } from './exchange.js'
import { makeFolder } from '../../files/make-folder.js'

/** Raised whenever this version could misread older entries. Each format has its own folder. */
const format = 'v1'

/** Maximum number of damaged entries that are named. */
const maxNamed = 5

/** Counts of look-ups by result. */
interface CacheCount {
  hits: number
  /** Questions without an entry. */
  absent: number
  /** Unreadable entries; they are replaced. */
  damaged: number
  /** Replies that could not be written. */
  lost: number
}

/**
 * A folder of exchanges, one small file each. Several processes may use it at once: an entry is written to a temporary
 * file and renamed, so it is either complete or absent.
 */
export class Cache {
  readonly folder: string
  readonly notes: readonly string[]
  /** Paths of the first unreadable entries. */
  readonly damaged: string[] = []
  readonly count: CacheCount = { hits: 0, absent: 0, damaged: 0, lost: 0 }

  private constructor(folder: string, notes: readonly string[]) {
    this.folder = folder
    this.notes = notes
  }

  /** @throws ShaketableError `store` if the folder cannot be written or holds other files */
  static open(folder: string): Cache {
    try {
      makeFolder(folder)
      const found = readdirSync(folder).filter((name) => name !== format)
      const others = found.filter((name) => /^v\d+$/.test(name))
      if (found.length > others.length) {
        const unknown = found.filter((name) => !others.includes(name)).slice(0, 3)
        throw new ShaketableError(
          'store',
          `Expected an empty folder or a cache, but ${folder} holds other files (${unknown.join(', ')}). Give --cache another folder.`,
        )
      }
      makeFolder(join(folder, format))
      const probe = join(folder, format, draftName())
      mkdirSync(probe)
      rmdirSync(probe)
      return new Cache(
        folder,
        others.map(
          (name) =>
            `${join(folder, name)} is of another version of shaketable (format ${name}, this is ${format}): nothing in it is used.`,
        ),
      )
    } catch (thrown) {
      throw asWriteError(thrown, folder, 'Give --cache another folder')
    }
  }

  /** The stored answer to a question; undefined for a miss, which is counted by its reason. */
  async find(question: Question): Promise<Answer | undefined> {
    const path = this.#pathOf(question)
    let bytes: Buffer
    try {
      bytes = await readFile(path)
    } catch (thrown) {
      if (['ENOENT', 'ENOTDIR'].includes((thrown as NodeJS.ErrnoException).code ?? '')) this.count.absent++
      else this.#countDamaged(path)
      return undefined
    }
    const { text, state } = readObject(bytes)
    const value = (state === 'damaged' ? undefined : parseJson(text)) as { readonly id?: unknown } | null | undefined
    const answer = value?.id === question.id ? readAnswer(value) : undefined
    if (answer === undefined) this.#countDamaged(path)
    else this.count.hits++
    return answer
  }

  #countDamaged(path: string): void {
    this.count.damaged++
    if (this.damaged.length < maxNamed) this.damaged.push(path)
  }

  /** Stores an answer. A failure is counted, and the run continues without the entry. */
  async keep(question: Question, answer: Answer): Promise<void> {
    const path = this.#pathOf(question)
    const { id, model, messagesHash, toolsHash, temperature, seed, maxTokens, stop, episode, number } = question
    const request = { id, model, messagesHash, toolsHash, temperature, seed, maxTokens, stop, episode, number }
    const draft = join(dirname(path), draftName())
    try {
      makeFolder(dirname(path))
      await writeFile(draft, `${withChecksum(JSON.stringify({ ...request, ...answer }))}\n`, { flag: 'wx' })
      await rename(draft, path)
    } catch {
      this.count.lost++
      await unlink(draft).catch(() => undefined)
    }
  }

  #pathOf({ id }: Question): string {
    return join(this.folder, format, id.slice(0, 2), id.slice(2, 4), `${id.slice(4)}.json`)
  }
}

function draftName(): string {
  return `.draft-${randomUUID()}`
}
