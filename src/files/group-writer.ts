/** A group is written when it has this many items, or when its first item has waited this long. */
const groupSize = 64
const groupMs = 250

/**
 * Writes items in groups, one group at a time and in order, so that items share a wait for the disk. After a failed
 * write nothing more is written, and its error is thrown to every later caller.
 */
export class GroupWriter<T> {
  readonly #write: (group: readonly T[]) => Promise<void>
  #waiting: T[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #failure: { readonly thrown: unknown } | undefined

  constructor(write: (group: readonly T[]) => Promise<void>) {
    this.#write = write
  }

  /** Number of items not yet passed to a write. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Adds an item. @throws the error of an earlier write */
  add(item: T): void {
    this.check()
    this.#waiting.push(item)
    if (this.#waiting.length >= groupSize) void this.#drain()
    else this.#timer ??= setTimeout(() => void this.#drain(), groupMs)
  }

  /** Waits until every added item is written. @throws the error of a write */
  async flush(): Promise<void> {
    while (this.#failure === undefined && (this.#waiting.length > 0 || this.#writing !== undefined)) await this.#drain()
    this.check()
  }

  /** @throws the error of an earlier write, if one failed */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure.thrown
  }

  /** Writes group after group until nothing waits. Never rejects. */
  #drain(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined))
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && this.#failure === undefined) {
        const group = this.#waiting
        this.#waiting = []
        await this.#write(group)
      }
    } catch (thrown) {
      this.#failure = { thrown }
    } finally {
      clearTimeout(this.#timer)
      this.#timer = undefined
    }
  }
}
