/** A group is written when it has this many items, or when its first item has waited this long. */
const groupSize = 64
const groupMs = 250

/**
 * Writes items in groups, one group at a time and in order, so that items share a wait for the disk. After a failed
 * write nothing more is written, and its error is thrown to every later caller.
 */
export function createGroupWriter<T>(write: (group: readonly T[]) => Promise<void>) {
  let waiting: T[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let failure: { readonly thrown: unknown } | undefined

  const writeAll = async (): Promise<void> => {
    try {
      while (waiting.length > 0 && failure === undefined) {
        const group = waiting
        waiting = []
        await write(group)
      }
    } catch (thrown) {
      failure = { thrown }
    } finally {
      clearTimeout(timer)
      timer = undefined
    }
  }
  /** Writes group after group until nothing waits. Never rejects. */
  const drain = (): Promise<void> => (writing ??= writeAll().finally(() => (writing = undefined)))
  /** @throws the error of an earlier write, if one failed */
  const check = (): void => {
    if (failure !== undefined) throw failure.thrown
  }
  return {
    check,
    /** Number of items not yet passed to a write. */
    waiting: () => waiting.length,
    /** Adds an item. @throws the error of an earlier write */
    add(item: T): void {
      check()
      waiting.push(item)
      if (waiting.length >= groupSize) void drain()
      else timer ??= setTimeout(() => void drain(), groupMs)
    },
    /** Waits until every added item is written. @throws the error of a write */
    async flush(): Promise<void> {
      while (failure === undefined && (waiting.length > 0 || writing !== undefined)) await drain()
      check()
    },
  }
}
