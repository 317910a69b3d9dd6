import * as z from 'zod'
import type { Completion, Model } from '../core/model.js'
import { createRandom } from '../core/random.js'
import type { AddressOptions, Address } from './address.js'
import { readAddress } from './address.js'
import { withCircuit } from './circuit.js'
import { describeBadReply } from './classify.js'
import { withDeadline } from './deadline.js'
import { readErrorBody } from './error-body.js'
import { EndpointError } from './endpoint-error.js'
import type { Fetch } from './fetch.js'
import { readFrames } from './frames.js'
import { withLimit } from './limit.js'
import { usualRetry, withRetry } from './retry.js'
import { createServer } from './server.js'
import { createWire } from './wire.js'

/** Options of {@link createEmbedder}. */
export interface EmbedderOptions extends AddressOptions {
  /** Calls at once. Default 4. */
  readonly concurrency?: number
  /** For one attempt. Default two minutes. */
  readonly timeoutMs?: number
  /** Attempts in all where calls break off. Default 6. */
  readonly attempts?: number
  /** The wait before the second attempt; it doubles from there. */
  readonly firstWaitMs?: number
}

/** Texts in one call; an answer of as many vectors of several thousand numbers is within the bounds of a body. */
const batchSize = 32
const maxDimensions = 16_384

const answer = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()) })),
})

/**
 * Creates a function that gets the embeddings of texts from an OpenAI-compatible `/embeddings`, in batches, with the
 * limits, retries and bounds of all calls to models. Vectors come in the order of the texts and have one length.
 * @throws ShaketableError `usage` for an unusable address or key
 */
export function createEmbedder(
  options: EmbedderOptions,
): (texts: readonly string[], signal?: AbortSignal) => Promise<readonly (readonly number[])[]> {
  const { concurrency = 4, timeoutMs = 120_000, attempts = usualRetry.attempts } = options
  const address = readAddress(options)
  return async (texts, signal = new AbortController().signal) => {
    const server = createServer({ concurrency })
    const { limiter } = server
    const clock = (): number => performance.now()
    const attempt = withLimit(withDeadline(embedding(address, server.fetch), timeoutMs, clock, limiter), limiter, clock)
    const { firstWaitMs = usualRetry.firstWaitMs } = options
    const random = createRandom(`waits for ${address.model}`)
    const model = withCircuit(withRetry(attempt, { ...usualRetry, attempts, firstWaitMs, random }), server.circuit)
    const failed = new AbortController()
    const sampling = { ...unsampled, signal: AbortSignal.any([signal, failed.signal]) }
    const ask = async (batch: readonly string[]): Promise<readonly (readonly number[])[]> => {
      const messages = batch.map((content) => ({ role: 'user', content }) as const)
      const { text } = await model.complete(messages, sampling)
      return JSON.parse(text) as number[][]
    }
    try {
      const batches = Array.from({ length: Math.ceil(texts.length / batchSize) }, (_, index) =>
        texts.slice(index * batchSize, (index + 1) * batchSize),
      )
      const vectors = (await Promise.all(batches.map(ask))).flat()
      const other = vectors.find(({ length }) => length !== vectors[0]!.length)
      if (other === undefined) return vectors
      const lengths = `${String(vectors[0]!.length)} and of ${String(other.length)} numbers`
      throw unusable(`vectors of ${lengths}, expected one length`, address)
    } catch (thrown) {
      failed.abort(thrown)
      throw thrown
    } finally {
      server.close()
    }
  }
}

const unsampled = { temperature: 0, seed: 0, maxTokens: 0, stop: [] } as const

/** One attempt as a model, so that the wrappers of models apply: messages are texts, and the reply is their vectors. */
function embedding(address: Address, fetch: Fetch): Model {
  const wire = createWire(address, fetch)
  return {
    name: address.model,
    settings: {},
    async complete(messages, { signal }): Promise<Completion> {
      const input = messages.map(({ content }) => content)
      const { text } = await wire('/embeddings', { model: address.model, input }, signal)
      const json = readFrames(text)
      const failure = readErrorBody(json, address)
      if (failure !== undefined) throw failure
      return { text: JSON.stringify(readVectors(json, input.length, address)) }
    },
  }
}

/** The vectors of an answer, by their index where they have one. */
function readVectors(json: unknown, expected: number, address: Address): readonly (readonly number[])[] {
  const read = answer.safeParse(json)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    throw unusable(`no list of embeddings: at '${path.join('.') || 'its top'}', ${message}`, address)
  }
  const { data } = read.data
  const vectors = new Map(data.map(({ index }, place) => [index ?? place, data[place]!.embedding]))
  const list = Array.from({ length: expected }, (_, place) => vectors.get(place)).filter((one) => one !== undefined)
  if (list.length < expected || data.length !== expected) {
    throw unusable(
      `${String(data.length)} embeddings of ${String(list.length)} texts, expected one for each of ${String(expected)}`,
      address,
    )
  }
  const wrong = list.find(({ length }) => length === 0 || length > maxDimensions || length !== list[0]!.length)
  if (wrong !== undefined) {
    throw unusable(
      `an embedding of ${String(wrong.length)} numbers beside one of ${String(list[0]!.length)}, expected one length from 1 to ${String(maxDimensions)}`,
      address,
    )
  }
  if (list.some((vector) => vector.every((value) => value === 0))) {
    throw unusable('an embedding of zeros alone, which has no direction', address)
  }
  return list
}

/** An answer that would be as useless if it were asked for again. */
function unusable(what: string, address: Address): EndpointError {
  const { message, failure } = describeBadReply(what, address)
  return new EndpointError('model', message, { ...failure, retryable: false })
}
