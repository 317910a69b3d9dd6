import { type Hash, createHash } from 'node:crypto'
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

/** Characters of an action in `actionsOf`, 18 bits, so that two actions are equal by chance once in 262,144. */
export const actionCharacters = 3
/** Steps whose actions are kept. */
const maxActions = 256

/**
 * The actions of an episode as hashes of the environment's wording, so that twins under different wordings can be
 * compared. An action that a perturbation refused is another one than the action that it names.
 */
export function actionsOf({ steps }: Trajectory): string {
  return steps
    .slice(0, maxActions)
    .map(({ action, command = action }) => (command === null ? `refused\n${action}` : command))
    .map((text) => hashText(text).digest('base64url').slice(0, actionCharacters))
    .join('')
}

function hashText(text: string): Hash {
  return createHash('sha256').update(text)
}
