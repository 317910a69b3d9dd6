import type { Message, Model, Sampling } from '../core/model.js'
import { createRandom } from '../core/random.js'
import { candidateForms } from './candidates.js'
import type { Weights } from './choose.js'
import { createScorer, draw } from './choose.js'
import { readMessages } from './conversation.js'
import { look } from './features.js'
import { hashText } from './hash.js'
import type { Lore } from './lore.js'
import type { Item } from './scene.js'
import { advance, openScene } from './scene.js'
import type { ShownForm } from './shown.js'
import { readShown } from './shown.js'

/** A trained model at play: text in, text out. What it says depends on the messages, the temperature and the seed alone. */
export function createLearned(
  name: string,
  settings: Readonly<Record<string, unknown>>,
  { lore, weights }: { readonly lore: Lore; readonly weights: Weights },
): Model {
  const scorer = createScorer(weights, false)
  const heads = new Map<string, ReadonlyMap<string, ShownForm>>()
  const shownIn = (head: string): ReadonlyMap<string, ShownForm> => {
    const known = heads.get(head) ?? readShown(head, lore)
    if (heads.size > 64) heads.clear()
    heads.set(head, known)
    return known
  }
  const decide = (messages: readonly Message[], { temperature, seed }: Sampling): string => {
    const conversation = readMessages(messages)
    const scene = openScene(conversation, lore, shownIn(conversation.head))
    for (const exchange of conversation.exchanges) advance(scene, exchange, lore)
    const situation = look(scene, lore)
    const next =
      temperature === 0
        ? () => 0
        : createRandom(`${String(seed)}/${String(hashText(messages.map(({ content }) => content).join('\n')))}`).next
    const items = [...scene.items.values()]
    const forms = [...candidateForms(scene, lore)].filter((form) => items.length > 0 || !form.includes('{}'))
    if (forms.length === 0) return ''
    scorer.scoreForms(forms, (form) => lore.said.get(form) ?? 0, situation)
    const form = forms[draw(scorer.choice, temperature, next)]!
    const chosen: Item[] = []
    const pieces = form.split('{}')
    let action = pieces[0]!
    for (const piece of pieces.slice(1)) {
      scorer.scoreNames(items, form, chosen, situation)
      const item = items[draw(scorer.choice, temperature, next)]!
      chosen.push(item)
      action += item.name + piece
    }
    return action
  }
  return {
    name,
    settings,
    complete: (messages, sampling) => ({ text: decide(messages, sampling), finish: 'stop' }),
  }
}
