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

/** What an action means, read by the first form that fits. */
export function understand(
  game: Game,
  action: string,
  forms: readonly Form<string>[],
  { spelled }: Names,
): (Meant & { readonly form: Form<string> }) | undefined {
  const longest = 80
  for (const form of forms) {
    const filling = readForm(form.template, action, (value) => spelled.has(keyOf(value)), longest)
    const deed = filling && game.deeds.find(({ name }) => name === form.verb)
    if (filling === undefined || deed === undefined) continue
    return { form, deed, objects: deed.roles.map((_, role) => keyOf(filling[String(role)] ?? '')) }
  }
  return undefined
}
