import type { Briefing, Example } from '../../core/environment.js'
import { parseTemplate } from '../../core/form.js'
import type { Piece, Text } from '../../core/text.js'
import type { GamePromptFile, Prompt } from '../agentboard-prompt.js'
import { wordingsOf } from './agentboard-wording.js'
import type { CompiledGame } from './compile-game.js'
import { ownExamples } from './examples.js'
import type { GameForm, GameName, Wording } from './wording.js'
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

/** The system text and the description of a game. */
interface Introduction {
  readonly system: string
  readonly story: string
}

const everything = 'After each action you hear everything that holds.'
const changes =
  'After each action you hear only what has come to hold by it; what has ceased to hold goes without saying.'

const introductions: Readonly<Record<GameName, Introduction>> = {
  gripper: {
    system: 'You are a robot that carries balls between rooms.',
    story: `Balls lie in rooms, and the goal says in which room each of them should be. You roll from room to room and have two arms; each holds one ball. \
That an arm is free, or that a ball is carrying an arm, tells you which arm holds what: the ball is carried by it. ${everything}`,
  },
  blockworld: {
    system: 'You are a robot arm that builds towers of blocks.',
    story: `Blocks lie on a table or on each other, and the goal says which should lie on which. Your arm holds one block at a time. Only a clear block, one \
with nothing on it, can be taken, or have another laid on it. ${everything}`,
  },
  barman: {
    system: 'You mix drinks behind a bar.',
    story: `The goal says which glass should hold which drink. An ingredient comes from its dispenser into a clean, empty glass. A cocktail has two parts: bring \
each in a glass into the shaker, one after the other, shake, and pour from the shaker into a clean, empty glass. A glass that has held anything has to be cleaned before it takes \
something else. You have two hands; filling, cleaning and shaking take one hand that holds the thing and one that is empty. Levels tell how much is in the shaker: \
pouring in takes it from one level to the next, pouring out back again. That you are holding a hand means that this hand holds something. ${changes}`,
  },
  tyreworld: {
    system: 'You change wheels at the roadside.',
    story: `A flat wheel has to make way for an intact one. Tools and spare wheels are in a container, which has to be opened first. Loosen the nut of a hub while the hub \
is on the ground, lift the hub with the jack, undo the nut, and take the wheel off. Put the other wheel on, do the nut up, let the hub down, and tighten the nut. An intact wheel \
can be inflated at any time. Look at the goal for what else is wanted, such as things that belong back where they were. ${changes}`,
  },
}

const unknownGame: Introduction = {
  system: 'You act in a small world by short lines of text.',
  story: `The world is told in short statements, and the goal says which of them should hold. Each action can be done only while what it needs holds. ${everything}`,
}

/** Our own words about a game; `name` may be that of a user's domain. */
function instruct(name: string, wording: Wording, forms: readonly GameForm[]): { system: string; instruction: Text } {
  const { system, story } = Object.hasOwn(introductions, name) ? introductions[name as GameName] : unknownGame
  const pieces: Piece[] = []
  let prose = `${story}\nReply with one action. Name things exactly as you have read them.\n\nYou can do this:\n`
  for (const { template, meaning, action } of forms) {
    if (action === lookAction && !wording.offersLookAround) continue
    pieces.push(`${prose}- '`, { form: template })
    prose = meaning === '' ? `'\n` : `': ${meaning}\n`
  }
  return { system, instruction: [...pieces, prose] }
}
