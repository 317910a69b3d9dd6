import * as z from 'zod'
import { ShaketableError } from '../core/errors.js'
import { type ActionForm, readForm } from '../core/form.js'
import type { Piece, Text } from '../core/text.js'
import { expectJson } from '../files/read-json.js'

/** Action forms as data files have them: a template with its meaning, a line each. */
export const formList = z
  .record(z.string(), z.string())
  .transform((forms): readonly ActionForm[] =>
    Object.entries(forms).map(([template, meaning]) => ({ template, meaning })),
  )

/**
 * Rules as an instruction: the action forms in them become pieces, so that perturbations reach them, and forms that the
 * rules do not mention are listed below them with their meanings.
 */
export function instruct(rules: string, forms: readonly ActionForm[]): Text {
  const templates = forms.map(({ template }) => template).sort((a, b) => b.length - a.length)
  const pieces: Piece[] = []
  let prose = ''
  for (let at = 0; at < rules.length;) {
    const matching = templates.find((template) => template.includes('{') && rules.startsWith(template, at))
    if (matching === undefined) prose += rules[at]!
    else {
      pieces.push(prose, { form: matching })
      prose = ''
    }
    at += matching?.length ?? 1
  }
  pieces.push(prose)
  const missing = forms.filter(
    ({ template }) => !pieces.some((piece) => typeof piece !== 'string' && 'form' in piece && piece.form === template),
  )
  if (missing.length > 0) pieces.push(rules === '' ? 'You can do this:\n' : '\n\nYou can do this:\n')
  for (const { template, meaning } of missing) pieces.push("- '", { form: template }, `': ${meaning}\n`)
  return pieces.filter((piece) => piece !== '')
}

/**
 * Checks data of a user.
 * @param where what is wrong, the beginning of a sentence
 * @param advice how to fix it, in sentences
 * @throws ShaketableError `bad-input` where it does not fit the schema
 */
export function expectShape<T>(schema: z.ZodType<T>, value: unknown, where: string, advice: string): T {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  const { path, message } = checked.error.issues[0]!
  const place = path.length === 0 ? '' : ` at '${path.join('.')}'`
  throw new ShaketableError('bad-input', `${where}: ${message}${place}. ${advice}`)
}

/** Checks the text of one of AgentBoard's prompt files, `what` without its path. @throws as {@link expectShape} */
export function parsePromptFile<T>(schema: z.ZodType<T>, text: string, path: string, what: string, advice: string): T {
  const expected = `${path} is not ${what}`
  return expectShape(schema, expectJson(text, expected, advice), expected, advice)
}

/** A longer match is prose. */
const maxLine = 10_000

/**
 * A text in which action forms are pieces; equal to the byte where the pieces are.
 * @param pattern matches what stands before a form and the form, each in a group
 * @param read the piece of a form; undefined leaves it as prose. Without the groups it gets the whole match
 */
export function quoteForms(
  text: string,
  pattern: RegExp,
  read: (form: string | undefined, match: string) => Piece | undefined,
): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { index, 0: match, 1: before = '', 2: form } of text.matchAll(pattern)) {
    const piece = match.length > maxLine ? undefined : read(form, match)
    if (piece === undefined) continue
    pieces.push(text.slice(from, index + before.length), piece)
    from = index + match.length
  }
  return [...pieces, text.slice(from)].filter((piece) => piece !== '')
}

/** The form that a text is of, with names of its own in the slots; undefined where it is of none. */
export function readFilledForm(text: string, forms: readonly ActionForm[], slotName: RegExp): Piece | undefined {
  for (const { template } of forms) {
    const fill = readForm(template, text, (value) => slotName.test(value))
    if (fill !== undefined) return template === text ? { form: template } : { form: template, fill }
  }
  return undefined
}
