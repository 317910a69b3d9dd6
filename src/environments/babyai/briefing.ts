import type { Briefing } from '../../core/environment.js'
import type { Piece, Text } from '../../core/text.js'
import { ownExamples } from './examples.js'
import { advertisedForms, allForms, checkValidActions } from './forms.js'
import { checkAction } from './moves.js'
import type { PromptFile } from './prompt-file.js'

/** Briefs an agent for a task: our own words and worked example, or those of AgentBoard's prompt file. */
export function createBriefing(goal: string, prompt: PromptFile | undefined): Briefing {
  return {
    system: prompt?.system ?? 'You find your way through rooms that you see only in part, by short lines of text.',
    instruction: prompt?.instruction ?? ownInstruction,
    forms: allForms,
    knownForms,
    examples: prompt?.examples ?? ownExamples(),
    goal,
    help: prompt === undefined ? [checkAction] : [checkValidActions, 'inventory'],
  }
}

const knownForms = allForms.map(({ template }) => template)

const lead = `You stand in a room and see what lies ahead of you, at most six cells far and three to each side; walls and doors that are not open hide what \
is behind them. Steps are counted in cells, from where you stand and the way you look. Reply with one action a time. Name a thing ('{obj}') or a door ('{door}') \
exactly as you have heard it, colour and number included; the numbers are counted anew each time you look.

You can do this:
`

const ownInstruction: Text = writeInstruction()

function writeInstruction(): Text {
  const pieces: Piece[] = []
  let prose = lead
  for (const { template, meaning } of advertisedForms) {
    pieces.push(`${prose}- '`, { form: template })
    prose = `': ${meaning}\n`
  }
  return [...pieces, prose]
}
