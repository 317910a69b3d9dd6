/** A priority queue of numbers: the lowest rank first, and among equal ranks the one that was added last. */
export class PriorityQueue {
  readonly #ranks: number[] = []
  readonly #orders: number[] = []
  readonly #values: number[] = []
  #added = 0

  add(value: number, rank: number): void {
    const order = this.#added++
    let at = this.#values.length
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.#before(rank, order, above)) break
      this.#move(above, at)
      at = above
    }
    this.#set(at, value, rank, order)
  }

  take(): number | undefined {
    const first = this.#values[0]
    const value = this.#values.pop()
    const rank = this.#ranks.pop()
    const order = this.#orders.pop()
    const size = this.#values.length
    if (size === 0 || value === undefined) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      if (below + 1 < size && this.#before(this.#ranks[below + 1]!, this.#orders[below + 1]!, below)) below++
      if (this.#before(rank!, order!, below)) break
      this.#move(below, at)
      at = below
    }
    this.#set(at, value, rank!, order!)
    return first
  }

  #before(rank: number, order: number, other: number): boolean {
    const difference = rank - this.#ranks[other]!
    return difference < 0 || (difference === 0 && order > this.#orders[other]!)
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#values[from]!, this.#ranks[from]!, this.#orders[from]!)
  }

  #set(at: number, value: number, rank: number, order: number): void {
    this.#values[at] = value
    this.#ranks[at] = rank
    this.#orders[at] = order
  }
}
