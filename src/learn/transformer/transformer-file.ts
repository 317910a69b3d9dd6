import { z } from 'zod'
import type { ModelFormat } from '../model-file.js'
import { madeShape, maxModelBytes, printModelFile } from '../model-file.js'
import type { Parameters, Shape } from './shape.js'
import { layParameters } from './shape.js'
import { isTokenizer, maxMerges, maxNouns, tokenCount } from './tokenizer.js'
import { createTransformerModel } from './transformer-model.js'
import type { Transformer } from './train-transformer.js'

const maxParameters = 3_000_000
/** The maximum number of steps of a weight. */
const maxSteps = 32_767

const token = z.int().min(0).max(65_535)
const body = z.strictObject({
  made: madeShape.extend({ kind: z.literal('transformer') }),
  shape: z.strictObject({
    vocabulary: z.int().min(8).max(8192),
    width: z.int().min(16).max(512),
    layers: z.int().min(1).max(12),
    heads: z.int().min(1).max(32),
    inner: z.int().min(8).max(2048),
  }),
  tokenizer: z.strictObject({
    nouns: z.array(z.string().min(1).max(40)).max(maxNouns),
    merges: z.array(z.tuple([token, token])).max(maxMerges),
    kept: z.array(token).max(maxMerges),
  }),
  /** For each tensor the size of a step. */
  steps: z.array(z.number().positive().max(1e6)).max(200),
  /** All weights in steps of their tensor, as two bytes each, in base64. */
  weights: z.string().max(maxModelBytes),
})
type Body = z.infer<typeof body>

/** The file of a transformer. */
export const transformerFormat: ModelFormat<Body> = {
  name: 'shaketable-transformer',
  version: 1,
  body,
  create({ shape, tokenizer, steps, weights: packed }, name, settings) {
    if (!isTokenizer(tokenizer) || !isShape(shape, tokenCount(tokenizer))) return undefined
    const weights = unpack(layParameters(shape), steps, packed)
    return weights && createTransformerModel(name, settings, { shape, tokenizer, weights })
  },
}

/** Whether a network can have these sizes. */
function isShape(shape: Shape, tokens: number): boolean {
  const { vocabulary, width, heads, inner } = shape
  const isWhole = vocabulary % 8 === 0 && inner % 8 === 0 && width % (8 * heads) === 0
  return isWhole && tokens <= vocabulary && layParameters(shape).size <= maxParameters
}

/** The text of a transformer's file; equal models give equal bytes. Weights are rounded to two bytes. */
export function printTransformer({ shape, tokenizer, weights }: Transformer, made: Omit<Body['made'], 'kind'>): string {
  const { all, size } = layParameters(shape)
  const bytes = Buffer.alloc(2 * size)
  const steps = all.map(({ at, rows, columns }) => {
    const values = weights.subarray(at, at + rows * columns)
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const step = largest === 0 ? 1 : largest / maxSteps
    values.forEach((value, index) => bytes.writeInt16LE(Math.round(value / step), 2 * (at + index)))
    return step
  })
  const { nouns, merges, kept } = tokenizer
  return printModelFile(transformerFormat, {
    made: { kind: 'transformer', ...made },
    shape,
    tokenizer: { nouns: [...nouns], merges: merges.map(([a, b]) => [a, b]), kept: [...kept] },
    steps,
    weights: bytes.toString('base64'),
  })
}

/** @returns undefined for invalid bytes */
function unpack({ all, size }: Parameters, steps: readonly number[], packed: string): Float32Array | undefined {
  const bytes = Buffer.from(packed, 'base64')
  if (bytes.toString('base64') !== packed || bytes.length !== 2 * size || steps.length !== all.length) return undefined
  const weights = new Float32Array(size)
  all.forEach(({ at, rows, columns }, tensor) => {
    for (let index = at; index < at + rows * columns; index++) {
      weights[index] = bytes.readInt16LE(2 * index) * steps[tensor]!
    }
  })
  return weights
}
