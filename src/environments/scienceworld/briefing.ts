import * as z from 'zod'
import type { Briefing, Example } from '../../core/environment.js'
import { packagedData } from '../../files/packaged.js'
import type { Prompt } from '../agentboard-prompt.js'
import { instruct } from '../prompts.js'
import { advertisedOf, allTemplates, checkValidActions, formsOf } from './forms.js'
import { names } from './names.js'
import { isElectrical } from './tasks.js'

/**
 * The part of a briefing that depends on the type of the task alone: our own words, or those of AgentBoard's prompt
 * file.
 */
export function createBriefing(type: string, prompt: Prompt | undefined): Omit<Briefing, 'goal'> {
  return {
    system: prompt?.system ?? 'You do experiments in a house with a workshop and a greenhouse, by short lines of text.',
    instruction: prompt?.instruction ?? instruct(rules, advertisedOf(isElectrical(type))),
    forms: formsOf(isElectrical(type)),
    knownForms: [...allTemplates, 'use {obj} [on {other}]', 'wait [DURATION]'],
    examples: prompt?.examples ?? examplesFor(type).slice(0, 1),
    help: [checkValidActions, 'inventory'],
  }
}

const rules = `There is one task. You see only the room in which you are; other rooms are behind doors, and many things are inside others, so search \
wherever you come. Time passes with your actions: things warm up, cool down and grow. Reply with one action a time. Name an object ('{obj}', '{other}') or a \
room ('{place}') as you have read it; add where it is if there are several, as in apple in bowl. If you are asked for a number, reply with that number alone.`

/** Worked examples that are not in the prompt, of tasks of other types than this. */
export function otherExamples(type: string, prompt: object | undefined): readonly Example[] {
  return prompt === undefined ? examplesFor(type).slice(1) : examplesFor(type)
}

const ownExamples = packagedData(
  'src/environments/scienceworld/examples.yaml',
  z.strictObject({
    /** The first observation of each. */
    hall: z.string(),
    examples: z.array(
      z.strictObject({
        type: z.string(),
        goal: z.string(),
        exchanges: z.array(z.strictObject({ action: z.string(), observation: z.string().transform((text) => [text]) })),
      }),
    ),
  }),
)

/** Our worked examples of tasks of other types, the first of which is in the prompt. */
function examplesFor(type: string): readonly Example[] {
  const { hall, examples } = ownExamples()
  return examples
    .filter((one) => one.type !== type)
    .map(({ goal, exchanges }) => ({ opening: [`${goal}\n${hall}`], exchanges, names }))
}
