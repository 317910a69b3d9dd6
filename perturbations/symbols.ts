import { type ActionForm, createRandom, definePerturbation, parseTemplate } from '../src/define.js'
import { rewordShare } from './_forms.js'
import { addGlossary } from './_glossary.js'

/** Symbols in place of words: the prompt says what each does, and its name says nothing. */
export default definePerturbation({
  name: 'symbols',
  summary:
    'symbols in place of the words of actions, with their meaning: take {obj} from {recep} → act_03 {obj} , {recep}',
  source: 'this testbed, after PIPE (arXiv 2602.01611)',
  promise: 'invariant',
  touches: 'action',
  graded: true,
  draws: Infinity,
  open(scene) {
    const { forms } = scene.briefing
    const numbers = createRandom(`symbols/${String(scene.draw)}`).shuffle([...forms.keys()])
    const names = new Map(
      forms.map(({ template }, index) => [template, `act_${String(numbers[index]! + 1).padStart(2, '0')}`]),
    )
    const symbolOf = ({ template }: ActionForm): string => {
      const name = names.get(template)
      const slots = parseTemplate(template).slots.map((slot) => `{${slot}}`)
      return name === undefined ? template : [name, slots.join(' , ')].filter((part) => part !== '').join(' ')
    }
    return addGlossary(scene, rewordShare('symbols', scene, symbolOf))
  },
})
