import type { Briefing, Example } from '../../core/environment.js'
import type { Text } from '../../core/text.js'
import type { PromptFile } from '../agentboard-prompt.js'
import { instruct } from '../prompts.js'
import { examplesOf } from './examples.js'
import { advertisedForms, allForms, checkActions } from './forms.js'
import type { TaskKind } from './scenes/goal.js'
import { taskKinds } from './scenes/goal.js'
import type { Generation } from './text/domain.js'

/** The briefing for a task: our own instruction and worked examples, or those of AgentBoard's prompt file. */
export function createBriefing(
  generation: Generation,
  kind: TaskKind,
  goal: string,
  prompt: PromptFile<TaskKind> | undefined,
): Briefing {
  const own = prompt?.prompts[kind]
  return {
    system:
      own?.system ?? 'You look after a household. You see it, and move things in it, only through short lines of text.',
    instruction: own?.instruction ?? ownInstructions[generation],
    forms: allForms(generation),
    knownForms,
    examples: own?.examples ?? examplesOf(kind, generation),
    goal,
    help: [checkActions, 'inventory'],
  }
}

/** The worked examples of all other kinds of task. */
export function otherExamples(
  generation: Generation,
  kind: TaskKind,
  prompt: PromptFile<TaskKind> | undefined,
): readonly Example[] {
  return taskKinds
    .filter((other) => other !== kind)
    .flatMap((other) => prompt?.prompts[other].examples ?? examplesOf(other, generation))
}

const knownForms = [...allForms('old'), ...allForms('new')].map(({ template }) => template)

const rules = `There is one job to get done in this household. You first hear what stands in the room, and after each action what came of it. \
What you are looking for may lie on any place or inside one, so walk from place to place until you have found it.
Reply with one action. Name a thing ('{obj}') or a place ('{recep}') exactly as you have heard it, number included; '{item}' may be either.`

const ownInstructions: Readonly<Record<Generation, Text>> = {
  old: instruct(rules, advertisedForms('old')),
  new: instruct(rules, advertisedForms('new')),
}
