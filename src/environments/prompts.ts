import type { z } from 'zod'
import type { Example } from '../core/environment.js'
import { ShaketableError } from '../core/errors.js'
import type { ActionForm } from '../core/form.js'
import { readForm } from '../core/form.js'
import type { Piece, Text } from '../core/text.js'
import { textOf } from '../core/text.js'
import { expectJson } from '../files/read-json.js'

/**
 * Rules as an instruction: the action forms in them become pieces, so that perturbations reach them, and forms that the
 * rules do not mention are listed below them with their meanings.
 */
export function instruct(rules: string, forms: readonly ActionForm[]): Text {
  const templates = forms.map(({ template }) => template).sort((a, b) => b.length - a.length)
  const pieces: Piece[] = []
  let prose = ''
  for (let at = 0; at < rules.length;) {
    const found = templates.find((template) => template.includes('{') && rules.startsWith(template, at))
    if (found === undefined) prose += rules[at]!
    else {
      pieces.push(prose, { form: found })
      prose = ''
    }
    at += found?.length ?? 1
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
 * Checks the text of one of AgentBoard's prompt files.
 * @param what the file, without its path: `AgentBoard's prompt file for BabyAI`
 * @param advice how to fix it, in sentences
 * @throws ShaketableError `bad-input` where it is not JSON of this schema
 */
export function parsePromptFile<T>(schema: z.ZodType<T>, text: string, path: string, what: string, advice: string): T {
  const expected = `${path} is not ${what}`
  const checked = schema.safeParse(expectJson(text, expected, advice))
  if (checked.success) return checked.data
  const { path: at, message } = checked.error.issues[0]!
  const place = at.length === 0 ? '' : ` at '${at.join('.')}'`
  throw new ShaketableError('bad-input', `${expected}: ${message}${place}. ${advice}`)
}

/** A longer line is prose. */
const maxLine = 10_000

/** A text in which some lines hold a piece between two strings; equal to the byte where the pieces are. */
export function quoteInLines(
  text: string,
  read: (line: string) => readonly [before: string, piece: Piece, after: string] | undefined,
): Piece[] {
  const pieces: Piece[] = []
  let prose = ''
  for (const line of text.split(/(?<=\n)/)) {
    const found = line.length > maxLine ? undefined : read(line)
    if (found === undefined) prose += line
    else {
      pieces.push(prose + found[0], found[1])
      prose = found[2]
    }
  }
  return [...pieces, prose].filter((piece) => piece !== '')
}

/** The form that a text is of, with names of its own in the slots; undefined where it is of none. */
export function readFilledForm(text: string, forms: readonly ActionForm[], slotName: RegExp) {
  for (const { template } of forms) {
    const fill = readForm(template, text, (value) => slotName.test(value))
    if (fill !== undefined) return { form: template, fill }
  }
  return undefined
}

/**
 * Reads a worked example in AgentBoard's layout: goal and first observation, then lines `Action: …` and
 * `Observation: …` in turn; lines with neither belong to what came before. An example that this layout cannot
 * reproduce to the byte has no exchanges and is an opening as a whole.
 * @param names items that the example mentions
 * @param quote finds the commands in its prose
 */
export function readPromptExample(text: string, names: readonly string[], quote: (prose: string) => Text): Example {
  const [opening = '', ...turns] = text.split('\nAction: ')
  const exchanges = turns.map((turn, index) => {
    const [action = '', ...rest] = turn.split('\nObservation: ')
    const observation = rest.join('\nObservation: ')
    return { action, observation: quote(index === turns.length - 1 ? observation.replace(/\n$/, '') : observation) }
  })
  const layout = exchanges.map(({ action, observation }) => `\nAction: ${action}\nObservation: ${textOf(observation)}`)
  if (exchanges.length > 0 && `${opening}${layout.join('')}\n` === text) {
    return { opening: quote(opening), exchanges, names }
  }
  return { opening: quote(text.replace(/\n$/, '')), exchanges: [], names }
}
