import type { Briefing, Example } from '../../core/environment.js'
import { parseTemplate } from '../../core/form.js'
import type { Piece, Text } from '../../core/text.js'
import type { GamePromptFile, Prompt } from '../agentboard-prompt.js'
import { keepRecent } from '../keep-recent.js'
import { agentBoardGames, wordingsOf } from './agentboard-wording.js'
import { type CompiledGame, compileGame } from './compile-game.js'
import { ownDomain } from './own-games.js'
import { createTextGame } from './text-game.js'
import { type GameForm, type GameName, type Wording, checkAction, formsOf, gameNames, lookAction } from './wording.js'

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
export function otherExamples(game: GameName, prompt: GamePromptFile | undefined): readonly Example[] {
  return gameNames
    .filter((other) => other !== game)
    .flatMap((other) => prompt?.prompts[other].examples ?? ownExamples(other))
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

/** Our own words about a game. */
function instruct(game: GameName, wording: Wording, forms: readonly GameForm[]): { system: string; instruction: Text } {
  const { system, story } = agentBoardGames()[game]
  const pieces: Piece[] = []
  let prose = `${story}\nReply with one action. Name things exactly as you have read them.\n\nYou can do this:\n`
  for (const { template, meaning, action } of forms) {
    if (action === lookAction && !wording.offersLookAround) continue
    pieces.push(`${prose}- '`, { form: template })
    prose = `': ${meaning}\n`
  }
  return { system, instruction: [...pieces, prose] }
}

const keepExamples = keepRecent<readonly Example[]>(gameNames.length)

/** Our own worked example of a game, recorded by playing it. */
function ownExamples(game: GameName): readonly Example[] {
  return keepExamples(game, () => [play(game)])
}

function play(name: GameName): Example {
  const { problem, actions } = agentBoardGames()[name].example
  const compiled = compileGame({
    id: `${name}/example`,
    game: name,
    domain: ownDomain(name),
    problem: { text: `(define (problem example) (:domain ${name}) ${problem})`, where: `example of ${name}` },
  })
  const game = createTextGame(compiled)
  return {
    opening: [`${compiled.goalText}\n${game.opening}`],
    exchanges: actions.map((action) => ({ action, observation: game.step(action).observation })),
    names: compiled.names,
  }
}
