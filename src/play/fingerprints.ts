import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import type { Trajectory } from '../core/episode.js'

/**
 * A fingerprint of what was said in an episode: the first prompt, every reply with its thoughts and reasoning, and
 * every observation, but no times, tokens or attempts. Two episodes with one fingerprint are one and the same play. 12
 * hex digits.
 */
export function traceOf({ prompt, opening, steps }: Trajectory): string {
  const texts = steps.map(({ reply, thoughts, reasoning, action, observation }) => [
    reply ?? '',
    thoughts ?? [],
    reasoning ?? [],
    action,
    observation,
  ])
  return createHash('sha256')
    .update(JSON.stringify([prompt, opening.observation, texts]))
    .digest('hex')
    .slice(0, 12)
}

/**
 * A hash of the world that an episode began with, the opening in the environment's wording. Twins begin alike. 8 hex
 * digits.
 */
export function openingOf({ opening }: Trajectory): string {
  return hashText(opening.original ?? opening.observation)
    .digest('hex')
    .slice(0, 8)
}

function hashText(text: string): Hash {
  return createHash('sha256').update(text)
}
