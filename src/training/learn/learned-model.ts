import type { Message, Model, Sampling } from '../../core/model.js'
import { createRandom } from '../../core/random.js'
import { candidateForms, createScorer, draw, fillForm } from './choose.js'
import type { Choice, Weights } from './choose.js'
import { layReply, readMessages } from './conversation.js'
import { look } from './features.js'
import { hashText } from './hash.js'
import type { Vocabulary } from './vocabulary.js'
import type { Item } from './scene.js'
import { advance, openScene } from './scene.js'

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
  const decide = (messages: readonly Message[], { temperature, seed }: Sampling): string => {
    const conversation = readMessages(messages)
    const scene = openScene(conversation, vocabulary)
    for (const exchange of conversation.exchanges) advance(scene, exchange, vocabulary)
    const situation = look(scene, vocabulary)
    const next =
      temperature === 0
        ? () => 0
        : createRandom(`${String(seed)}/${String(hashText(messages.map(({ content }) => content).join('\n')))}`).next
    const items = [...scene.items.values()]
    const forms = [...candidateForms(scene, vocabulary)].filter((form) => items.length > 0 || !form.includes('{}'))
    if (forms.length === 0) return ''
    const isKnown = (form: string): boolean => vocabulary.said.has(form)
    scorer.forms(forms, isKnown, situation)
    const best = leaders(scorer.choice, maxLeaders)
    const scores = best.map((at) => scorer.choice.scores[at]!)
    const commands = best.map((at) => {
      const form = forms[at]!
      const chosen: Item[] = []
      for (let slot = form.split('{}').length - 1; slot > 0; slot--) {
        scorer.names(items, form, isKnown(form), chosen, situation)
        chosen.push(items[draw(scorer.choice, temperature, next)]!)
      }
      return fillForm(form, chosen)
    })
    scorer.commands(commands, scores, situation)
    return commands[draw(scorer.choice, temperature, next)]!
  }
  return {
    name,
    settings,
    complete: (messages, sampling) => ({ text: layReply(decide(messages, sampling), messages), finish: 'stop' }),
  }
}

/** Indices of the best candidates, the best first. */
function leaders({ scores, count }: Choice, max: number): readonly number[] {
  const places = Array.from({ length: count }, (_, at) => at)
  return places.sort((one, other) => scores[other]! - scores[one]! || one - other).slice(0, max)
}

/** Weights in a file: those that are not nearly 0, as multiples of one step, in base64. */
interface PackedWeights {
  readonly bits: number
  /** Size of a step. */
  readonly step: number
  /** For each weight its distance to the one before it, 7 bits per byte, then its steps as two bytes. */
  readonly data: string
}

/** The maximum number of steps of a weight. */
const maxSteps = 32_767

/** Packs weights, each to half a step; the largest weight has the maximum number of steps. */
export function packWeights(weights: Weights): PackedWeights {
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

/** Unpacks weights; undefined for invalid bytes. */
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
