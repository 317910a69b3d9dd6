/** A group is written when it has this many items, or when its first has waited this long. */
const groupSize = 64
const groupMs = 250

/**
 * Collects items and hands them on in groups, one group at a time and in order, so that a wait for the disk is shared.
 * A class, since it holds a timer. The first failed write is the last one: it is thrown to every later caller.
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

  /** How many items are not handed on yet. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Takes an item. @throws what an earlier write threw */
  add(item: T): void {
    this.check()
    this.#waiting.push(item)
    if (this.#waiting.length >= groupSize) void this.#drain()
    else this.#timer ??= setTimeout(() => void this.#drain(), groupMs)
  }

  /** Ends when every item that was taken is written. @throws what a write threw */
  async flush(): Promise<void> {
    while (this.#failure === undefined && (this.#waiting.length > 0 || this.#writing !== undefined)) await this.#drain()
    this.check()
  }

  /** @throws what a write threw, if one did */
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
