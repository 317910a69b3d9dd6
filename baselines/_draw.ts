import type { Random } from '../src/define.js'
import { createRandom } from '../src/define.js'

/** Draws a number in [0, 1) for one reply. */
export type Draw = () => number

/** Numbers of a stream that belong to one reply. */
const drawsPerReply = 16
const maxStreams = 1000

/**
 * Opens the draws of replies. They depend on the seed, the goal (whatever the spelling of its items, so that a change
 * of spelling changes no draw) and the number of actions so far. Streams are kept with the numbers drawn from them:
 * seeding one and drawing up to a reply takes 30 µs, a third of a step.
 */
export function createDraws(): (seed: number, goal: string, steps: number) => Draw {
  const streams = new Map<string, { readonly random: Random; readonly drawn: number[] }>()
  return (seed, goal, steps) => {
    const key = `${String(seed)}/${goal.toLowerCase().replace(/(?<![^a-z0-9])[^a-z0-9]+(?=\d)/g, '')}`
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

/** An index drawn by a softmax over scores; at temperature 0 the best, drawn uniformly among equals. */
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
