import * as z from 'zod'
import type { Example } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import type { ActionForm } from '../../core/form.js'
import { readForm } from '../../core/form.js'
import type { Text } from '../../core/text.js'
import { textOf } from '../../core/text.js'
import { readText } from '../../files/read-text.js'
import { parsePromptFile, quoteInLines, readPromptExample } from '../prompts.js'
import { quoteMentions } from '../quote-mentions.js'
import { allForms, checkAction, isCheck } from './forms.js'

/** AgentBoard's prompt file as data. */
export interface PromptFile {
  readonly system: string
  readonly instruction: Text
  readonly examples: readonly Example[]
  /** The advertised forms as the file writes them, which is with a capital letter. */
  readonly forms: readonly ActionForm[]
  /** Hash of the file's text. */
  readonly hash: string
}

const schema = z.object({ system_msg: z.string(), instruction: z.string(), examples: z.array(z.string()) })
const advice = "Give the path of AgentBoard's prompts/VanillaAgent/jericho_vanilla_prompt.json."
const templates = [...allForms.map(({ template }) => template), 'put down {obj}']

/**
 * Reads AgentBoard's own prompt file for Jericho. An agent lays it out to the byte: nothing is lost or corrected.
 * @throws ShaketableError `bad-input` if it is not such a file
 */
export function readPromptFile(path: string): PromptFile {
  const text = readText('The prompt file', path, advice)
  const parts = `It has 'system_msg', 'instruction' and a list 'examples'. ${advice}`
  const file = parsePromptFile(schema, text, path, "AgentBoard's prompt file for Jericho", parts)
  const forms: ActionForm[] = []
  const pieces = quoteInLines(file.instruction, (line) => {
    // Lines read `Take <obj>: pickup obj`, with a form of one thing or none.
    const [, before, said, after] = /^(\s*)([A-Z][^:<\n]*(?:<[^>\n]*>)?)(.*)$/s.exec(line) ?? []
    if (said === undefined) return undefined
    const [slot] = /<[^>]*>/.exec(said) ?? []
    const template = slot === undefined ? said : said.replace(slot, '{obj}')
    if (!templates.includes(template.toLowerCase())) return undefined
    forms.push({ template, meaning: '' })
    return [before!, { form: template, ...(slot !== undefined && { fill: { obj: slot } }) }, after!]
  })
  return {
    system: file.system_msg,
    instruction: pieces.flatMap((piece) =>
      typeof piece === 'string' ? quoteMentions(piece, [checkAction], []) : [piece],
    ),
    examples: file.examples.map(readExample),
    forms,
    hash: hashOf(text, 16),
  }
}

/** The file's example ends without a line break. */
function readExample(text: string): Example {
  const isClosed = text.endsWith('\n')
  const read = readPromptExample(isClosed ? text : `${text}\n`, [], (prose) => [prose])
  const exchanges = read.exchanges.map(({ action, observation }) => ({
    action,
    observation: isCheck(action) ? [{ list: textOf(observation).split(', ') }] : observation,
  }))
  const said = exchanges.flatMap(({ action, observation }) => [
    action,
    ...observation.flatMap((piece) => (typeof piece === 'object' && 'list' in piece ? piece.list : [])),
  ])
  return {
    ...read,
    exchanges,
    names: [...new Set(said.flatMap(namesIn))].filter((name) => !name.includes(' ')),
    ...(!isClosed && { ending: '' }),
  }
}

/** What an action is about, by the forms of all stories. */
function namesIn(action: string): readonly string[] {
  const fillings = templates.map((template) => readForm(template, action.trim().toLowerCase()))
  return Object.values(fillings.find((one) => one !== undefined && Object.keys(one).length > 0) ?? {}).map((name) =>
    name.replace(/^(?:the|an?) /, ''),
  )
}
