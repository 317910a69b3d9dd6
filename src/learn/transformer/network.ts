import type { KeptAttention, Limits, Stretch } from './attention.js'
import { createAttention } from './attention.js'
import type { Kernels, SharedMemory } from './kernels.js'
import type { Parameters, Shape, Tensor } from './shape.js'

/** Sequences of tokens, one after the other. */
export interface Rows {
  readonly tokens: Int32Array
  readonly features: Int32Array
  /** Rows in all. */
  readonly count: number
  readonly sequences: readonly Stretch[]
}

/** Places in the memory, in floats. */
interface Places {
  readonly weights: number
  /** The first float that the network may use; it uses `workSize` of them. */
  readonly work: number
}

const epsilon = 1e-6
/** A decoder-only transformer on a memory. */
export interface Network {
  /** The number of floats in use. */
  readonly workSize: number
  /** Reads the weights. They have to be read again after each change. */
  readWeights(): void
  /**
   * Computes all layers. Rows before `from`, a multiple of 8, are taken from the computation before, whose tokens were
   * the same there.
   */
  forward(rows: Rows, from?: number): void
  /** The logits of the token after a row: a place in the memory. */
  logitsAt(row: number): number
  /**
   * The loss and, from a place in the memory on, its gradient, which is added.
   * @param targets the token after each row
   * @param weights what each row counts; rows of 0 are left out
   * @param guessed called with rows that count and whether the target was the most likely token
   */
  backward(
    rows: Rows,
    targets: Int32Array,
    weights: Float32Array,
    gradient: number,
    guessed: (row: number, isRight: boolean) => void,
  ): number
}

/** Packed weights of a layer, and of their transposes. */
type Packed = Readonly<
  Record<'attend' | 'gather' | 'widen' | 'narrow', { readonly at: number; readonly turned: number }>
>

/** What a layer computes, which its gradient is computed from. */
interface Kept extends KeptAttention {
  readonly input: number
  readonly attentionInput: number
  readonly attentionScale: number
  readonly middle: number
  readonly innerInput: number
  readonly innerScale: number
  readonly widened: number
  readonly squared: number
}

