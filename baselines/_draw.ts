import { createRandom } from '../src/define.js'

/** Draws a number in [0, 1) for one reply. */
export type Draw = () => number

/** Numbers of a stream that belong to one reply. */
const drawsPerReply = 16

/**
 * The draws of one reply. They depend on the seed, the goal (whatever the spelling of its items, so that a change of
 * spelling changes no draw) and the number of actions so far.
 */
export function drawsOf(seed: number, goal: string, steps: number): Draw {
  const random = createRandom(`${String(seed)}/${goal.toLowerCase().replace(/(?<![^a-z0-9])[^a-z0-9]+(?=\d)/g, '')}`)
  for (let skipped = 0; skipped < steps * drawsPerReply; skipped++) random.next()
  const numbers = Array.from({ length: drawsPerReply }, () => random.next())
  let next = 0
  return () => numbers[next++ % drawsPerReply]!
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
