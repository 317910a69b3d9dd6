import { definePerturbation } from '../src/define.js'
import { rewordShare } from './_forms.js'
import { wordsOf } from './vocabulary/index.js'

/**
 * Actions that have each other's words, as the prompt says: `open` closes, and `close` opens. A name contradicts its
 * meaning, so this never enters an average.
 */
export default definePerturbation({
  name: 'swapped-verbs',
  summary: 'pairs of actions have each other’s words: open {recep} ↔ close {recep}',
  source: 'this testbed, after the heavy noise of RoTBench (arXiv 2401.08326)',
  promise: 'harder',
  touches: 'action',
  adversarial: true,
  open(scene) {
    const others = new Map(
      wordsOf('swapped-verbs', 'swaps', scene).flatMap(([one, other]) => [
        [one, other],
        [other, one],
      ]),
    )
    const here = new Set(scene.briefing.forms.map(({ template }) => template))
    return rewordShare('swapped-verbs', scene, ({ template }) => {
      const other = others.get(template)
      return other !== undefined && here.has(other) ? other : template
    })
  },
})
