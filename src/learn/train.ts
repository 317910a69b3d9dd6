import type { Random } from '../core/random.js'
import { candidateForms } from './candidates.js'
import type { Choice, Scorer, Weights } from './choose.js'
import { createScorer, softmax } from './choose.js'
import type { Conversation } from './conversation.js'
import { look } from './features.js'
import type { Lore } from './lore.js'
import { gatherLore } from './lore.js'
import { cutNames, findNames } from './names.js'
import type { Item, Scene } from './scene.js'
import { advance, openScene } from './scene.js'

/** How a model is trained. */
export interface TrainOptions {
  readonly epochs: number
  /** How far a weight is moved at first; 0.1 unless given. */
  readonly rate?: number
  readonly random: Random
  /** Hears of each epoch: the share of actions that were given most weight before they were learned from. */
  readonly epoch?: (number: number, accuracy: number) => void
}

/** What training made. */
export interface Trained {
  readonly lore: Lore
  readonly weights: Weights
  /** Share of the actions of the last epoch that were given most weight before they were learned from. */
  readonly accuracy: number
  /** Actions that were learned from, and those that could not be told from the conversation. */
  readonly learned: number
  readonly passedOver: number
}

/** log2 of how many weights there are. */
export const weightBits = 20
const mostForms = 32
const mostNames = 24

/** Learns which form of action comes next and which names stand in it: a softmax over candidates for each, AdaGrad over hashed features. */
export function train(conversations: readonly Conversation[], options: TrainOptions): Trained {
  const lore = gatherLore(conversations)
  const { random, epochs, rate = 0.1 } = options
  const weights = new Float32Array(1 << weightBits)
  const squares = new Float32Array(1 << weightBits)
  const scorer = createScorer(weights, true)
  const chances = new Float64Array(1100)
  let accuracy = 0
  let learned = 0
  let passedOver = 0

  /** @returns whether the right candidate was the best */
  const learn = (choice: Choice, right: number): boolean => {
    softmax(choice, 1, chances)
    let best = 0
    for (let at = 1; at < choice.count; at++) if (choice.scores[at]! > choice.scores[best]!) best = at
    for (let at = 0; at < choice.count; at++) {
      const slope = chances[at]! - (at === right ? 1 : 0)
      if (Math.abs(slope) < 1e-3) continue
      const square = slope * slope
      const end = choice.starts[at + 1]!
      for (let place = choice.starts[at]!; place < end; place++) {
        const index = choice.places[place]!
        const sum = (squares[index]! += square)
        weights[index]! -= (rate * slope) / Math.sqrt(sum + 1)
      }
    }
    return best === right
  }

  for (let epoch = 1; epoch <= epochs; epoch++) {
    let right = 0
    learned = 0
    passedOver = 0
    for (const { conversation, own } of random.shuffle(
      conversations.map((one) => ({ conversation: one, own: formsOf(one, lore) })),
    )) {
      const scene = openScene(conversation, lore)
      for (const exchange of conversation.exchanges) {
        if (exchange.loss) {
          const isRight = learnAction(scene, exchange.action, own, { lore, scorer, learn, random })
          if (isRight === undefined) passedOver++
          else learned++
          if (isRight) right++
        }
        advance(scene, exchange, lore)
      }
    }
    accuracy = learned === 0 ? 0 : right / learned
    options.epoch?.(epoch, accuracy)
  }
  return { lore, weights, accuracy, learned, passedOver }
}

interface Learning {
  readonly lore: Lore
  readonly scorer: Scorer
  readonly learn: (choice: Choice, right: number) => boolean
  readonly random: Random
}

/** @returns whether form and names were the best before they were learned; undefined where they are no candidates */
function learnAction(
  scene: Scene,
  action: string,
  own: ReadonlySet<string>,
  { lore, scorer, learn, random }: Learning,
): boolean | undefined {
  const mentions = findNames(action, lore)
  const form = cutNames(action, mentions)
  const names = mentions.map(({ text }) => scene.items.get(text))
  const rowsOf = (one: string): number => (lore.said.get(one) ?? 0) - (own.has(one) ? 1 : 0)
  if (!scene.shown.has(form) && !lore.said.has(form)) return undefined
  if (names.includes(undefined)) return undefined
  const others = [...candidateForms(scene, lore)].filter(
    (one) => one !== form && (scene.shown.has(one) || rowsOf(one) > 0),
  )
  const situation = look(scene, lore)
  const forms = [form, ...some(others, mostForms, random)]
  scorer.scoreForms(forms, rowsOf, situation)
  let isRight = learn(scorer.choice, 0)
  const chosen: Item[] = []
  for (const name of names as Item[]) {
    const rest = [...scene.items.values()].filter((one) => one !== name)
    scorer.scoreNames([name, ...some(rest, mostNames, random)], form, chosen, situation)
    isRight = learn(scorer.choice, 0) && isRight
    chosen.push(name)
  }
  return isRight
}

function some<T>(list: T[], most: number, random: Random): readonly T[] {
  for (let at = 0; at < list.length && at < most; at++) {
    const other = at + random.int(list.length - at)
    const kept = list[at]!
    list[at] = list[other]!
    list[other] = kept
  }
  return list.length > most ? list.slice(0, most) : list
}

function formsOf({ exchanges }: Conversation, lore: Lore): ReadonlySet<string> {
  return new Set(exchanges.filter(({ loss }) => loss).map(({ action }) => cutNames(action, findNames(action, lore))))
}
