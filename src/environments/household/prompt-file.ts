import { z } from 'zod'
import type { Example } from '../../core/environment.js'
import { ShaketableError } from '../../core/errors.js'
import type { ActionForm } from '../../core/form.js'
import { readForm } from '../../core/form.js'
import type { Piece, Text } from '../../core/text.js'
import { textOf } from '../../core/text.js'
import { itemNames } from './examples.js'
import type { TaskKind } from './scenes/goal.js'
import { taskKinds } from './scenes/goal.js'

/** What a prompt file says, as data. */
export interface PromptFile {
  readonly system: string
  readonly instruction: Text
  readonly examples: Readonly<Record<TaskKind, readonly Example[]>>
  /** What could not be understood and is passed on as it stands, a sentence each. */
  readonly notes: readonly string[]
}

const lines = z.union([z.string(), z.array(z.string())])
const schema = z.object({
  system_msg: z.string(),
  instruction: z.string(),
  examples: z.object({ put: lines, clean: lines, heat: lines, cool: lines, puttwo: lines, examine: lines }),
})

/** Under which key AgentBoard keeps the example for a kind of task. */
const exampleKeys = {
  pick_and_place_simple: 'put',
  look_at_obj_in_light: 'examine',
  pick_clean_then_place_in_recep: 'clean',
  pick_heat_then_place_in_recep: 'heat',
  pick_cool_then_place_in_recep: 'cool',
  pick_two_obj_and_place: 'puttwo',
} as const satisfies Record<TaskKind, string>

/**
 * Reads AgentBoard's own prompt file (`prompts/VanillaAgent/alfworld_base.json`) for an exact reproduction. Nothing in
 * it is lost or corrected: what an agent lays out from it has the file's own bytes.
 * @param path only for messages
 * @throws ShaketableError `bad-input` when it is not such a file
 */
export function readPromptFile(text: string, path: string, forms: readonly ActionForm[]): PromptFile {
  const { system_msg: system, instruction, examples } = parse(text, path)
  const advertised = readInstruction(instruction, forms)
  const read = taskKinds.map((kind) => {
    const key = exampleKeys[kind]
    const joined = [examples[key]].flat().join('')
    return { kind, ...readExample(joined, `Example '${key}'`) }
  })
  return {
    system,
    instruction: advertised.text,
    examples: Object.fromEntries(read.map(({ kind, example }) => [kind, [example]])) as Record<TaskKind, Example[]>,
    notes: [...advertised.notes, ...read.flatMap(({ notes }) => notes)],
  }
}

function parse(text: string, path: string): z.infer<typeof schema> {
  const expected = `${path} is not AgentBoard's prompt file for ALFWorld (prompts/VanillaAgent/alfworld_base.json)`
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new ShaketableError('bad-input', `${expected}: it is not JSON.`, { cause })
  }
  const checked = schema.safeParse(json)
  if (checked.success) return checked.data
  const issue = checked.error.issues[0]!
  const place = issue.path.length === 0 ? 'at the top' : `at '${issue.path.join('.')}'`
  throw new ShaketableError(
    'bad-input',
    `${expected}: ${issue.message} ${place}. It has 'system_msg', 'instruction', and 'examples' with put, clean, heat, cool, puttwo and examine.`,
  )
}

/** Finds the advertised forms: lines that read `- 'take {obj} from {recep}'`. */
function readInstruction(instruction: string, forms: readonly ActionForm[]): { text: Text; notes: string[] } {
  const text: Piece[] = []
  const notes: string[] = []
  let prose = ''
  for (const line of instruction.split(/(?<=\n)/)) {
    const quoted = /^(\s*- ')([^'\n]+)('.*\s*)$/s.exec(line)
    if (quoted === null) {
      if (/^\s*-/.test(line))
        notes.push(`The instruction's line '${line.trim()}' quotes no action form and is left as prose.`)
      prose += line
      continue
    }
    const form = readAdvertised(quoted[2]!, forms)
    if (form === undefined) {
      notes.push(
        `The instruction advertises '${quoted[2]!}', which is no action of this environment; it is left as it stands.`,
      )
    }
    text.push(prose + quoted[1]!, form ?? { form: quoted[2]! })
    prose = quoted[3]!
  }
  if (text.length === 0) notes.push(`The instruction advertises no action in a line such as "- 'open {recep}'".`)
  return { text: [...text, prose].filter((piece) => piece !== ''), notes }
}

/** A form in the file's own slot names: `examine {recep}/{obj}` is this environment's `examine {item}`. */
function readAdvertised(text: string, forms: readonly ActionForm[]): Piece | undefined {
  for (const { template } of forms) {
    const fill = readForm(template, text, (value) => /^\{\w+\}(?:\/\{\w+\})*$/.test(value))
    if (fill === undefined) continue
    const same = Object.entries(fill).every(([slot, value]) => value === `{${slot}}`)
    return same ? { form: template } : { form: template, fill }
  }
  return undefined
}

/**
 * Reads a worked example laid out as AgentBoard writes it: goal and first observation, then lines `Action: …` and
 * `Observation: …` in turn; lines without either belong to what came before. An example that this layout cannot give
 * back to the byte stays prose in one piece.
 */
function readExample(text: string, label: string): { readonly example: Example; readonly notes: readonly string[] } {
  const [opening = '', ...turns] = text.split(/\nAction: /)
  const exchanges = turns.map((turn, index) => {
    const [action = '', ...rest] = turn.split('\nObservation: ')
    const observation = rest.join('\nObservation: ')
    return { action, observation: [index === turns.length - 1 ? observation.replace(/\n$/, '') : observation] }
  })
  const example = { opening: [opening], exchanges, names: itemNames([text]) }
  if (exchanges.length > 0 && layOut(example) === text) return { example, notes: [] }
  const whole = { opening: [text.replace(/\n$/, '')], exchanges: [], names: itemNames([text]) }
  const inexact = text.endsWith('\n') ? '' : ', with a line break added at its end'
  const why = `${label} is not a series of 'Action: …' and 'Observation: …' lines; it is shown as prose${inexact}.`
  return { example: whole, notes: [`${why} Rewordings of actions do not reach it.`] }
}

/** An example in AgentBoard's layout. */
function layOut({ opening, exchanges }: Example): string {
  const turns = exchanges.map(({ action, observation }) => `Action: ${action}\nObservation: ${textOf(observation)}\n`)
  return `${textOf(opening)}\n${turns.join('')}`
}
