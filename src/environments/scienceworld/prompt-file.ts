import * as z from 'zod'
import type { Example } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import type { Piece, Text } from '../../core/text.js'
import { readText } from '../../files/read-text.js'
import { parsePromptFile, readFilledForm } from '../prompts.js'
import { allForms, quote } from './forms.js'
import { names } from './names.js'

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

const schema = z.object({
  system_msg: z.string(),
  instruction: z.string(),
  examples: z.union([z.string(), z.array(z.string())]),
})
const advice = "Give the path of AgentBoard's prompts/VanillaAgent/scienceworld_base.json."

/**
 * Reads AgentBoard's own prompt file for ScienceWorld. An agent lays it out to the byte: nothing is lost or corrected.
 * @throws ShaketableError `bad-input` if it is not such a file
 */
export function readPromptFile(path: string): PromptFile {
  const text = readText('The prompt file', path, advice)
  const parts = `It has the texts 'system_msg', 'instruction' and 'examples'. ${advice}`
  const file = parsePromptFile(schema, text, path, "AgentBoard's prompt file for ScienceWorld", parts)
  const notes: string[] = []
  const examples = [file.examples].flat().map(readExample)
  return {
    system: file.system_msg,
    instruction: readInstruction(file.instruction, notes),
    examples,
    notes,
    hash: hashOf(text, 16),
  }
}

/** Wordings of the file that are quoted as forms, although the engine takes them only in another wording. */
const loose = ['use {obj} [on {other}]', 'wait [DURATION]'].map((template) => ({ template, meaning: '' }))

/** Finds the advertised forms, which stand between backticks: `open {OBJ}`. */
function readInstruction(text: string, notes: string[]): Text {
  return text
    .split('`')
    .flatMap((part, index): Piece[] => {
      const mark = index === 0 ? [] : ['`']
      if (index % 2 === 0) return [...mark, part]
      const form = readFilledForm(part, allForms, /^\{\w+\}$/)
      if (form !== undefined) return [...mark, form]
      if (/^[{[]\w+[}\]]$/.test(part)) return [...mark, part]
      const known = readFilledForm(part, loose, /^\{\w+\}$/)
      notes.push(
        `The instruction advertises '${part}', which the engine does not understand as it is written; it is left as it stands.`,
      )
      return [...mark, known ?? part]
    })
    .filter((piece) => piece !== '')
}

/**
 * A worked example, whose turns are lines `ACTION: …` and `OBSERVATION: …`. No agent lays out turns like that, so it is
 * one text, in which the actions are pieces.
 */
function readExample(text: string): Example {
  const parts = text.replace(/\n$/, '').split(/^(ACTION: )(.*)$/m)
  const pieces = parts.flatMap((part, index): Piece[] => {
    if (index % 3 === 1) return [part]
    return index % 3 === 2 ? [{ command: part }] : [...quote(part)]
  })
  return { opening: pieces.filter((piece) => piece !== ''), exchanges: [], names }
}
