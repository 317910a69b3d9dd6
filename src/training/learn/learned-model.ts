import type { Message, Model, Sampling } from '../../core/model.js'
import { createRandom } from '../../core/random.js'
import { type Weights, bestOf, candidateForms, createScorer, draw } from './choose.js'
import { layReply, readMessages } from './conversation.js'
import { look } from './features.js'
import { hashText } from './hash.js'
import type { Vocabulary } from './vocabulary.js'
import { type Item, advance, openScene } from './scene.js'

/** The number of best forms that are completed to commands, one of which is said. */
const maxLeaders = 4

/**
 * Creates a model from trained weights. Its replies depend on the messages, the temperature and the seed alone.
 */
export function createLearned(
  name: string,
  settings: Readonly<Record<string, unknown>>,
  { vocabulary, weights }: { readonly vocabulary: Vocabulary; readonly weights: Weights },
): Model {
  const scorer = createScorer(weights, false)
  const isKnown = (form: string): boolean => vocabulary.said.has(form)
  const decide = (messages: readonly Message[], { temperature, seed }: Sampling): string => {
    const conversation = readMessages(messages)
    const scene = openScene(conversation, vocabulary)
    for (const exchange of conversation.exchanges) advance(scene, exchange, vocabulary)
    const situation = look(scene, vocabulary)
    const text = messages.map(({ content }) => content).join('\n')
    const next = temperature === 0 ? () => 0 : createRandom(`${String(seed)}/${String(hashText(text))}`).next
    const items = [...scene.items.values()]
    const forms = [...candidateForms(scene, vocabulary)].filter((form) => items.length > 0 || !form.includes('{}'))
    if (forms.length === 0) return ''
    const scored = scorer.forms(forms, isKnown, situation)
    const best = bestOf(scored, maxLeaders)
    const commands = best.map((at) => {
      const form = forms[at]!
      const [start, ...pieces] = form.split('{}')
      const chosen: Item[] = []
      while (chosen.length < pieces.length) {
        const names = scorer.names(items, form, isKnown(form), chosen, situation)
        chosen.push(items[draw(names, temperature, next)]!)
      }
      return start! + pieces.map((piece, slot) => chosen[slot]!.name + piece).join('')
    })
    const bases = best.map((at) => scored[at]!.score)
    return commands[draw(scorer.commands(commands, bases, situation), temperature, next)]!
  }
  return {
    name,
    settings,
    complete: (messages, sampling) => ({ text: layReply(decide(messages, sampling), messages), finish: 'stop' }),
  }
}

/** The maximum number of steps of a weight. */
const maxSteps = 32_767

/**
 * Packs weights for a file: those that are not nearly 0, each to half a step; the largest has the maximum number of
 * steps. In base64 each has its distance to the one before it, 7 bits per byte, and its steps as two bytes.
 */
export function packWeights(weights: Weights) {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0)
  const step = largest === 0 ? 1 : largest / maxSteps
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

/** Unpacks weights. */
export function unpackWeights({ bits, step, data }: ReturnType<typeof packWeights>): Weights {
  const bytes = Buffer.from(data, 'base64')
  const weights = new Float32Array(1 << bits)
  let index = -1
  for (let at = 0; at < bytes.length; at += 2) {
    let [gap, byte] = [0, 128]
    for (let shift = 0; byte > 127; shift += 7) {
      byte = bytes[at++]!
      gap += (byte & 127) * 2 ** shift
    }
    index += gap + 1
    weights[index] = bytes.readInt16LE(at) * step
  }
  return weights
}
