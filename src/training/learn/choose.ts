import type { Situation } from './features.js'
import { createDescription, describeCommand, describeForm, describeName, describeSlot, nameRoom } from './features.js'
import { join } from './hash.js'
import type { Vocabulary } from './vocabulary.js'
import type { Item, Scene } from './scene.js'

/** Weights by the hash of what they belong to; a power of two of them. */
export type Weights = Float32Array

/** Scores of candidates, and the weights that they are the sums of. */
export interface Choice {
  readonly scores: Float64Array
  count: number
  /** Indices of the weights, candidate by candidate; those of features read off the prompt are stored as -1 - index. */
  readonly places: Int32Array
  /** The first entry in `places` of each candidate, and the total at the end. */
  readonly starts: Int32Array
}

const maxCandidates = 1100
const maxPlaces = 1 << 18
const commandContexts = Int32Array.of(1)

/** Scores candidates. The result is in `choice` until the next call. */
export interface Scorer {
  readonly choice: Choice
  forms(forms: readonly string[], isKnown: (form: string) => boolean, situation: Situation): void
  names(items: readonly Item[], form: string, isKnown: boolean, chosen: readonly Item[], situation: Situation): void
  /** @param bases the score of each command without its own features */
  commands(commands: readonly string[], bases: readonly number[], situation: Situation): void
}

/** @param keep whether the indices of the weights are recorded, for training */
export function createScorer(weights: Weights, keep: boolean): Scorer {
  const mask = weights.length - 1
  const choice: Choice = {
    scores: new Float64Array(maxCandidates),
    count: 0,
    places: new Int32Array(keep ? maxPlaces : 0),
    starts: new Int32Array(maxCandidates + 1),
  }
  const described = createDescription()
  const features = { values: new Int32Array(nameRoom), length: 0 }
  const base = new Int32Array(16)
  let used = 0

  const cross = (right: Int32Array, rightLength: number, start = 0): void => {
    let sum = start
    for (let at = 0; at < described.length; at++) {
      const one = described.values[at]!
      const isRead = at >= described.readFrom
      for (let other = 0; other < rightLength; other++) {
        const place = join(one, right[other]!) & mask
        sum += weights[place]!
        if (keep && used < maxPlaces) choice.places[used++] = isRead ? -1 - place : place
      }
    }
    choice.scores[choice.count++] = sum
    choice.starts[choice.count] = used
  }
  const reset = (): void => {
    choice.count = 0
    used = 0
    choice.starts[0] = 0
  }
  return {
    choice,
    forms(forms, isKnown, situation) {
      reset()
      for (const form of forms) {
        describeForm(form, isKnown(form), situation, described)
        cross(situation.contexts, situation.contexts.length)
      }
    },
    names(items, form, isKnown, chosen, situation) {
      reset()
      describeSlot(form, chosen.length, isKnown, situation, described)
      for (const item of items) {
        describeName(item, chosen, situation, base, features)
        cross(features.values, features.length)
      }
    },
    commands(commands, bases, situation) {
      reset()
      commands.forEach((command, index) => {
        describeCommand(command, situation, described)
        cross(commandContexts, 1, bases[index]!)
      })
    },
  }
}

/** The probabilities of candidates at a temperature. */
export function softmax({ scores, count }: Choice, temperature: number, into: Float64Array): void {
  let best = -Infinity
  for (let at = 0; at < count; at++) best = Math.max(best, scores[at]!)
  let sum = 0
  for (let at = 0; at < count; at++) sum += into[at] = Math.exp((scores[at]! - best) / temperature)
  for (let at = 0; at < count; at++) into[at]! /= sum
}

/** Index of the best candidate; the first of equals. */
function bestOf({ scores, count }: Choice): number {
  let best = 0
  for (let at = 1; at < count; at++) if (scores[at]! > scores[best]!) best = at
  return best
}

/** Index of the best candidate, or at a temperature above 0 of a sampled one. */
export function draw(choice: Choice, temperature: number, next: () => number): number {
  if (temperature === 0) return bestOf(choice)
  const { count } = choice
  const probabilities = new Float64Array(count)
  softmax(choice, temperature, probabilities)
  let left = next()
  for (let at = 0; at < count; at++) {
    left -= probabilities[at]!
    if (left < 0) return at
  }
  return count - 1
}

/** The candidate forms of action in a conversation: those that the prompt shows, and those known from training. */
export function candidateForms(scene: Scene, vocabulary: Vocabulary): ReadonlySet<string> {
  return new Set([...scene.shown.keys(), ...vocabulary.said])
}

/** The command of a form with these names in its slots. */
export function fillForm(form: string, items: readonly { readonly name: string }[]): string {
  return form
    .split('{}')
    .map((piece, slot) => (slot === 0 ? piece : items[slot - 1]!.name + piece))
    .join('')
}
