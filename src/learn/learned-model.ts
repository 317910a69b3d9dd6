import type { Message, Model, Sampling } from '../core/model.js'
import { createRandom } from '../core/random.js'
import { candidateForms, createScorer, draw, fillForm } from './choose.js'
import type { Choice, Weights } from './choose.js'
import { layReply, readMessages } from './conversation.js'
import { look } from './features.js'
import { hashText } from './hash.js'
import type { Vocabulary } from './vocabulary.js'
import type { Item } from './scene.js'
import { advance, openScene } from './scene.js'
import type { ShownForm } from './shown.js'
import { readShown } from './shown.js'

/** So many forms are made into whole commands, of which one is said. */
const maxLeaders = 4

/**
 * A trained model at play: text in, text out. What it says depends on the messages, the temperature and the seed alone.
 */
export function createLearned(
  name: string,
  settings: Readonly<Record<string, unknown>>,
  { vocabulary, weights }: { readonly vocabulary: Vocabulary; readonly weights: Weights },
): Model {
  const scorer = createScorer(weights, false)
  const heads = new Map<string, ReadonlyMap<string, ShownForm>>()
  const shownIn = (head: string): ReadonlyMap<string, ShownForm> => {
    const known = heads.get(head) ?? readShown(head, vocabulary)
    if (heads.size > 64) heads.clear()
    heads.set(head, known)
    return known
  }
  const decide = (messages: readonly Message[], { temperature, seed }: Sampling): string => {
    const conversation = readMessages(messages)
    const scene = openScene(conversation, vocabulary, shownIn(conversation.head))
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

/** Places of the best candidates, the best first. */
function leaders({ scores, count }: Choice, most: number): readonly number[] {
  const places = Array.from({ length: count }, (_, at) => at)
  return places.sort((one, other) => scores[other]! - scores[one]! || one - other).slice(0, most)
}
