import PQueue from 'p-queue'
import * as z from 'zod'
import type { AddressOptions, Address } from './address.js'
import { readAddress } from './address.js'
import { createAsk } from './ask.js'
import type { EndpointError } from './call-error.js'
import { createFetch } from './fetch.js'
import { describeBadReply } from './refusals.js'
import { joinSignals } from './signals.js'

/** Texts in one call; an answer of as many vectors of several thousand numbers is within the bounds of a body. */
const batchSize = 32
const maxDimensions = 16_384
const timeoutMs = 120_000
const maxRetries = 5

type Vectors = readonly (readonly number[])[]

const answer = z.object({
  data: z.array(
    z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()).min(1).max(maxDimensions) }),
  ),
})

/**
 * Creates a function that gets the embeddings of texts from an OpenAI-compatible `/embeddings`, in batches, with the
 * limits, retries and bounds of all calls to models. Vectors come in the order of the texts and have one length.
 * @throws ShaketableError `usage` for an unusable address or key
 */
export function createEmbedder({
  concurrency = 4,
  ...options
}: AddressOptions & { readonly concurrency?: number }): (
  texts: readonly string[],
  signal?: AbortSignal,
) => Promise<Vectors> {
  const address = readAddress(options)
  const { model } = address
  return async (texts, signal) => {
    const { fetch, close } = createFetch({ maxSockets: concurrency })
    const failed = joinSignals(signal)
    const ask = createAsk(address, fetch, { maxRetries, timeoutMs, signal: failed.signal })
    const batches = Array.from({ length: Math.ceil(texts.length / batchSize) }, (_, index) => {
      const input = texts.slice(index * batchSize, (index + 1) * batchSize)
      return () => ask('/embeddings', (json) => readVectors(json, input.length, address), { model, input })
    })
    try {
      const vectors = (await new PQueue({ concurrency }).addAll(batches)).flat()
      const lengths = [...new Set(vectors.map(({ length }) => length))]
      if (lengths.length < 2) return vectors
      throw unusable(`vectors of ${lengths.slice(0, 3).join(' and of ')} numbers, expected one length`, address)
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
function readVectors(json: unknown, expected: number, address: Address): Vectors {
  const read = answer.safeParse(json)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    throw unusable(`no list of embeddings: at '${path.join('.') || 'its top'}', ${message}`, address)
  }
  const { data } = read.data
  const vectors = new Map(data.map(({ index, embedding }, place) => [index ?? place, embedding]))
  const list = Array.from({ length: expected }, (_, place) => vectors.get(place)).filter((one) => one !== undefined)
  if (list.length < expected || data.length !== expected) {
    const counts = `${String(data.length)} embeddings of ${String(list.length)} texts`
    throw unusable(`${counts}, expected one for each of ${String(expected)}`, address)
  }
  if (list.some((vector) => vector.every((value) => value === 0))) {
    throw unusable('an embedding of zeros alone, which has no direction', address)
  }
  return list
}

/** An answer that would be as useless if it were asked for again. */
function unusable(what: string, address: Address): EndpointError {
  return describeBadReply(what, address).with({ retryable: false })
}
