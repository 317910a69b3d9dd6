import type { Random } from 'shaketable'
import { createRandom } from 'shaketable'

/** Draws numbers from 0 to 1 for one reply. */
export type Draw = () => number

/** Numbers of a stream that belong to one reply. */
const drawsPerReply = 16
const maxStreams = 1000

/**
 * Opens the draws of replies: what is drawn is decided by the seed, the goal (however its items are spelled, so that
 * what changes with their spelling is not chance) and the number of actions so far. Streams are kept with what was
 * drawn from them, since seeding one takes longer than all else in a reply.
 */
export function createDraws(): (seed: number, goal: string, steps: number) => Draw {
  const streams = new Map<string, { readonly random: Random; readonly drawn: number[] }>()
  return (seed, goal, steps) => {
    const key = `${String(seed)}/${goal.toLowerCase().replace(/[^a-z0-9]+(?=\d)/g, '')}`
    let stream = streams.get(key)
    if (stream === undefined) {
      if (streams.size >= maxStreams) streams.clear()
      streams.set(key, (stream = { random: createRandom(key), drawn: [] }))
    }
    const { random, drawn } = stream
    const first = steps * drawsPerReply
    let next = first
    return () => {
      while (drawn.length <= next) drawn.push(random.next())
      const number = drawn[next]!
      next = first + ((next + 1 - first) % drawsPerReply)
      return number
    }
  }
}

/** The index that a softmax over scores draws; at temperature 0 the best, and among equals the one that is drawn. */
export function drawIndex(scores: readonly number[], temperature: number, draw: Draw): number {
  let best = -Infinity
  for (const score of scores) if (score > best) best = score
  if (temperature <= 0) {
    let equals = 0
    for (const score of scores) if (score === best) equals++
    let nth = equals === 1 ? 0 : Math.floor(draw() * equals)
    return scores.findIndex((score) => score === best && nth-- === 0)
  }
  const weights = scores.map((score) => Math.exp((score - best) / temperature))
  let left = draw() * weights.reduce((sum, weight) => sum + weight, 0)
  const index = weights.findIndex((weight) => (left -= weight) < 0)
  return index === -1 ? scores.indexOf(best) : index
}
