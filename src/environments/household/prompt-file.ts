import { z } from 'zod'
import type { Example } from '../../core/environment.js'
import type { ActionForm } from '../../core/form.js'
import type { Text } from '../../core/text.js'
import { parsePromptFile, quoteInLines, readFilledForm, readPromptExample } from '../prompts.js'
import { itemNames } from './examples.js'
import type { TaskKind } from './scenes/goal.js'
import { taskKinds } from './scenes/goal.js'

/** AgentBoard's prompt file as data. */
export interface PromptFile {
  readonly system: string
  readonly instruction: Text
  readonly examples: Readonly<Record<TaskKind, readonly Example[]>>
  /** What could not be parsed and is passed on unchanged, a sentence each. */
  readonly notes: readonly string[]
}

const lines = z.union([z.string(), z.array(z.string())])
const schema = z.object({
  system_msg: z.string(),
  instruction: z.string(),
  examples: z.object({ put: lines, clean: lines, heat: lines, cool: lines, puttwo: lines, examine: lines }),
})

/** The key of AgentBoard's example for each kind of task. */
const exampleKeys = {
  pick_and_place_simple: 'put',
  look_at_obj_in_light: 'examine',
  pick_clean_then_place_in_recep: 'clean',
  pick_heat_then_place_in_recep: 'heat',
  pick_cool_then_place_in_recep: 'cool',
  pick_two_obj_and_place: 'puttwo',
} as const satisfies Record<TaskKind, string>

/**
 * Reads AgentBoard's own prompt file (`prompts/VanillaAgent/alfworld_base.json`). An agent lays it out to the byte:
 * nothing is lost or corrected.
 * @param path only for messages
 * @throws ShaketableError `bad-input` when it is not such a file
 */
export function readPromptFile(text: string, path: string, forms: readonly ActionForm[]): PromptFile {
  const what = "AgentBoard's prompt file for ALFWorld (prompts/VanillaAgent/alfworld_base.json)"
  const parts = "It has 'system_msg', 'instruction', and 'examples' with put, clean, heat, cool, puttwo and examine."
  const file = parsePromptFile(schema, text, path, what, parts)
  const { instruction, notes } = readInstruction(file.instruction, forms)
  const examples = taskKinds.map((kind) => {
    const key = exampleKeys[kind]
    const joined = [file.examples[key]].flat().join('')
    const example = readPromptExample(joined, itemNames([joined]), (prose) => [prose])
    if (example.exchanges.length === 0) {
      const inexact = joined.endsWith('\n') ? '' : ', with a line break added at its end'
      notes.push(
        `Example '${key}' is not a series of 'Action: …' and 'Observation: …' lines; it is shown as prose${inexact}. Rewordings of actions do not reach it.`,
      )
    }
    return [kind, [example]]
  })
  return {
    system: file.system_msg,
    instruction,
    examples: Object.fromEntries(examples) as Record<TaskKind, Example[]>,
    notes,
  }
}

/** Finds the advertised forms: lines that read `- 'take {obj} from {recep}'`. */
function readInstruction(text: string, forms: readonly ActionForm[]): { instruction: Text; notes: string[] } {
  const notes: string[] = []
  const instruction = quoteInLines(text, (line) => {
    const quoted = /^(\s*- ')([^'\n]+)('.*\s*)$/s.exec(line)
    if (quoted !== null) return [quoted[1]!, readAdvertised(quoted[2]!, forms, notes), quoted[3]!]
    if (/^\s*-/.test(line)) {
      notes.push(`The instruction's line '${line.trim()}' quotes no action form and is left as prose.`)
    }
    return undefined
  })
  if (instruction.every((piece) => typeof piece === 'string')) {
    notes.push(`The instruction advertises no action in a line such as "- 'open {recep}'".`)
  }
  return { instruction, notes }
}

/** A form in the file's own slot names: `examine {recep}/{obj}` is this environment's `examine {item}`. */
function readAdvertised(text: string, forms: readonly ActionForm[], notes: string[]) {
  const found = readFilledForm(text, forms, /^\{\w+\}(?:\/\{\w+\})*$/)
  if (found === undefined) {
    notes.push(`The instruction advertises '${text}', which is no action of this environment; it is left as it stands.`)
    return { form: text }
  }
  const { form, fill } = found
  return Object.entries(fill).every(([slot, value]) => value === `{${slot}}`) ? { form } : found
}
