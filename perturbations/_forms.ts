import type { ActionForm, Lens, Scene } from '../src/define.js'
import { createRandom } from '../src/define.js'

/**
 * A lens that rewords a share of the action forms, as large as the intensity. Which ones is drawn by the family and the
 * draw alone, and those of a lower intensity are among those of a higher one.
 * @param reword another wording with the same slots, or the template itself; it is asked for forms that are quoted but
 * not listed, too
 */
export function rewordShare(
  family: string,
  { briefing: { forms }, intensity, draw }: Scene,
  reword: (form: ActionForm) => string,
): Lens {
  const changed = new Map(
    forms.flatMap((form): [string, string][] => {
      const to = isProtocol(form.template) ? form.template : reword(form)
      return to === form.template ? [] : [[form.template, to]]
    }),
  )
  const order = createRandom(`${family}/${String(draw)}`).shuffle([...changed.keys()].sort())
  const left = new Set(order.slice(Math.round(intensity * order.length)))
  const quoted = new Map<string, string>()
  return {
    form(template) {
      if (left.has(template) || isProtocol(template) || intensity === 0) return template
      const to = changed.get(template) ?? quoted.get(template) ?? reword({ template, meaning: '' })
      quoted.set(template, to)
      return to
    },
  }
}

/**
 * Whether a form is AgentBoard's command for the list of actions, which is no action of the world: environments bring
 * the list up whatever else is said with `check`.
 */
function isProtocol(template: string): boolean {
  return /^check\b/i.test(template)
}
