import { printForm, readForm } from 'shaketable'
import type { Form } from '../_lessons.js'
import type { Game } from './game.js'
import type { Names } from './names.js'
import { keyOf } from './names.js'
import type { Meant } from './scene.js'

/** What a form is called in lessons: a wording may be right for one deed and wrong for another. */
export const lessonOf = ({ verb, template }: Form<string>): string => `${verb}: ${template}`

/** A deed in one form. @param spell how a name is written */
export function say({ template }: Form<string>, objects: readonly string[], spell: (key: string) => string): string {
  return printForm(template, Object.fromEntries(objects.map((key, role) => [String(role), spell(key)])))
}

/** A meaning of an action, and the form it was read by. */
export interface Understood extends Meant {
  readonly form: Form<string>
}

/** Characters of the longest name. */
const longestName = 80

/** What an action could mean: a reading by each form that fits. */
export function understand(
  game: Game,
  action: string,
  forms: readonly Form<string>[],
  { spelled }: Names,
): readonly Understood[] {
  const isName = (value: string): boolean => spelled.has(keyOf(value))
  return forms.flatMap((form) => {
    const filling = readForm(form.template, action, isName, longestName)
    const deed = filling && game.deeds.find(({ name }) => name === form.verb)
    if (filling === undefined || deed === undefined) return []
    return [{ form, deed, objects: deed.roles.map((_, role) => keyOf(filling[String(role)] ?? '')) }]
  })
}
