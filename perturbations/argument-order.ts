import { definePerturbation, parseTemplate } from '../src/define.js'
import { rewordShare } from './_forms.js'
import { findWords } from './vocabulary/index.js'

/**
 * What an action is done to stands before its verb, or in the order that the environment's vocabulary has. Other forms
 * are reordered only if a word stands between their items: without one both orders could be said, and would mean
 * different actions.
 */
export default definePerturbation({
  name: 'argument-order',
  summary: 'items in another order: take {obj} from {recep} → from {recep} take {obj}',
  source: 'AgentRefine (ICLR 2025), figure 2, panel b, for every action with two items',
  promise: 'invariant',
  touches: 'action',
  graded: true,
  open(scene) {
    const orders = findWords('orders', scene.environment) ?? {}
    return rewordShare('argument-order', scene, ({ template }) => orders[template] ?? reorder(template))
  },
})

/** `verb {a} word {b} …` as `word {b} … verb {a}`; the template itself where it has no such parts. */
function reorder(template: string): string {
  const { literals, slots } = parseTemplate(template)
  const [verb, word] = [literals[0]!.trim(), literals[1]?.trim()]
  if (verb === '' || word === undefined || word === '' || slots.length < 2) return template
  const rest = template.slice(template.indexOf(`{${slots[0]!}}`) + slots[0]!.length + 2).trim()
  return `${rest} ${verb} {${slots[0]!}}`
}