/** Creates a network. Its memory has to be large enough: see `workSize` of the same network. */
export function createNetwork(
  memory: SharedMemory,
  kernels: Kernels,
  shape: Shape,
  parameters: Parameters,
  places: Places,
  limits: Limits,
): Network {
  const floats = new Float32Array(memory.buffer)
  const { vocabulary, width, layers: layerCount, inner } = shape
  const { rows: maxRows, isTrained } = limits
  let top = places.work
  const take = (size: number): number => {
    const at = top
    top += Math.ceil(size / 16) * 16
    return at
  }
  const grads = (size: number): number => (isTrained ? take(size) : 0)
  const attention = createAttention(floats, kernels, shape, limits, take, grads)
  const takeKept = (): Kept => ({
    input: take(maxRows * width),
    attentionInput: take(maxRows * width),
    attentionScale: take(maxRows),
    ...attention.keep(),
    middle: take(maxRows * width),
    innerInput: take(maxRows * width),
    innerScale: take(maxRows),
    widened: take(maxRows * inner),
    squared: take(maxRows * inner),
  })
  const takePacked = ({ rows, columns }: Tensor): Packed['attend'] => ({
    at: take(rows * columns),
    turned: grads(rows * columns),
  })
  const layers = parameters.layers.map((tensors) => ({
    tensors,
    kept: takeKept(),
    packed: {
      attend: takePacked(tensors.attend),
      gather: takePacked(tensors.gather),
      widen: takePacked(tensors.widen),
      narrow: takePacked(tensors.narrow),
    } satisfies Packed,
  }))
  const last = { input: take(maxRows * width), normal: take(maxRows * width), scale: take(maxRows) }
  const packedEmbedding = { at: grads(vocabulary * width), turned: take(vocabulary * width) }
  const chosen = take((isTrained ? maxRows : 4) * width)
  const logits = take((isTrained ? maxRows : 4) * vocabulary)
  const chosenBack = grads(maxRows * width)
  const [outputBack, normalBack, gatheredBack] = [0, 1, 2].map(() => grads(maxRows * width)) as [number, number, number]
  const innerBack = grads(maxRows * inner)
  const rowsPacked = grads(maxRows * Math.max(inner, 3 * width))

  const weightOf = ({ at }: Tensor): number => places.weights + at

  function readWeights(): void {
    const pack = (tensor: Tensor, { at, turned }: Packed['attend']): void => {
      const { rows, columns } = tensor
      kernels.pack(weightOf(tensor), columns, rows, columns, at, rows * 8)
      if (isTrained) kernels.packTransposed(weightOf(tensor), columns, columns, rows, turned, columns * 8)
    }
    for (const { tensors, packed } of layers) {
      pack(tensors.attend, packed.attend)
      pack(tensors.gather, packed.gather)
      pack(tensors.widen, packed.widen)
      pack(tensors.narrow, packed.narrow)
    }
    const embedding = weightOf(parameters.embedding)
    if (isTrained) kernels.pack(embedding, width, vocabulary, width, packedEmbedding.at, vocabulary * 8)
    kernels.packTransposed(embedding, width, width, vocabulary, packedEmbedding.turned, width * 8)
  }

  /** `target = source · packed weights` for rows from `from` on. */
  function apply(target: number, source: number, packed: number, tensor: Tensor, from: number, to: number): void {
    const { rows: inner, columns } = tensor
    const [into, of] = [target + from * columns, source + from * inner]
    kernels.multiply(into, columns, of, inner, packed, inner * 8, to - from, inner, columns)
  }

  /** The gradients before a product with a tensor, and of the tensor. */
  function applyBack(
    gradient: number,
    tensor: Tensor,
    packed: Packed['attend'],
    source: number,
    sourceBack: number,
    outputGradient: number,
    count: number,
  ): void {
    const { at, rows, columns } = tensor
    kernels.multiply(sourceBack, rows, outputGradient, columns, packed.turned, columns * 8, count, columns, rows)
    addTensorGradient(gradient + at, source, rows, outputGradient, columns, count)
  }

  function addTensorGradient(at: number, source: number, rows: number, from: number, columns: number, count: number) {
    kernels.pack(from, columns, count, columns, rowsPacked, count * 8)
    kernels.multiplyTransposed(at, columns, source, rows, rowsPacked, count * 8, rows, count, columns, true)
  }

  /** Divides rows by their root mean square, times a gain. */
  function normalise(source: number, gain: number, target: number, scales: number, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      const of = source + row * width
      const into = target + row * width
      let sum = 0
      for (let at = 0; at < width; at++) sum += floats[of + at]! ** 2
      const factor = 1 / Math.sqrt(sum / width + epsilon)
      floats[scales + row] = factor
      for (let at = 0; at < width; at++) floats[into + at] = floats[of + at]! * factor * floats[gain + at]!
    }
  }

  /** Adds the gradients before {@link normalise} and of its gain. */
  function normaliseBack(
    source: number,
    gain: number,
    scales: number,
    back: number,
    sourceBack: number,
    gainBack: number,
    count: number,
  ): void {
    for (let row = 0; row < count; row++) {
      const of = source + row * width
      const from = back + row * width
      const into = sourceBack + row * width
      const factor = floats[scales + row]!
      let sum = 0
      for (let at = 0; at < width; at++) sum += floats[from + at]! * floats[gain + at]! * floats[of + at]!
      sum *= (factor * factor * factor) / width
      for (let at = 0; at < width; at++) {
        const change = floats[from + at]!
        const value = floats[of + at]!
        floats[gainBack + at]! += change * value * factor
        floats[into + at]! += change * floats[gain + at]! * factor - value * sum
      }
    }
  }

  function forward(rows: Rows, from = 0): void {
    const { tokens, features, count } = rows
    const embedding = weightOf(parameters.embedding)
    for (let row = from; row < count; row++) {
      const into = layers[0]!.kept.input + row * width
      const place = embedding + tokens[row]! * width
      floats.copyWithin(into, place, place + width)
      kernels.addTo(into, weightOf(parameters.features) + features[row]! * width, width)
    }
    layers.forEach(({ tensors, kept, packed }, index) => {
      normalise(kept.input, weightOf(tensors.attentionGain), kept.attentionInput, kept.attentionScale, from, count)
      apply(kept.unmixed, kept.attentionInput, packed.attend.at, tensors.attend, from, count)
      attention.forward(kept, weightOf(tensors.mix), rows.sequences, from)
      apply(kept.middle, kept.gathered, packed.gather.at, tensors.gather, from, count)
      kernels.addTo(kept.middle + from * width, kept.input + from * width, (count - from) * width)
      normalise(kept.middle, weightOf(tensors.innerGain), kept.innerInput, kept.innerScale, from, count)
      apply(kept.widened, kept.innerInput, packed.widen.at, tensors.widen, from, count)
      kernels.squareRelu(kept.squared + from * inner, kept.widened + from * inner, (count - from) * inner)
      const output = index + 1 < layerCount ? layers[index + 1]!.kept.input : last.input
      apply(output, kept.squared, packed.narrow.at, tensors.narrow, from, count)
      kernels.addTo(output + from * width, kept.middle + from * width, (count - from) * width)
    })
    normalise(last.input, weightOf(parameters.lastGain), last.normal, last.scale, from, count)
  }

  /** Computes the logits of rows, padded to a multiple of 4. */
  function computeLogits(rows: readonly number[]): number {
    const padded = Math.ceil(rows.length / 4) * 4
    floats.fill(0, chosen, chosen + padded * width)
    rows.forEach((row, at) => {
      floats.copyWithin(chosen + at * width, last.normal + row * width, last.normal + (row + 1) * width)
    })
    kernels.multiply(logits, vocabulary, chosen, width, packedEmbedding.turned, width * 8, padded, width, vocabulary)
    return padded
  }

  /** The loss, and its gradient after the last layer. */
  function lossBack(
    targets: Int32Array,
    weights: Float32Array,
    count: number,
    gradient: number,
    guessed: (row: number, isRight: boolean) => void,
  ): number {
    const rows = [...weights.subarray(0, count).keys()].filter((row) => weights[row]! > 0)
    const padded = computeLogits(rows)
    let loss = 0
    rows.forEach((row, at) => {
      const place = logits + at * vocabulary
      const target = place + targets[row]!
      kernels.softmax(place, vocabulary, 1)
      const right = floats[target]!
      let isRight = true
      for (let token = place; token < place + vocabulary; token++) {
        if (floats[token]! > right) isRight = false
        floats[token]! *= weights[row]!
      }
      floats[target]! -= weights[row]!
      loss -= weights[row]! * Math.log(Math.max(right, 1e-30))
      guessed(row, isRight)
    })
    floats.fill(0, logits + rows.length * vocabulary, logits + padded * vocabulary)
    const { embedding, lastGain } = parameters
    const packed = packedEmbedding.at
    kernels.multiply(chosenBack, width, logits, vocabulary, packed, vocabulary * 8, padded, vocabulary, width)
    addTensorGradient(gradient + embedding.at, logits, vocabulary, chosen, width, padded)
    floats.fill(0, normalBack, normalBack + count * width)
    rows.forEach((row, at) => {
      floats.copyWithin(normalBack + row * width, chosenBack + at * width, chosenBack + (at + 1) * width)
    })
    floats.fill(0, outputBack, outputBack + count * width)
    const gain = weightOf(lastGain)
    normaliseBack(last.input, gain, last.scale, normalBack, outputBack, gradient + lastGain.at, count)
    return loss
  }

  function backward(
    rows: Rows,
    targets: Int32Array,
    weights: Float32Array,
    gradient: number,
    guessed: (row: number, isRight: boolean) => void,
  ): number {
    const { tokens, features, count } = rows
    const loss = lossBack(targets, weights, count, gradient, guessed)
    for (const { tensors, kept, packed } of [...layers].reverse()) {
      const { attentionGain, innerGain } = tensors
      applyBack(gradient, tensors.narrow, packed.narrow, kept.squared, innerBack, outputBack, count)
      kernels.squareReluBack(innerBack, kept.widened, count * inner)
      applyBack(gradient, tensors.widen, packed.widen, kept.innerInput, normalBack, innerBack, count)
      const gain = weightOf(innerGain)
      normaliseBack(kept.middle, gain, kept.innerScale, normalBack, outputBack, gradient + innerGain.at, count)
      applyBack(gradient, tensors.gather, packed.gather, kept.gathered, gatheredBack, outputBack, count)
      const [factors, factorsBack] = [weightOf(tensors.mix), gradient + tensors.mix.at]
      const unmixedBack = attention.backward(kept, factors, factorsBack, gatheredBack, rows.sequences)
      applyBack(gradient, tensors.attend, packed.attend, kept.attentionInput, normalBack, unmixedBack, count)
      const firstGain = weightOf(attentionGain)
      const gainBack = gradient + attentionGain.at
      normaliseBack(kept.input, firstGain, kept.attentionScale, normalBack, outputBack, gainBack, count)
    }
    for (let row = 0; row < count; row++) {
      kernels.addTo(gradient + parameters.embedding.at + tokens[row]! * width, outputBack + row * width, width)
      kernels.addTo(gradient + parameters.features.at + features[row]! * width, outputBack + row * width, width)
    }
    return loss
  }

  return {
    workSize: top - places.work,
    readWeights,
    forward,
    logitsAt(row) {
      computeLogits([row])
      return logits
    },
    backward,
  }
}
