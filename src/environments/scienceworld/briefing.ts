import * as z from 'zod'
import type { Briefing, Example } from '../../core/environment.js'
import type { Text } from '../../core/text.js'
import { packagedData } from '../../files/packaged.js'
import type { Prompt } from '../agentboard-prompt.js'
import { instruct } from '../prompts.js'
import { advertisedOf, allTemplates, checkValidActions, formsOf } from './forms.js'
import { names } from './names.js'

/**
 * What decides a briefing beside the goal: the type of task, and which actions there are beside those of every episode.
 */
interface Abilities {
  /** The type of the task. */
  readonly type: string
  readonly electrical: boolean
  readonly teleport: boolean
}

/** The part of a briefing that does not depend on the goal: our own words, or those of AgentBoard's prompt file. */
export function createBriefing(
  { type, electrical, teleport }: Abilities,
  prompt: Prompt | undefined,
): Omit<Briefing, 'goal'> {
  return {
    system: prompt?.system ?? 'You do experiments in a house with a workshop and a greenhouse, by short lines of text.',
    instruction: prompt?.instruction ?? ownInstruction(electrical, teleport),
    forms: formsOf(electrical, teleport),
    knownForms: [...allTemplates, 'use {obj} [on {other}]', 'wait [DURATION]'],
    examples: prompt?.examples ?? examplesFor(type).slice(0, 1),
    help: [checkValidActions, 'inventory'],
  }
}

const rules = `There is one task. You see only the room in which you are; other rooms are behind doors, and many things are inside others, so search \
wherever you come. Time passes with your actions: things warm up, cool down and grow. Reply with one action a time. Name an object ('{obj}', '{other}') or a \
room ('{place}') as you have read it; add where it is if there are several, as in apple in bowl. If you are asked for a number, reply with that number alone.`

function ownInstruction(electrical: boolean, teleport: boolean): Text {
  return instruct(rules, advertisedOf(electrical, teleport))
}

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
