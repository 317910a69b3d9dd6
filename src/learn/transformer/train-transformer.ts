import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Random } from '../../core/random.js'
import type { Conversation } from '../conversation.js'
import { createMemory } from './kernels.js'
import type { Sequence } from './sequence.js'
import { createEncoder, featuresOf, maxTokens, textsOf } from './sequence.js'
import type { Shape } from './shape.js'
import { layParameters, shapeFor, startParameters } from './shape.js'
import type { ShardInput, ShardResult, ShardStart } from './shard.js'
import { createInput, createShard, shardWork } from './shard.js'
import type { ShardOrder } from './shard-worker.js'
import type { TokenizerData } from './tokenizer.js'
import { createTokenizer, learnTokenizer } from './tokenizer.js'
import { varyNames } from './vary.js'

/** Options of {@link trainTransformer}. */
interface TransformerOptions {
  readonly epochs: number
  readonly random: Random
  /** Threads to compute on; the result does not depend on it. */
  readonly threads?: 1 | 2
  /** Sizes other than those of {@link shapeFor}. */
  readonly shape?: Partial<Shape>
  /** Called after each epoch with the share of actions that were predicted before they were learned from. */
  readonly epoch?: (number: number, accuracy: number) => void
}

/** A trained transformer. */
export interface Transformer {
  readonly shape: Shape
  readonly tokenizer: TokenizerData
  readonly weights: Float32Array
}

/** Result of training. */
export interface TrainedTransformer extends Transformer {
  /** Actions and tokens learned from in all epochs. */
  readonly actions: number
  readonly tokens: number
  /** Share of the actions of the last epoch that were predicted before they were learned from. */
  readonly accuracy: number
}

/** The least and most tokens of a step, which the last sequence may exceed, and how many steps there should be. */
const [leastTokens, mostTokens, fewestSteps] = [256, 2048, 1000]
const highestRate = 0.005
/** Steps over which the learning rate rises to the highest; then it falls to 0. */
const warmSteps = 50

/**
 * Trains a transformer on conversations. Each step's sequences are divided between two sides, whose gradients are added
 * in the same order for any number of threads, so that equal data and random numbers give equal weights.
 */
export async function trainTransformer(
  conversations: readonly Conversation[],
  { epochs, random, threads = 1, shape: given = {}, epoch }: TransformerOptions,
): Promise<TrainedTransformer> {
  const data = learnTokenizer(conversations.flatMap(textsOf))
  const tokenizer = createTokenizer(data)
  const encode = createEncoder(tokenizer)
  const encoded = conversations.map(encode)
  const learnable = conversations.filter((_, at) => encoded[at]!.weights.includes(1))
  const total = epochs * encoded.reduce((sum, sequence) => sum + sequence.tokens.length, 0)
  const stepTokens = Math.min(mostTokens, Math.max(leastTokens, total / fewestSteps))
  const shape = { ...shapeFor(tokenizer.size), ...given }
  const { memory, starts, size } = layMemory(shape, threads)
  const weights = new Float32Array(memory.buffer, 0, size)
  startParameters(weights, layParameters(shape), random.fork('weights'))
  const sides = startSides(starts, threads)
  const all = learnable.length * epochs
  let [steps, rows, actions, tokens, accuracy] = [0, 0, 0, 0, 0]
  try {
    for (let number = 1; number <= epochs; number++) {
      let [count, right] = [0, 0]
      const chance = random.fork(`epoch ${String(number)}`)
      const varied = chance.shuffle(learnable).map((row) => encode(varyNames(row, data.nouns, chance)))
      for (const step of stepsOf(varied, stepTokens)) {
        divide(step, starts)
        for (const result of await sides.compute()) {
          count += result.actions
          right += result.rightActions
        }
        tokens += step.reduce((sum, sequence) => sum + sequence.tokens.length, 0)
        rows += step.length
        steps++
        await sides.update(highestRate * Math.min(1, steps / warmSteps, 1 - (rows - step.length) / all))
      }
      actions += count
      accuracy = count === 0 ? 0 : right / count
      epoch?.(number, accuracy)
    }
  } finally {
    await sides.close()
  }
  return { shape, tokenizer: data, weights: weights.slice(), actions, tokens, accuracy }
}

