import type { Outlook } from './chart.js'
import type { Stop, Walk } from './routes.js'
import type { Trip } from './trip.js'
import type { Intent } from './words.js'

/** Something that could be done now, and how much speaks for it: logarithms of odds, the best near 0. */
export interface Choice {
  /** Several, where any of them would do as well. */
  readonly intents: readonly Intent[]
  readonly score: number
}

/** What a choice is made from. */
export interface Scene {
  readonly trip: Trip
  readonly outlook: Outlook
  readonly walk: Walk
  readonly stops: readonly Stop<Intent>[]
}

/** Ways of doing what was decided. */
export interface Ways {
  follow(scene: Scene, stop: Stop<Intent>): Choice
  fetchKey(scene: Scene, door: number, colour: string): readonly Choice[]
}
