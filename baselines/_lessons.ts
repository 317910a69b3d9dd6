/** An action form whose meaning is known, with slots of the skill's own. */
export interface Form<Verb extends string> {
  readonly verb: Verb
  readonly template: string
}

/** What the history has taught about wordings, by template. */
export interface Lessons<Verb extends string> {
  readonly learned: readonly Form<Verb>[]
  readonly accepted: readonly string[]
  /** Refused, and never accepted. */
  readonly refused: readonly string[]
}

/** What is known before anything was tried. */
export const noLessons = { learned: [], accepted: [], refused: [] } as const

/** Remembers that a wording was understood. */
export function accept<Verb extends string>(lessons: Lessons<Verb>, template: string): Lessons<Verb> {
  if (lessons.accepted.includes(template)) return lessons
  const refused = lessons.refused.filter((one) => one !== template)
  return { ...lessons, accepted: [...lessons.accepted, template], refused }
}

/** Remembers a wording that was found out by trying. */
export function discover<Verb extends string>(lessons: Lessons<Verb>, form: Form<Verb>): Lessons<Verb> {
  return accept({ ...lessons, learned: [...lessons.learned, form] }, form.template)
}

/** Remembers that a wording was refused. */
export function doubt<Verb extends string>(lessons: Lessons<Verb>, template: string): Lessons<Verb> {
  if (lessons.refused.includes(template)) return lessons
  return { ...lessons, refused: [...lessons.refused, template] }
}

/** Where a name stands in a text and ends there: `drawer 1` is not in `drawer 10`. */
export function findWhole(text: string, name: string): number {
  const at = text.indexOf(name)
  return at === -1 || /^[a-z0-9]/i.test(text.slice(at + name.length, at + name.length + 1)) ? -1 : at
}
