import type { Description, Situation } from './features.js'
import { describeCommand, describeForm, describeName, describeSlot } from './features.js'
import { join } from './hash.js'
import type { Vocabulary } from './vocabulary.js'
import type { Item, Scene } from './scene.js'

/** Weights by the hash of what they belong to; a power of two of them. */
export type Weights = Float32Array

/** A candidate with its score, the sum of its weights. */
export interface Candidate {
  readonly score: number
  /** Indices of its weights; those of features read off the prompt are stored as -1 - index. Empty unless recorded. */
  readonly places: readonly number[]
}

/** Scores candidates. @param keep whether the indices of the weights are recorded, for training */
export function createScorer(weights: Weights, keep: boolean) {
  const mask = weights.length - 1
  const cross = ({ own, read }: Description, right: readonly number[], start = 0): Candidate => {
    const places: number[] = []
    let score = start
    const add = (features: readonly number[], isRead: boolean): void => {
      for (const feature of features) {
        for (const other of right) {
          const place = join(feature, other) & mask
          score += weights[place]!
          if (keep) places.push(isRead ? -1 - place : place)
        }
      }
    }
    add(own, false)
    add(read, true)
    return { score, places }
  }
  return {
    forms: (forms: readonly string[], isKnown: (form: string) => boolean, situation: Situation) =>
      forms.map((form) => cross(describeForm(form, isKnown(form), situation), situation.contexts)),
    names(items: readonly Item[], form: string, isKnown: boolean, chosen: readonly Item[], situation: Situation) {
      const slot = describeSlot(form, chosen.length, isKnown, situation)
      return items.map((item) => cross(slot, describeName(item, chosen, situation)))
    },
    /** @param bases the score of each command without its own features */
    commands: (commands: readonly string[], bases: readonly number[], situation: Situation) =>
      commands.map((command, index) => cross(describeCommand(command, situation), [1], bases[index])),
  }
}

/** The probabilities of candidates at a temperature. */
export function softmax(candidates: readonly Candidate[], temperature: number): readonly number[] {
  const best = candidates.reduce((most, { score }) => Math.max(most, score), -Infinity)
  const odds = candidates.map(({ score }) => Math.exp((score - best) / temperature))
  const sum = odds.reduce((total, value) => total + value, 0)
  return odds.map((value) => value / sum)
}

/** Index of the best candidate, the first of equals; or at a temperature above 0 of a sampled one. */
export function draw(candidates: readonly Candidate[], temperature: number, next: () => number): number {
  if (temperature === 0) return bestOf(candidates, 1)[0]!
  let left = next()
  const at = softmax(candidates, temperature).findIndex((probability) => (left -= probability) < 0)
  return at === -1 ? candidates.length - 1 : at
}

/** Indices of the best candidates, the best first. */
export function bestOf(candidates: readonly Candidate[], max: number): readonly number[] {
  const order = [...candidates.keys()].sort((one, other) => candidates[other]!.score - candidates[one]!.score)
  return order.slice(0, max)
}

/** The candidate forms of action in a conversation: those that the prompt shows, and those known from training. */
export function candidateForms(scene: Scene, vocabulary: Vocabulary): ReadonlySet<string> {
  return new Set([...scene.shown.keys(), ...vocabulary.said])
}
