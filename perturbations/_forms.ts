import type { ActionForm, Lens, Scene } from '../src/define.js'
import { createRandom } from '../src/define.js'

const kept = new WeakMap<readonly ActionForm[], Map<string, Lens>>()

/**
 * A lens that rewords a share of the action forms, as large as the intensity. Which ones is drawn by the family and the
 * draw alone, and those of a lower intensity are among those of a higher one. The same lens is given again for the same
 * forms and settings.
 * @param reword another wording with the same slots, or the template itself; it is asked for forms that are quoted but
 * not listed, too
 */
export function rewordShare(
  family: string,
  { briefing: { forms }, intensity, draw, options, environment }: Scene,
  reword: (form: ActionForm) => string,
): Lens {
  const key = JSON.stringify([family, intensity, draw, options, environment?.name])
  const lenses = kept.get(forms) ?? new Map<string, Lens>()
  kept.set(forms, lenses)
  let lens = lenses.get(key)
  if (lens !== undefined) return lens
  const changed = new Map(
    forms.flatMap((form): [string, string][] => {
      const to = isProtocol(form.template) ? form.template : reword(form)
      return to === form.template ? [] : [[form.template, to]]
    }),
  )
  const order = createRandom(`${family}/${String(draw)}`).shuffle([...changed.keys()].sort())
  const left = new Set(order.slice(Math.round(intensity * order.length)))
  const quoted = new Map<string, string>()
  lens = {
    form(template) {
      if (left.has(template) || isProtocol(template) || intensity === 0) return template
      const to = changed.get(template) ?? quoted.get(template) ?? reword({ template, meaning: '' })
      quoted.set(template, to)
      return to
    },
  }
  lenses.set(key, lens)
  return lens
}

/**
 * Whether a form is AgentBoard's command for the list of actions, which is no action of the world: environments bring
 * the list up whatever else is said with `check`.
 */
function isProtocol(template: string): boolean {
  return /^check\b/i.test(template)
}
