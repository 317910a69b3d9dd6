import { definePerturbation, parseTemplate } from 'shaketable'
import { rewordShare } from './_forms.js'
import { findWords } from './vocabulary/index.js'

/** Actions as calls of functions: the verb with named arguments. */
export default definePerturbation({
  name: 'call-syntax',
  summary: 'actions as calls: take {obj} from {recep} → take(obj={obj}, from={recep}), or as JSON objects',
  source: 'this testbed, after the comparison of tool formats in Natural Language Tools (arXiv 2510.14453)',
  promise: 'invariant',
  graded: true,
  options: { style: ['call', 'json'] },
  open(scene) {
    const { prefix = '', equals = '=' } = findWords('calls', scene.environment) ?? {}
    return rewordShare('call-syntax', scene, ({ template }) => {
      const { verb, slots } = partsOf(template)
      if (scene.options['style'] === 'call') {
        return `${prefix}${verb}(${slots.map(({ key, slot }) => `${key}${equals}{${slot}}`).join(', ')})`
      }
      return `{"action": "${prefix}${verb}"${slots.map(({ key, slot }) => `, "${key}": "{${slot}}"`).join('')}}`
    })
  },
})

/**
 * The words of a template before its first slot, or the first words that it has, as a name; and its slots, named by the
 * word before them where there is one, such as `from`, and no two alike.
 */
function partsOf(template: string): { verb: string; slots: readonly { key: string; slot: string }[] } {
  const { literals, slots } = parseTemplate(template)
  const wordsIn = (literal: string): readonly string[] => literal.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? []
  const start = literals.findIndex((literal) => wordsIn(literal).length > 0)
  const keys = slots.map((slot, index) => {
    const word = index === start ? undefined : wordsIn(literals[index]!).at(-1)
    return word ?? slot.replace(/\W+/g, '_')
  })
  return {
    verb: wordsIn(literals[start] ?? 'act').join('_'),
    slots: slots.map((slot, index) => {
      const key = keys[index]!
      return { slot, key: keys.filter((one) => one === key).length > 1 ? slot.replace(/\W+/g, '_') : key }
    }),
  }
}
