import type { Random } from '../../core/random.js'
import { type Candidate, type Weights, candidateForms, createScorer, softmax } from './choose.js'
import type { Conversation } from './conversation.js'
import { look } from './features.js'
import { type Vocabulary, cutNames, findNames, gatherVocabulary } from './vocabulary.js'
import { type Item, type Scene, advance, openScene } from './scene.js'

/** Options of {@link train}. */
interface TrainOptions {
  readonly epochs: number
  readonly random: Random
  /** Learning rate of features read off the prompt, relative to that of memorised ones; 1 for equal rates. */
  readonly reading?: number
  /** Called after each epoch with the share of actions that were predicted before they were learned from. */
  readonly epoch?: (number: number, accuracy: number) => void
}

/** log2 of the number of weights. */
const weightBits = 18
const maxForms = 20
const maxNames = 14
const maxCommands = 8
/** An action with more names is skipped. */
const maxSlots = 8
/** A candidate with a smaller gradient is not updated. */
const minSlope = 0.005
/** Initial learning rate. */
const rate = 0.02
const defaultReading = 0.25

/**
 * Learns which form of action comes next, which names fill it, and which commands not to repeat: a softmax over
 * candidates for each.
 */
export function train(conversations: readonly Conversation[], options: TrainOptions) {
  const vocabulary = gatherVocabulary(conversations)
  const weights = new Float32Array(1 << weightBits)
  const learner = createLearner(weights, vocabulary, options)
  /** Share of the actions of the last epoch that were predicted before they were learned from. */
  let accuracy = 0
  /** Numbers of actions that were learned from, and of those that cannot be derived from the conversation. */
  let [learned, passedOver] = [0, 0]
  for (let epoch = 1; epoch <= options.epochs; epoch++) {
    let right = 0
    learned = 0
    passedOver = 0
    for (const conversation of options.random.shuffle(conversations)) {
      const scene = openScene(conversation, vocabulary)
      for (const exchange of conversation.exchanges) {
        const isRight = exchange.loss ? learner(scene, exchange.action) : undefined
        if (isRight !== undefined) learned++
        else if (exchange.loss) passedOver++
        if (isRight === true) right++
        advance(scene, exchange, vocabulary)
      }
    }
    accuracy = learned === 0 ? 0 : right / learned
    options.epoch?.(epoch, accuracy)
  }
  return { vocabulary, weights, accuracy, learned, passedOver }
}

/** See {@link train}. */
export type Trained = ReturnType<typeof train>

/**
 * Creates a function that learns from an action. It returns whether the action was predicted, or undefined if the
 * action cannot be derived from the conversation.
 */
function createLearner(
  weights: Weights,
  vocabulary: Vocabulary,
  { random, reading = defaultReading }: TrainOptions,
): (scene: Scene, action: string) => boolean | undefined {
  const squares = new Float32Array(weights.length)
  const scorer = createScorer(weights, true)
  const isKnown = (form: string): boolean => vocabulary.said.has(form)

  /** Learns that the first candidate is right. @returns whether it was better than every other; a tie does not count */
  const learnFirst = (candidates: readonly Candidate[]): boolean => {
    for (const [at, probability] of softmax(candidates, 1).entries()) {
      const slope = probability - (at === 0 ? 1 : 0)
      if (Math.abs(slope) > minSlope) move(candidates[at]!, slope)
    }
    const [first, ...others] = candidates
    return others.every(({ score }) => score < first!.score)
  }
  /** Moves the weights of a candidate against its gradient, less after larger earlier gradients (AdaGrad). */
  const move = ({ places }: Candidate, slope: number): void => {
    const square = slope * slope
    for (const stored of places) {
      const place = stored < 0 ? -1 - stored : stored
      const sum = (squares[place]! += square)
      weights[place]! -= ((stored < 0 ? rate * reading : rate) * slope) / Math.sqrt(sum + 1)
    }
  }
  return (scene, action) => {
    const mentions = findNames(action, vocabulary)
    const form = cutNames(action, mentions)
    const names = mentions.flatMap(({ text }) => scene.items.get(text) ?? [])
    if (names.length < mentions.length || names.length > maxSlots || !(scene.shown.has(form) || isKnown(form)))
      return undefined
    const situation = look(scene, vocabulary)
    const others = [...candidateForms(scene, vocabulary)].filter((candidateForm) => candidateForm !== form)
    const forms = [form, ...some(others, maxForms, random)]
    const scored = scorer.forms(forms, isKnown, situation)
    const scores = new Map(forms.map((form, index) => [form, scored[index]!.score]))
    let isRight = learnFirst(scored)
    const recent = [...scene.commands].filter(([command]) => command !== action).slice(-maxCommands)
    const bases = recent.map(([, { form: one }]) => scores.get(one) ?? -Infinity)
    const commands = [action, ...recent.map(([command]) => command)]
    learnFirst(scorer.commands(commands, [scores.get(form)!, ...bases], situation))
    const chosen: Item[] = []
    for (const name of names) {
      const rest = [...scene.items.values()].filter((item) => item !== name)
      const items = [name, ...some(rest, maxNames, random)]
      isRight = learnFirst(scorer.names(items, form, isKnown(form), chosen, situation)) && isRight
      chosen.push(name)
    }
    return isRight
  }
}

/** A random sample of at most `max` elements; reorders the list. */
function some<T>(list: T[], max: number, random: Random): readonly T[] {
  if (list.length <= max) return list
  for (let at = 0; at < max; at++) {
    const other = at + random.int(list.length - at)
    ;[list[at], list[other]] = [list[other]!, list[at]!]
  }
  return list.slice(0, max)
}
