import type { Briefing } from '../../core/environment.js'
import { parseTemplate } from '../../core/form.js'
import { wordingsOf } from './agentboard-wording.js'
import type { CompiledGame } from './compile-game.js'
import { ownExamples } from './examples.js'
import type { GameForm } from './forms.js'
import { checkAction, formsOf } from './forms.js'
import { instruct } from './instructions.js'
import type { GamePrompt } from './prompt-file.js'
import { gameNames } from './wording.js'

/** A briefing whose forms say which action they are of. */
export interface GameBriefing extends Briefing {
  readonly forms: readonly GameForm[]
}

/** Briefs an agent for a game: our own words and worked example, or those of AgentBoard's prompt file. */
export function createBriefing(
  { game, wording, goalText }: CompiledGame,
  prompt: GamePrompt | undefined,
): GameBriefing {
  const forms = formsOf(wording)
  const shared = { goal: goalText, help: [checkAction], knownForms: allTemplates() }
  if (prompt === undefined) {
    return { ...instruct(game, wording, forms), forms, examples: ownExamples(game), ...shared }
  }
  const { system, instruction, examples, forms: advertised } = prompt
  return { system, instruction, examples, forms: [...forms, ...advertised], ...shared }
}

let templates: readonly string[] | undefined

/**
 * The forms of all of AgentBoard's games, as lists have them and as its prompt file advertises them: `pick {ball}
 * {room} {gripper}`.
 */
function allTemplates(): readonly string[] {
  return (templates ??= gameNames.flatMap((game) =>
    [...wordingsOf(game)].flatMap(([action, { template }]) => [
      template,
      [action, ...parseTemplate(template).slots.map((slot) => `{${slot}}`)].join(' '),
    ]),
  ))
}
