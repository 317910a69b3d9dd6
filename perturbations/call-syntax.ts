import { definePerturbation, parseTemplate } from 'shaketable'
import { rewordShare } from './_forms.js'

/** Actions as calls of functions, with the slots of their forms as named arguments. */
export default definePerturbation({
  name: 'call-syntax',
  summary: 'actions as calls: take {obj} from {recep} → take(obj={obj}, recep={recep}), or as JSON objects',
  source: 'this testbed, after the comparison of tool formats in Natural Language Tools (arXiv 2510.14453)',
  promise: 'invariant',
  graded: true,
  options: { style: ['call', 'json'] },
  open(scene) {
    const isJson = scene.options['style'] === 'json'
    return rewordShare('call-syntax', scene, ({ template }) => asCall(template, isJson))
  },
})

function asCall(template: string, isJson: boolean): string {
  const { literals, slots } = parseTemplate(template)
  const words = literals.join(' ').match(/[\p{L}\p{N}-]+/gu) ?? []
  if (words.length === 0) return template
  const name = words.join('_').replaceAll('-', '_').toLowerCase()
  const keys = slots.map((slot) => slot.replace(/\W+/g, '_'))
  if (!isJson) return `${name}(${slots.map((slot, index) => `${keys[index]!}={${slot}}`).join(', ')})`
  return `{"action": "${name}"${slots.map((slot, index) => `, "${keys[index]!}": "{${slot}}"`).join('')}}`
}
