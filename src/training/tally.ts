import type { Collected } from './collect.js'
import type { MistakeKind } from './mistake.js'
import { mistakeKinds } from './mistake.js'

/** Counts of collected episodes. Turns are those of the assistant in kept trajectories. */
export interface CollectCounts {
  readonly played: number
  readonly succeeded: number
  readonly kept: number
  /** Kept trajectories that equal an earlier one. */
  readonly repeated: number
  readonly turns: number
  readonly masked: number
  readonly mistakes: Readonly<Record<MistakeKind, number>>
  /** Kept trajectories with at least one mistake. */
  readonly mistaken: number
}

/** Counts trajectories one by one. */
export class CollectTally {
  #counts = { played: 0, succeeded: 0, kept: 0, repeated: 0, turns: 0, masked: 0, mistaken: 0 }
  readonly #mistakes = Object.fromEntries(mistakeKinds.map((kind) => [kind, 0])) as Record<MistakeKind, number>

  /** @param isRepeated whether the trajectory equals an earlier one */
  add({ succeeded, row, mistakes }: Collected, isRepeated: boolean): void {
    const counts = this.#counts
    counts.played++
    if (succeeded) counts.succeeded++
    if (row === undefined) return
    counts.kept++
    if (isRepeated) counts.repeated++
    if (mistakes.length > 0) counts.mistaken++
    for (const kind of mistakes) this.#mistakes[kind]++
    for (const { role, loss } of row.turns) {
      if (role !== 'assistant') continue
      counts.turns++
      if (loss === false) counts.masked++
    }
  }

  result(): CollectCounts {
    return { ...this.#counts, mistakes: { ...this.#mistakes } }
  }
}
