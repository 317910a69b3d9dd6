import { definePerturbation, parseTemplate } from '../src/define.js'
import { rewordShare, wordsIn } from './_forms.js'
import { findWords } from './vocabulary/index.js'

/** Actions as calls of functions: the verb with named arguments. */
export default definePerturbation({
  name: 'call-syntax',
  summary: 'actions as calls: take {obj} from {recep} → take(obj={obj}, from={recep}), or as JSON objects',
  source: 'this testbed, after the comparison of tool formats in Natural Language Tools (arXiv 2510.14453)',
  promise: 'invariant',
  touches: 'action',
  graded: true,
  options: { style: ['call', 'json'] },
  open(scene) {
    const { prefix = '', equals = '=' } = findWords('calls', scene.environment) ?? {}
    const starts = scene.briefing.forms.map(({ template }) => startOf(template))
    return rewordShare('call-syntax', scene, ({ template }) => {
      const start = startOf(template)
      const { verb, slots } = partsOf(template, starts.filter((verbStart) => verbStart === start).length === 1)
      if (scene.options['style'] === 'call') {
        return `${prefix}${verb}(${slots.map(({ key, slot }) => `${key}${equals}{${slot}}`).join(', ')})`
      }
      return `{"action": "${prefix}${verb}"${slots.map(({ key, slot }) => `, "${key}": "{${slot}}"`).join('')}}`
    })
  },
})

/**
 * A template as a name and its slots. The name is the words before the first slot, or the first words that there are,
 * and a slot is named by the word before it where there is one, such as `from`. Where these words do not tell the
 * action from others, as `use hand` of several actions, the name is all words of the template. No two slots are named
 * alike.
 */
function partsOf(template: string, isTold: boolean): { verb: string; slots: readonly { key: string; slot: string }[] } {
  const { literals, slots } = parseTemplate(template)
  const words = literals.map(wordsIn)
  const start = words.findIndex((some) => some.length > 0)
  const plain = slots.map((slot) => slot.replace(/\W+/g, '_'))
  const keys = plain.map((slot, index) => (isTold && index !== start ? (words[index]!.at(-1) ?? slot) : slot))
  const name = isTold ? (words[start] ?? ['act']) : words.flat()
  return {
    verb: name.join('_'),
    slots: slots.map((slot, index) => {
      const key = keys[index]!
      return { slot, key: keys.filter((other) => other === key).length > 1 ? plain[index]! : key }
    }),
  }
}

/** The first words of a template that stand together. */
function startOf(template: string): string {
  const words = parseTemplate(template).literals.map(wordsIn)
  return words.find((some) => some.length > 0)?.join(' ') ?? ''
}
