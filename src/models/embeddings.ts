import PQueue from 'p-queue'
import * as z from 'zod'
import { createRandom } from '../core/random.js'
import type { AddressOptions, Address } from './address.js'
import { readAddress } from './address.js'
import { createAsk } from './ask.js'
import { describeBadReply } from './refusals.js'
import { EndpointError } from './endpoint-error.js'
import { createFetch } from './fetch.js'
import { usualRetry } from './retry.js'
import { joinSignals } from './signals.js'

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
  const { firstWaitMs = usualRetry.firstWaitMs } = options
  const address = readAddress(options)
  const { model } = address
  return async (texts, signal) => {
    const { fetch, close } = createFetch({ maxSockets: concurrency })
    const places = new PQueue({ concurrency })
    const failed = joinSignals(signal)
    const random = createRandom(`waits for ${model}`)
    const ask = createAsk(address, fetch, {
      ...usualRetry,
      ...{ attempts, firstWaitMs, random, timeoutMs, signal: failed.signal },
    })
    const embed = (input: readonly string[]): Promise<readonly (readonly number[])[]> =>
      ask('/embeddings', (json) => readVectors(json, input.length, address), { model, input })
    try {
      const batches = Array.from({ length: Math.ceil(texts.length / batchSize) }, (_, index) =>
        texts.slice(index * batchSize, (index + 1) * batchSize),
      )
      const vectors = (await places.addAll(batches.map((batch) => () => embed(batch)))).flat()
      const other = vectors.find(({ length }) => length !== vectors[0]!.length)
      if (other === undefined) return vectors
      const lengths = `${String(vectors[0]!.length)} and of ${String(other.length)} numbers`
      throw unusable(`vectors of ${lengths}, expected one length`, address)
    } catch (thrown) {
      failed.abort(thrown)
      throw thrown
    } finally {
      failed.release()
      close()
    }
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
