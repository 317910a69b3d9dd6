import type { SharedMemory } from './kernels.js'
import { createKernels, createMemory } from './kernels.js'
import { createNetwork } from './network.js'
import type { OptimizerPlaces, Side } from './optimizer.js'
import { createOptimizer, optimizerWork } from './optimizer.js'
import type { Shape } from './shape.js'
import { layParameters } from './shape.js'

/** The sequences of one side for a step, in memory that threads share. */
export interface ShardInput {
  readonly tokens: Int32Array
  readonly features: Int32Array
  /** The token after each. */
  readonly targets: Int32Array
  /** What each target counts in the loss. */
  readonly weights: Float32Array
  /** 1 where the target belongs to an action that is learned from. */
  readonly isAction: Uint8Array
  /** The lengths of the sequences, padded to multiples of 8; 0 after the last. */
  readonly lengths: Int32Array
}

/** What a side found in a step. */
export interface ShardResult {
  readonly loss: number
  readonly actions: number
  /** Actions of which every token was the most likely. */
  readonly rightActions: number
}

/** Everything that a thread needs to be one side of training. */
export interface ShardStart {
  readonly memory: SharedMemory
  readonly shape: Shape
  readonly rows: number
  readonly length: number
  readonly places: OptimizerPlaces
  readonly side: Side
  readonly input: ShardInput
}

/** The most sequences of a side in a step. */
const maxSequences = 512

/** Creates the input of a side with a number of rows. */
export function createInput(rows: number): ShardInput {
  const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)
  return {
    tokens: new Int32Array(shared(4 * rows)),
    features: new Int32Array(shared(4 * rows)),
    targets: new Int32Array(shared(4 * rows)),
    weights: new Float32Array(shared(4 * rows)),
    isAction: new Uint8Array(shared(rows)),
    lengths: new Int32Array(shared(4 * maxSequences)),
  }
}

/** The number of floats that a side needs to work. */
export function shardWork(shape: Shape, rows: number, length: number): number {
  const memory = createMemory(0)
  const parameters = layParameters(shape)
  const limits = { rows, length, isTrained: true }
  const network = createNetwork(memory, createKernels(memory), shape, parameters, { weights: 0, work: 0 }, limits)
  return network.workSize + optimizerWork(shape)
}

/** Creates one side of training: it computes gradients from its input, and updates its part of the parameters. */
export function createShard({ memory, shape, rows, length, places, side, input }: ShardStart) {
  const kernels = createKernels(memory)
  const parameters = layParameters(shape)
  const floats = new Float32Array(memory.buffer)
  const network = createNetwork(memory, kernels, shape, parameters, places, { rows, length, isTrained: true })
  const work = places.work + network.workSize
  const update = createOptimizer(memory, kernels, shape, parameters, { ...places, work }, side)
  const gradient = places.gradients[side]
  return {
    /** Computes the gradient of this side's input. */
    compute(): ShardResult {
      floats.fill(0, gradient, gradient + parameters.size)
      const sequences: { at: number; length: number }[] = []
      let count = 0
      for (const padded of input.lengths) {
        if (padded === 0) break
        sequences.push({ at: count, length: padded })
        count += padded
      }
      let [actions, rightActions, before, isRight] = [0, 0, -2, false]
      const guessed = (row: number, isHit: boolean): void => {
        if (input.isAction[row] !== 1) return
        if (row !== before + 1) {
          if (isRight) rightActions++
          actions++
          isRight = true
        }
        isRight &&= isHit
        before = row
      }
      if (count === 0) return { loss: 0, actions, rightActions }
      network.readWeights()
      const { tokens, features, targets, weights } = input
      const given = { tokens, features, count, sequences }
      network.forward(given)
      const loss = network.backward(given, targets, weights, gradient, guessed)
      return { loss, actions, rightActions: rightActions + (isRight ? 1 : 0) }
    },
    update,
  }
}
