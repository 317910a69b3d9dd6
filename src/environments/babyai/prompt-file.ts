import * as z from 'zod'
import type { Example } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import type { Text } from '../../core/text.js'
import { readText } from '../../files/read-text.js'
import { parsePromptFile, quoteInLines, readFilledForm, readPromptExample } from '../prompts.js'
import { quoteMentions } from '../quote-mentions.js'
import { allForms, itemNames } from './moves.js'

/** AgentBoard's prompt file as data. */
export interface PromptFile {
  readonly system: string
  readonly instruction: Text
  readonly examples: readonly Example[]
  /** What could not be parsed and is passed on unchanged, one sentence each. */
  readonly notes: readonly string[]
  /** Hash of the file's text. */
  readonly hash: string
}

const schema = z.object({ system_msg: z.string(), instruction: z.string(), examples: z.array(z.string()) })
const advice = "Give the path of AgentBoard's prompts/VanillaAgent/babyai_vanilla_prompt.json."

/**
 * Reads AgentBoard's own prompt file for BabyAI. An agent lays it out to the byte: nothing is lost or corrected.
 * @throws ShaketableError `bad-input` if it is not such a file
 */
export function readPromptFile(path: string): PromptFile {
  const text = readText('The prompt file', path, advice)
  const parts = `It has 'system_msg', 'instruction' and a list 'examples'. ${advice}`
  const file = parsePromptFile(schema, text, path, "AgentBoard's prompt file for BabyAI", parts)
  return {
    system: file.system_msg,
    ...readInstruction(file.instruction),
    examples: file.examples.map((example) => {
      const names = itemNames([example])
      return readPromptExample(example, names, (prose) => quoteCommandsIn(prose, names))
    }),
    hash: hashOf(text, 16),
  }
}

/** Finds the advertised forms: lines that read `- go to <obj> <id>`, up to a colon or the line's end. */
function readInstruction(text: string): Pick<PromptFile, 'instruction' | 'notes'> {
  const notes: string[] = []
  const pieces = quoteInLines(text, (line) => {
    const quoted = /^(\s*- )([^:\n]*[^:\s])(.*)$/s.exec(line)
    if (quoted === null) return undefined
    // A form has the file's own names in its slots: `go through <door> <id>`.
    const form = readFilledForm(quoted[2]!, allForms, /^<\w+> <\w+>$/)
    if (form !== undefined) return [quoted[1]!, form, quoted[3]!]
    notes.push(
      `The instruction advertises '${quoted[2]!}', which is no action of this environment; it is left as it stands.`,
    )
    return undefined
  })
  const instruction = pieces.flatMap((piece) =>
    typeof piece === 'string' ? quoteMentions(piece, templates, []) : [piece],
  )
  return { instruction, notes }
}

const templates = allForms.map(({ template }) => template)
const listLead = 'You can take the following actions: '

/** Lists of actions, and commands that refusals mention: `you can't move forward`. */
function quoteCommandsIn(prose: string, names: readonly string[]): Text {
  if (!prose.startsWith(listLead)) return quoteMentions(prose, templates, names)
  return [listLead, { list: prose.slice(listLead.length).split(', ') }]
}
