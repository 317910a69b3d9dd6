import * as z from 'zod'
import type { Example } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { readForm } from '../../core/form.js'
import type { Piece, Text } from '../../core/text.js'
import { textOf } from '../../core/text.js'
import { quoteMentions } from '../quote-mentions.js'
import { readText } from '../../files/read-text.js'
import { allForms, itemNames } from './moves.js'

/** What AgentBoard's prompt file says, as data. */
export interface PromptFile {
  readonly system: string
  readonly instruction: Text
  readonly examples: readonly Example[]
  /** What could not be understood and is passed on as it stands, a sentence each. */
  readonly notes: readonly string[]
  /** Of the file's text. */
  readonly hash: string
}

const schema = z.object({ system_msg: z.string(), instruction: z.string(), examples: z.array(z.string()) })
const advice = "Give the path of AgentBoard's prompts/VanillaAgent/babyai_vanilla_prompt.json."

/**
 * Reads AgentBoard's own prompt file for BabyAI. Nothing in it is lost or corrected: what an agent lays out from it has
 * the file's own bytes.
 * @throws ShaketableError `bad-input` when it is not such a file
 */
export function readPromptFile(path: string): PromptFile {
  const text = readText('The prompt file', path, advice)
  const { system_msg: system, instruction, examples } = parse(text, path)
  const advertised = readInstruction(instruction)
  return {
    system,
    instruction: advertised.text,
    examples: examples.map(readExample),
    notes: advertised.notes,
    hash: hashOf(text, 16),
  }
}

function parse(text: string, path: string): z.infer<typeof schema> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new ShaketableError(
      'bad-input',
      `${path} is not AgentBoard's prompt file for BabyAI: it is not JSON. ${advice}`,
      { cause },
    )
  }
  const checked = schema.safeParse(json)
  if (checked.success) return checked.data
  const { path: at, message } = checked.error.issues[0]!
  throw new ShaketableError(
    'bad-input',
    `${path} is not AgentBoard's prompt file for BabyAI: ${message}${at.length === 0 ? '' : ` at '${at.join('.')}'`}. It has 'system_msg', 'instruction' and a list ` +
      `'examples'. ${advice}`,
  )
}

/** Finds the advertised forms: lines that read `- go to <obj> <id>`, up to a colon or the line's end. */
function readInstruction(instruction: string): { readonly text: Text; readonly notes: readonly string[] } {
  const text: Piece[] = []
  const notes: string[] = []
  let prose = ''
  for (const line of instruction.split(/(?<=\n)/)) {
    const quoted = /^(\s*- )([^:\n]*[^:\s])(.*)$/s.exec(line)
    const form = quoted === null ? undefined : readAdvertised(quoted[2]!)
    if (quoted !== null && form === undefined) {
      notes.push(
        `The instruction advertises '${quoted[2]!}', which is no action of this environment; it is left as it stands.`,
      )
    }
    if (quoted === null || form === undefined) {
      prose += line
      continue
    }
    text.push(prose + quoted[1]!, form)
    prose = quoted[3]!
  }
  const quoted = [...text, prose].flatMap((piece) =>
    typeof piece === 'string' ? quoteMentions(piece, templates, []) : [piece],
  )
  return { text: quoted, notes }
}

/** A form with the file's own names in its slots: `go through <door> <id>`. */
function readAdvertised(text: string): Piece | undefined {
  for (const { template } of allForms) {
    const fill = readForm(template, text, (value) => /^<\w+> <\w+>$/.test(value))
    if (fill !== undefined) return { form: template, fill }
  }
  return undefined
}

const templates = allForms.map(({ template }) => template)
const listLead = 'You can take the following actions: '

/** An example as a first observation and what followed; one that cannot be given back to the byte stays prose. */
function readExample(text: string): Example {
  const names = itemNames([text])
  const [opening = '', ...turns] = text.split(/\nAction: /)
  const exchanges = turns.map((turn, index) => {
    const [action = '', ...rest] = turn.split('\nObservation: ')
    const said = rest.join('\nObservation: ')
    return { action, observation: quoteCommandsIn(index === turns.length - 1 ? said.replace(/\n$/, '') : said, names) }
  })
  const example: Example = { opening: quoteMentions(opening, templates, names), exchanges, names }
  const laidOut = [
    opening,
    ...exchanges.flatMap(({ action, observation }) => [`Action: ${action}`, `Observation: ${textOf(observation)}`]),
  ]
  if (`${laidOut.join('\n')}\n` === text) return example
  return { opening: quoteMentions(text.replace(/\n$/, ''), templates, names), exchanges: [], names }
}

/** Lists, and what refusals say of a command: `you can't move forward`. */
function quoteCommandsIn(observation: string, names: readonly string[]): Text {
  if (!observation.startsWith(listLead)) return quoteMentions(observation, templates, names)
  return [listLead, { list: observation.slice(listLead.length).split(', ') }]
}
