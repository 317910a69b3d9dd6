import { ShaketableError } from '../core/errors.js'
import type { Lens, Perturbation } from '../core/perturbation.js'
import { definePerturbation, rewordActions } from '../core/perturbation.js'
import { checkWordings, rewordForms } from '../core/wording.js'
import { drawWording, wordsOf } from './draw-wording.js'

/** Attempts to draw a wording without collisions. */
const maxDrawings = 200

/**
 * A new wording of the action forms, drawn from a thesaurus for each episode; everything else stays the same. As with
 * any perturbation, examples and lists follow the new wording, and the old one is refused. A wording in which two
 * actions would be equal is drawn again.
 */
export const varyWording: Perturbation = definePerturbation({
  name: 'vary-wording',
  summary: 'every episode words its actions in its own way',
  source: 'this testbed, after the many environments of AgentRefine’s training data',
  promise: 'invariant',
  open({ briefing: { forms }, names, random }) {
    const taken = new Set([...names, ...forms.flatMap(({ template }) => wordsOf(template)[0] ?? [])].flatMap(wordsOf))
    for (let drawing = 0; drawing < maxDrawings; drawing++) {
      const draw = drawWording(random.fork(String(drawing)), taken)
      const lens = rewordActions(Object.fromEntries(forms.map(({ template }) => [template, draw(template)])))
      if (isClear(lens, forms, names)) return lens
    }
    throw new ShaketableError(
      'perturbation',
      `No wording without collisions was found for the ${String(forms.length)} action forms in ${String(maxDrawings)} drawings. Leave --vary-wording out.`,
    )
  },
})

function isClear(lens: Lens, forms: Parameters<typeof rewordForms>[1], names: readonly string[]): boolean {
  try {
    checkWordings(rewordForms(lens, forms), names)
    return true
  } catch (thrown) {
    if (thrown instanceof ShaketableError && thrown.code === 'perturbation') return false
    throw thrown
  }
}
