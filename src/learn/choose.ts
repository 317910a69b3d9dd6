import type { Numbers, Situation } from './features.js'
import { createNumbers, describeForm, describeName, describeSlot, nameRoom } from './features.js'
import { join } from './hash.js'
import type { Item } from './scene.js'

/** Weights by the hash of what they belong to; a power of two of them. */
export type Weights = Float32Array

/** A choice between candidates: how good each is, and the weights that say so. */
export interface Choice {
  readonly scores: Float64Array
  count: number
  /** Of each candidate in turn, the places of its weights. */
  readonly places: Int32Array
  /** Where the places of each candidate begin; one more than there are candidates. */
  readonly starts: Int32Array
}

const mostCandidates = 1100
const mostPlaces = 1 << 20

/** What is needed to score candidates, made once. */
export interface Scorer {
  readonly choice: Choice
  scoreForms(forms: readonly string[], rowsOf: (form: string) => number, situation: Situation): void
  scoreNames(items: readonly Item[], form: string, chosen: readonly Item[], situation: Situation): void
}

/** @param keep whether the places of the weights are kept, to change them */
export function createScorer(weights: Weights, keep: boolean): Scorer {
  const mask = weights.length - 1
  const choice: Choice = {
    scores: new Float64Array(mostCandidates),
    count: 0,
    places: new Int32Array(keep ? mostPlaces : 0),
    starts: new Int32Array(mostCandidates + 1),
  }
  const described = createNumbers(64)
  const features = createNumbers(nameRoom)
  const base = new Int32Array(32)
  let used = 0

  const cross = (left: Numbers, right: Int32Array, rightLength: number): void => {
    let sum = 0
    for (let at = 0; at < left.length; at++) {
      const one = left.values[at]!
      for (let other = 0; other < rightLength; other++) {
        const place = join(one, right[other]!) & mask
        sum += weights[place]!
        if (keep && used < mostPlaces) choice.places[used++] = place
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
    scoreForms(forms, rowsOf, situation) {
      reset()
      for (const form of forms) {
        describeForm(form, situation, rowsOf(form), described)
        cross(described, situation.contexts, situation.contexts.length)
      }
    },
    scoreNames(items, form, chosen, situation) {
      reset()
      describeSlot(form, chosen.length, situation, described)
      for (const item of items) {
        describeName(item, form, chosen, situation, base, features)
        cross(described, features.values, features.length)
      }
    },
  }
}

/** The chances of candidates at a temperature. */
export function softmax({ scores, count }: Choice, temperature: number, into: Float64Array): void {
  let best = -Infinity
  for (let at = 0; at < count; at++) best = Math.max(best, scores[at]!)
  let sum = 0
  for (let at = 0; at < count; at++) sum += into[at] = Math.exp((scores[at]! - best) / temperature)
  for (let at = 0; at < count; at++) into[at]! /= sum
}

/** The place of the best candidate, or at a temperature of one that is drawn. */
export function draw(choice: Choice, temperature: number, next: () => number): number {
  const { scores, count } = choice
  if (temperature === 0) {
    let best = 0
    for (let at = 1; at < count; at++) if (scores[at]! > scores[best]!) best = at
    return best
  }
  const chances = new Float64Array(count)
  softmax(choice, temperature, chances)
  let left = next()
  for (let at = 0; at < count; at++) {
    left -= chances[at]!
    if (left < 0) return at
  }
  return count - 1
}
