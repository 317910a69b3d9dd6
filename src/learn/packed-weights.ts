import type { Weights } from './choose.js'

/** Weights as they are kept: those that are not nearly 0, as steps of one size; text in base64. */
export interface PackedWeights {
  readonly bits: number
  /** What a step is worth. */
  readonly step: number
  /** Of each weight in turn the distance to the one before it, 7 bits a byte, then its steps as two bytes. */
  readonly data: string
}

/** The most steps of a weight. */
const mostSteps = 32_767

/** Packs weights: each to half a step, of which the largest weight has as many as there are. */
export function packWeights(weights: Weights): PackedWeights {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0)
  const step = largest === 0 ? 1 : largest / mostSteps
  const bytes: number[] = []
  let before = -1
  for (let at = 0; at < weights.length; at++) {
    const steps = Math.round(weights[at]! / step)
    if (steps === 0) continue
    let gap = at - before - 1
    before = at
    for (; gap > 127; gap >>>= 7) bytes.push((gap & 127) | 128)
    bytes.push(gap, steps & 255, (steps >> 8) & 255)
  }
  return { bits: Math.log2(weights.length), step, data: Buffer.from(bytes).toString('base64') }
}

/** Unpacks weights; undefined for bytes that are none. */
export function unpackWeights({ bits, step, data }: PackedWeights): Weights | undefined {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') !== data) return undefined
  const weights = new Float32Array(1 << bits)
  let before = -1
  for (let at = 0; at < bytes.length;) {
    let gap = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined || shift > 28) return undefined
      gap += (byte & 127) * 2 ** shift
      if (byte < 128) break
    }
    const [low, high] = [bytes[at++], bytes[at++]]
    const index = before + 1 + gap
    if (low === undefined || high === undefined || index >= weights.length) return undefined
    weights[index] = (((low | (high << 8)) << 16) >> 16) * step
    before = index
  }
  return weights
}
