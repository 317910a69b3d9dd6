import * as z from 'zod'
import type { Briefing, Example } from '../../core/environment.js'
import type { ActionForm } from '../../core/form.js'
import { packagedData } from '../../files/packaged.js'
import { instruct } from '../prompts.js'
import { advertisedForms, allForms, checkAction } from './forms.js'
import type { PromptFile } from '../agentboard-prompt.js'

/** The briefing of a story: our own instruction and worked example, or those of AgentBoard's prompt file. */
export function createBriefing(forms: readonly ActionForm[], prompt: PromptFile | undefined): Omit<Briefing, 'goal'> {
  if (prompt !== undefined) {
    const { system, instruction, examples, forms: advertised } = prompt.prompts.all
    return {
      system,
      instruction,
      forms: [...forms, ...advertised],
      knownForms,
      examples,
      help: [checkAction, 'inventory'],
    }
  }
  return {
    system: 'You play text adventures by short lines of text.',
    instruction: instruct(
      rules,
      forms.filter(({ template }) => advertisedForms.some((form) => form.template === template)),
    ),
    forms,
    knownForms,
    examples: ownExamples().slice(0, 1),
    help: [checkAction],
  }
}

/** Worked examples of other adventures. */
export const otherExamples = (): readonly Example[] => ownExamples().slice(1)

/** The forms of all stories; AgentBoard's prompt file writes some with a capital letter. */
const knownForms = [...allForms, ...advertisedForms, { template: 'put down {obj}' }].flatMap(({ template }) => [
  template,
  `${template[0]!.toUpperCase()}${template.slice(1)}`,
])

const rules = `You are the hero of a text adventure. You read where you are and what you see there, and after each action what came of it. \
Reply with one action, a verb and what it is about. Name a thing ('{obj}') as you have read it. Things may be inside of others, and a dark place needs a light.`

/** Worked examples: scenes of our own, of no story that is played. */
const ownExamples = packagedData(
  'src/environments/jericho/examples.yaml',
  z.array(
    z.strictObject({
      opening: z.string().transform((text) => [text]),
      exchanges: z.array(
        z.strictObject({
          action: z.string(),
          observation: z.union([
            z.string().transform((text) => [text]),
            z.array(z.union([z.string(), z.strictObject({ list: z.array(z.string()) })])),
          ]),
        }),
      ),
      names: z.array(z.string()),
    }),
  ),
)
