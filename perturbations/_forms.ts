import { type ActionForm, type Lens, type Scene, createRandom, parseTemplate } from '../src/define.js'

/**
 * The wording of a draw. Those whose verb the world knows in another sense are passed over, as a word that means
 * something is no new word; the template itself where no wording is left.
 */
export function drawWording(scene: Scene, template: string, wordings: readonly string[], draw = scene.draw): string {
  const left = wordings.filter((to) => isNew(scene, template, to))
  if (wordings[draw - 1] === undefined || left.length === 0) return template
  const chosen = wordings[draw - 1]!
  return left.includes(chosen) ? chosen : left[(draw - 1) % left.length]!
}

/** Whether a wording begins with a word that is no verb of the world, or with one of the template's own. */
function isNew(scene: Scene, template: string, to: string): boolean {
  const verb = to.trim().split(' ')[0]!.toLowerCase()
  return isFree(scene, verb) || template.toLowerCase().split(' ').includes(verb)
}

/** Whether a word can be a new verb: the world does not know it as one, as far as it tells. */
export function isFree({ knowsVerb }: Pick<Scene, 'knowsVerb'>, verb: string): boolean {
  return knowsVerb?.(verb) !== true
}

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

/** The words of a template outside of its slots, in small letters. */
export function wordsIn(template: string): readonly string[] {
  return parseTemplate(template).literals.flatMap((literal) => literal.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [])
}

/** A template with the first text between its slots that is chosen changed; the slots stay. */
export function changeLiteral(
  template: string,
  isChosen: (literal: string) => boolean,
  change: (literal: string) => string,
): string {
  const { literals, slots } = parseTemplate(template)
  const at = literals.findIndex(isChosen)
  const slotAfter = (index: number): string => (index < slots.length ? `{${slots[index]!}}` : '')
  return literals.map((literal, index) => (index === at ? change(literal) : literal) + slotAfter(index)).join('')
}
