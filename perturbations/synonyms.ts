import { definePerturbation, parseTemplate } from '../src/define.js'
import { changeLiteral, drawWording, rewordShare } from './_forms.js'
import { wordsOf } from './vocabulary/index.js'

/** Other words for actions with the same meaning. Where a form was reworded below, its verb alone is replaced. */
export default definePerturbation({
  name: 'synonyms',
  summary: 'other words for actions: take {obj} from {recep} → grab {obj} from {recep}',
  source: "this testbed, after PIPE (arXiv 2602.01611) and AgentRefine's perturbations 1 and 2",
  promise: 'invariant',
  touches: 'action',
  graded: true,
  draws: 5,
  open(scene) {
    const actions = wordsOf('synonyms', 'actions', scene)
    return rewordShare('synonyms', scene, ({ template, origin = template }) => {
      const wording = drawWording(scene, origin, actions[origin] ?? [])
      if (wording === origin || origin === template) return wording === origin ? template : wording
      const [from, to] = [origin, wording].map((template) => parseTemplate(template).literals[0]!.trim()) as [
        string,
        string,
      ]
      return from === '' ? template : replaceWord(template, from, to)
    })
  },
})

/** Replaces words that stand by themselves outside of slots, once. */
function replaceWord(template: string, from: string, to: string): string {
  return changeLiteral(
    template,
    (literal) => ` ${literal} `.includes(` ${from} `),
    (literal) => ` ${literal} `.replace(` ${from} `, ` ${to} `).slice(1, -1),
  )
}
