import type { Briefing, Example } from '../../core/environment.js'
import { parseTemplate } from '../../core/form.js'
import type { Piece, Text } from '../../core/text.js'
import type { GamePromptFile, Prompt } from '../agentboard-prompt.js'
import { agentBoardGames, wordingsOf } from './agentboard-wording.js'
import type { CompiledGame } from './compile-game.js'
import { ownExamples } from './examples.js'
import type { GameForm, Wording } from './wording.js'
import { checkAction, formsOf, gameNames, lookAction } from './wording.js'

/** A briefing whose forms name their action. */
export interface GameBriefing extends Briefing {
  readonly forms: readonly GameForm[]
}

/** The briefing of a game: our own words and worked example, or those of AgentBoard's prompt file. */
export function createBriefing(
  { game, wording, goalText }: CompiledGame,
  prompt: Prompt<GameForm> | undefined,
): GameBriefing {
  const forms = formsOf(wording)
  const shared = { goal: goalText, help: [checkAction], knownForms: allTemplates() }
  if (prompt === undefined) {
    return { ...instruct(game, wording, forms), forms, examples: ownExamples(game), ...shared }
  }
  const { system, instruction, examples, forms: advertised } = prompt
  return { system, instruction, examples, forms: [...forms, ...advertised], ...shared }
}

/** The worked examples of AgentBoard's other games. */
export function otherExamples(game: string, prompt: GamePromptFile | undefined): readonly Example[] {
  return gameNames
    .filter((other) => other !== game)
    .flatMap((other) => prompt?.prompts[other]?.examples ?? ownExamples(other))
}

let templates: readonly string[] | undefined

/**
 * The forms of all of AgentBoard's games, as its lists and as its prompt file write them: `pick {ball} {room}
 * {gripper}`.
 */
function allTemplates(): readonly string[] {
  return (templates ??= gameNames.flatMap((game) =>
    [...wordingsOf(game)].flatMap(([action, { template }]) => [
      template,
      [action, ...parseTemplate(template).slots.map((slot) => `{${slot}}`)].join(' '),
    ]),
  ))
}

/** Of a user's domain. */
const unknownGame = {
  system: 'You act in a small world by short lines of text.',
  story: `The world is told in short statements, and the goal says which of them should hold. Each action can be done only while what it needs holds. After each action you hear everything that holds.`,
}

/** Our own words about a game; `name` may be that of a user's domain. */
function instruct(name: string, wording: Wording, forms: readonly GameForm[]): { system: string; instruction: Text } {
  const game = gameNames.find((one) => one === name)
  const { system, story } = game === undefined ? unknownGame : agentBoardGames()[game]
  const pieces: Piece[] = []
  let prose = `${story}\nReply with one action. Name things exactly as you have read them.\n\nYou can do this:\n`
  for (const { template, meaning, action } of forms) {
    if (action === lookAction && !wording.offersLookAround) continue
    pieces.push(`${prose}- '`, { form: template })
    prose = meaning === '' ? `'\n` : `': ${meaning}\n`
  }
  return { system, instruction: [...pieces, prose] }
}
