import type { Random } from '../../core/random.js'
import { featureCount } from './sequence.js'

/** Sizes of a transformer. */
export interface Shape {
  /** Tokens, a multiple of 8. */
  readonly vocabulary: number
  /** Numbers for a token between layers. */
  readonly width: number
  readonly layers: number
  readonly heads: number
  /** Numbers for a token inside a layer. */
  readonly inner: number
}

/** The sizes for a vocabulary: about half a million parameters. */
export const shapeFor = (tokens: number): Shape => ({
  vocabulary: Math.ceil(tokens / 8) * 8,
  width: 128,
  layers: 3,
  heads: 4,
  inner: 256,
})

/** The tokens that queries, keys and values are mixed from: a token and those before it. */
export const mixed = 3

/** A matrix or vector of parameters; `at` counts floats from the first parameter. */
export interface Tensor {
  readonly at: number
  readonly rows: number
  readonly columns: number
  readonly kind: 'embedding' | 'gain' | 'mix' | 'input' | 'output'
}

/** The tensors of a layer, in the order in which they are used. */
export interface Layer {
  readonly attentionGain: Tensor
  /** Queries, keys and values. */
  readonly attend: Tensor
  readonly mix: Tensor
  readonly gather: Tensor
  readonly innerGain: Tensor
  readonly widen: Tensor
  readonly narrow: Tensor
}

/** The places of all parameters. */
export interface Parameters {
  readonly embedding: Tensor
  /** Added to the embedding of tokens, by their features. */
  readonly features: Tensor
  readonly layers: readonly Layer[]
  readonly lastGain: Tensor
  readonly all: readonly Tensor[]
  /** The number of parameters. */
  readonly size: number
}

/** Lays out the parameters of a shape. */
export function layParameters({ vocabulary, width, layers, inner }: Shape): Parameters {
  const all: Tensor[] = []
  let size = 0
  const add = (kind: Tensor['kind'], rows: number, columns: number): Tensor => {
    const tensor = { at: size, rows, columns, kind }
    all.push(tensor)
    size += rows * columns
    return tensor
  }
  const embedding = add('embedding', vocabulary, width)
  const features = add('embedding', featureCount, width)
  const each = Array.from({ length: layers }, () => ({
    attentionGain: add('gain', 1, width),
    attend: add('input', width, 3 * width),
    mix: add('mix', mixed, 3 * width),
    gather: add('output', width, width),
    innerGain: add('gain', 1, width),
    widen: add('input', width, inner),
    narrow: add('output', inner, width),
  }))
  return { embedding, features, layers: each, lastGain: add('gain', 1, width), all, size }
}

/** Fills the parameters with their first values. */
export function startParameters(weights: Float32Array, { all, layers }: Parameters, random: Random): void {
  // The sum of three uniform numbers is near enough to normal, and has no logarithm that could differ by machine.
  const normal = (): number => 2 * (random.next() + random.next() + random.next() - 1.5)
  const value = ({ kind, rows, columns }: Tensor, index: number): number => {
    if (kind === 'gain') return 1
    if (kind === 'mix') return index < columns ? 1 : 0
    if (kind === 'embedding') return normal() * 0.05
    return normal() / Math.sqrt(kind === 'input' ? rows : rows * 2 * layers.length)
  }
  for (const tensor of all) {
    for (let index = 0; index < tensor.rows * tensor.columns; index++) weights[tensor.at + index] = value(tensor, index)
  }
}
