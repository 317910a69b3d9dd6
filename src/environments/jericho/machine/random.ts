/**
 * The random numbers of Frotz, so that a story plays as it does there with the same seed: a linear congruence of 31
 * bits of which the upper 15 are used. A story may also choose predictable numbers (section 2.4 of the standard).
 */
export class StoryRandom {
  readonly #seed: number
  #state = 0
  #interval = 0
  #counter = 0

  constructor(seed: number) {
    this.#seed = seed
    this.reseed(0)
  }

  /** Begins anew: from the host's seed for 0, counting 0, 1, … below 1000, otherwise from the value. */
  reseed(value: number): void {
    this.#interval = 0
    if (value === 0) this.#state = this.#seed
    else if (value >= 1000) this.#state = value
    else {
      this.#counter = 0
      this.#interval = value
    }
  }

  /** A number from 1 to `range`. */
  next(range: number): number {
    if (this.#interval !== 0) {
      const value = this.#counter
      this.#counter = value + 1 === this.#interval ? 0 : value + 1
      return (value % range) + 1
    }
    this.#state = (Math.imul(0x015a4e35, this.#state) + 1) & 0x7fffffff
    return (((this.#state >> 16) & 0x7fff) % range) + 1
  }

  save(): readonly [number, number, number] {
    return [this.#state, this.#interval, this.#counter]
  }

  load([state, interval, counter]: readonly [number, number, number]): void {
    this.#state = state
    this.#interval = interval
    this.#counter = counter
  }
}
