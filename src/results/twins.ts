import { type EpisodeRow, actionCharacters } from '../define.js'
import type { Tally } from './tally.js'

/** Where the comparisons of a condition's episodes are kept, by the slot of each. */
type Compared = Pick<Tally, 'began' | 'distance' | 'divergence'>

type Said = Pick<EpisodeRow, 'opening' | 'actions' | 'dose'>

/** Compares episodes with their clean twins as rows come in, in any order; of each it keeps a few bytes a step. */
export function createTwins() {
  type Slot = { clean?: Said; readonly waiting: { readonly tally: Compared; readonly said: Said }[] }
  const slots = new Map<Compared, Map<number, Slot>>()
  return {
    /** Takes the row of a measurement, with the tally of its clean twin. */
    add(twin: Compared, tally: Compared, slot: number, { opening, actions, dose }: EpisodeRow): void {
      if (opening === undefined && actions === undefined) return
      const play = { opening, actions, ...(dose && { dose }) } as Said
      const known = slots.get(twin) ?? new Map<number, Slot>()
      const here = known.get(slot) ?? { waiting: [] }
      slots.set(twin, known.set(slot, here))
      if (tally === twin) {
        here.clean = play
        for (const other of here.waiting.splice(0)) compare(other.tally, slot, play, other.said)
      } else if (here.clean) compare(tally, slot, here.clean, play)
      else here.waiting.push({ tally, said: play })
    },
  }
}

/** A world with further objects is another one on purpose. */
function compare(tally: Compared, slot: number, clean: Said, { opening, actions, dose }: Said): void {
  if (clean.opening !== undefined && opening !== undefined && (dose?.objects ?? 0) === 0)
    tally.began[slot] = clean.opening === opening ? 1 : 2
  if (clean.actions === undefined || actions === undefined) return
  const { distance, divergence } = compareActions(clean.actions, actions)
  tally.distance[slot] = distance
  tally.divergence[slot] = divergence
}

/**
 * How far two action sequences (see `actionsOf`) are apart: the fewest insertions, deletions and replacements of
 * actions that make one the other (Levenshtein 1966) as a share of the longer one, and the number of the first step
 * that differs, from 1. Equal sequences differ after their last step.
 */
export function compareActions(one: string, other: string): { readonly distance: number; readonly divergence: number } {
  const split = (text: string): readonly string[] => text.match(actionPattern) ?? []
  const [first, second] = [split(one), split(other)]
  const longest = Math.max(first.length, second.length)
  let same = 0
  while (same < longest && first[same] === second[same]) same++
  const [rest, others] = [first.slice(same), second.slice(same)]
  let costs = Array.from({ length: others.length + 1 }, (_, place) => place)
  rest.forEach((action, row) => {
    const next = [row + 1]
    others.forEach((said, place) => {
      const replaced = costs[place]! + (action === said ? 0 : 1)
      next.push(Math.min(replaced, costs[place + 1]! + 1, next[place]! + 1))
    })
    costs = next
  })
  return { distance: longest === 0 ? 0 : costs.at(-1)! / longest, divergence: same + 1 }
}

const actionPattern = new RegExp(`.{${String(actionCharacters)}}`, 'g')