const toEight = (count: number): number => Math.ceil(count / 8) * 8

/** Cuts a list of sequences into steps. */
function* stepsOf(sequences: readonly Sequence[], stepTokens: number): Generator<readonly Sequence[]> {
  let step: Sequence[] = []
  let count = 0
  for (const sequence of sequences) {
    step.push(sequence)
    count += toEight(sequence.tokens.length)
    if (count < stepTokens) continue
    yield step
    step = []
    count = 0
  }
  if (step.length > 0) yield step
}

/** Divides a step's sequences between two sides, the longest first, and writes them to their inputs. */
function divide(step: readonly Sequence[], starts: readonly ShardStart[]): void {
  const weight = step.reduce((sum, { weights }) => weights.reduce((total, one) => total + one, sum), 0)
  const counts = starts.map(() => ({ rows: 0, sequences: 0 }))
  for (const sequence of [...step].sort((one, other) => other.tokens.length - one.tokens.length)) {
    const side = counts[0]!.rows <= counts[1]!.rows ? 0 : 1
    const count = counts[side]!
    write(sequence, starts[side]!.input, count.rows, weight)
    const padded = toEight(sequence.tokens.length)
    starts[side]!.input.lengths[count.sequences++] = padded
    count.rows += padded
  }
  counts.forEach(({ sequences }, side) => (starts[side]!.input.lengths[sequences] = 0))
}

/** Writes a sequence to rows of an input. The last token has no target. */
function write({ tokens, weights }: Sequence, input: ShardInput, from: number, total: number): void {
  const features = featuresOf(tokens)
  for (let at = 0; at < toEight(tokens.length); at++) {
    const isLast = at + 1 >= tokens.length
    input.tokens[from + at] = tokens[at] ?? 0
    input.features[from + at] = features[at] ?? 0
    input.targets[from + at] = tokens[at + 1] ?? 0
    input.weights[from + at] = isLast ? 0 : weights[at]! / total
    input.isAction[from + at] = !isLast && weights[at] === 1 ? 1 : 0
  }
}

/** Lays out the memory: weights, gradients of both sides, moments, then what each thread works with. */
function layMemory(shape: Shape, threads: number) {
  const { size } = layParameters(shape)
  const length = maxTokens
  const rows = mostTokens / 2 + length
  const work = shardWork(shape, rows, length)
  const rounded = Math.ceil(size / 16) * 16
  const memory = createMemory(5 * rounded + threads * work)
  const starts = ([0, 1] as const).map((side): ShardStart => {
    const places = {
      weights: 0,
      gradients: [rounded, 2 * rounded] as const,
      moments: 3 * rounded,
      work: 5 * rounded + (threads === 2 ? side * work : 0),
    }
    return { memory, shape, rows, length, places, side, input: createInput(rows) }
  })
  return { memory, starts, size }
}

/** Starts both sides, the second in a thread of its own if there are two. */
function startSides([one, other]: readonly ShardStart[], threads: 1 | 2) {
  const here = createShard(one!)
  if (threads === 1) {
    const second = createShard(other!)
    return {
      compute: (): readonly ShardResult[] => [here.compute(), second.compute()],
      update(rate: number): void {
        here.update(rate)
        second.update(rate)
      },
      close: () => undefined,
    }
  }
  const worker = new Worker(new URL('./shard-worker.js', import.meta.url), { workerData: other })
  const ask = async (order: ShardOrder): Promise<unknown> => {
    const answer = once(worker, 'message')
    worker.postMessage(order)
    return ((await answer) as readonly unknown[])[0]
  }
  return {
    async compute(): Promise<readonly ShardResult[]> {
      const answer = ask('compute')
      const result = here.compute()
      return [result, (await answer) as ShardResult]
    },
    async update(rate: number): Promise<void> {
      const answer = ask({ rate })
      here.update(rate)
      await answer
    },
    close: () => worker.terminate(),
  }
}
