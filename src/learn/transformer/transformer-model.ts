import type { Message, Model, Sampling } from '../../core/model.js'
import { createRandom } from '../../core/random.js'
import { layReply, readMessages } from '../conversation.js'
import { hashText } from '../hash.js'
import { createKernels, createMemory } from './kernels.js'
import { createNetwork } from './network.js'
import { createEncoder, featuresOf, maxActionTokens, maxTokens } from './sequence.js'
import { layParameters } from './shape.js'
import { createTokenizer, marks, markCount } from './tokenizer.js'
import type { Transformer } from './train-transformer.js'

const toEight = (count: number): number => Math.ceil(count / 8) * 8

/**
 * Creates a model that plays with a transformer. Its replies depend on the messages, the temperature and the seed
 * alone. What it computed for a conversation is reused for one that begins with the same tokens, with equal results.
 */
export function createTransformerModel(
  name: string,
  settings: Readonly<Record<string, unknown>>,
  { shape, tokenizer: data, weights }: Transformer,
): Model {
  const tokenizer = createTokenizer(data)
  const encode = createEncoder(tokenizer)
  const next = createPredictor({ shape, weights })
  const say = (messages: readonly Message[], { temperature, seed }: Sampling): string => {
    const asked = [...encode(readMessages(messages)).tokens, marks.action]
    const random = createRandom(
      `${String(seed)}/${String(hashText(messages.map(({ content }) => content).join('\n')))}`,
    )
    const said: number[] = []
    while (said.length < maxActionTokens) {
      const logits = next([...asked, ...said]).subarray(0, tokenizer.size)
      const token = temperature === 0 ? likeliest(logits) : draw(logits, temperature, random.next())
      if (token < markCount) break
      said.push(token)
    }
    return tokenizer.decode(said).trim().split('\n', 1)[0]!
  }
  return {
    name,
    settings,
    complete: (messages, sampling) => ({ text: layReply(say(messages, sampling), messages), finish: 'stop' }),
  }
}

/** Creates a function that gives the logits of the token after a sequence. They are valid until the next call. */
function createPredictor({ shape, weights }: Pick<Transformer, 'shape' | 'weights'>) {
  const parameters = layParameters(shape)
  const limits = { rows: maxTokens, length: maxTokens, isTrained: false }
  const places = { weights: 0, work: Math.ceil(parameters.size / 16) * 16 }
  const create = (size: number) => {
    const memory = createMemory(size)
    const network = createNetwork(memory, createKernels(memory), shape, parameters, places, limits)
    return { floats: new Float32Array(memory.buffer), network }
  }
  const { floats, network } = create(places.work + create(0).network.workSize)
  floats.set(weights)
  network.readWeights()
  const [tokens, features] = [new Int32Array(maxTokens), new Int32Array(maxTokens)]
  let before: readonly number[] = []
  return (sequence: readonly number[]): Float32Array => {
    const changed = sequence.findIndex((token, at) => token !== before[at])
    const same = changed === -1 ? sequence.length - 1 : changed
    before = sequence
    tokens.set(sequence)
    tokens.fill(0, sequence.length)
    features.set(featuresOf(sequence))
    const count = toEight(sequence.length)
    network.forward({ tokens, features, count, sequences: [{ at: 0, length: count }] }, Math.floor(same / 8) * 8)
    const place = network.logitsAt(sequence.length - 1)
    return floats.subarray(place, place + shape.vocabulary)
  }
}

function likeliest(logits: Float32Array): number {
  let best = 0
  logits.forEach((logit, token) => {
    if (logit > logits[best]!) best = token
  })
  return best
}

/** Draws a token. @param chance a number in [0, 1) */
function draw(logits: Float32Array, temperature: number, chance: number): number {
  const most = logits[likeliest(logits)]!
  const weights = Array.from(logits, (logit) => Math.exp((logit - most) / temperature))
  let rest = chance * weights.reduce((sum, weight) => sum + weight, 0)
  const token = weights.findIndex((weight) => (rest -= weight) < 0)
  return token === -1 ? likeliest(logits) : token
}
