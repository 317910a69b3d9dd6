import type { Message } from '../../core/model.js'
import type { ScriptedTurn } from '../verify/turn.js'

/** Changes whenever a prompt does, so that a folder of one version is not continued with another. */
export const promptVersion = 1

const example = {
  Environment: {
    kitchen: { sink: {}, shelf: { mug: { is: ['dirty'] } } },
    cellar: { chest: { is: ['closed'], 'jar of honey': {} } },
  },
  Start: 'kitchen',
  Goal: 'Put the washed mug and the jar of honey on the shelf.',
  'Completion Conditions': ['mug in shelf', 'not mug is dirty', 'jar of honey in shelf'],
  'Available Actions': {
    'walk to {place}': {
      'verification code': '^walk to (.+)$',
      parameters: { place: ['kitchen', 'cellar'] },
      meaning: 'go to a place',
      preconditions: [],
      effects: ['player at {place}'],
      observation: 'You walk to the {place}.',
    },
    'wash {thing}': {
      'verification code': '^wash (.+)$',
      parameters: { thing: ['mug'] },
      meaning: 'wash what you carry, in the kitchen',
      preconditions: ['player has {thing}', 'player at kitchen'],
      effects: ['not {thing} is dirty'],
      observation: 'You wash the {thing}.',
    },
  },
} as const

const rules = `"Environment": the top keys are places; below them things, and below these the things in or on them. The key "is" lists states of a thing, one word each. What is in a "closed" thing is neither seen nor reachable.
"Start": where the player stands.
"Goal": what the player has to do, in one or two sentences.
"Completion Conditions": what holds once it is done, and does not hold at the start.
"Available Actions": for each kind of action a template with slots in curly brackets; its "parameters" list every value that a slot takes; its "preconditions" and "effects" are conditions; "verification code" is a Python regular expression for the whole action, with one group for each slot in order; "observation" is what the player reads.
Conditions have one of these forms, with names or slots: "player at PLACE", "player has THING", "THING in THING-OR-PLACE", "THING is STATE", each also with "not " before it. A thing is in one place only: "player has X" and "X in Y" end where it was.
Every name is unique, in small letters, without commas. Things that an action names must be carried or in the player's place.`

/** Asks for a script that suits a persona. */
export function scriptPrompt(persona: string): readonly Message[] {
  return [
    {
      role: 'user',
      content: `Write the script of a small text game for this person. It is a world of 2 to 5 places and 6 to 15 things in which one task of 6 to 15 actions is to be done, with 5 to 10 kinds of action. Choose places, things, actions and their wording that suit the person; do not copy the example.

Answer with one JSON object and nothing else, of this form:

${JSON.stringify(example, undefined, 1)}

${rules}

Person: ${persona}`,
    },
  ]
}

/** The persona of a prompt of {@link scriptPrompt}; undefined for any other. */
export function personaIn(messages: readonly Message[]): string | undefined {
  return /\n\nPerson: (.*)$/.exec(messages[0]?.content ?? '')?.[1]
}

/** Shows a reply that cannot be used, and asks for another. */
export function repairPrompt(before: readonly Message[], reply: string, wrong: string): readonly Message[] {
  return [
    ...before,
    { role: 'assistant', content: reply },
    { role: 'user', content: `That cannot be used: ${wrong}. Answer with the whole corrected JSON and nothing else.` },
  ]
}

const turnRules = `A turn of the Player has exactly these keys: {"turn": 1, "role": "Player", "Thought": "…", "Action": "…"}. The action is one of the available actions with allowed values in its slots.
A turn of the DM, who answers for the world, has exactly these: {"turn": 2, "role": "DM", "Thought": "…", "Observation": "…", "parameter_error": false, "place_error": false, "logic_error": false}. Where the action is not possible nothing changes, the observation says what is wrong, and one flag is true: "parameter_error" if no available action has this form or value, "place_error" if a thing is not where it is looked for, "logic_error" if another precondition does not hold.`

/** What a trajectory is played over. */
interface PlayedScript {
  /** JSON of the script. */
  readonly source: unknown
  /** Mistakes that are wanted, each followed by its correction. */
  readonly mistakes: number
}

/** Asks for all further turns of a trajectory. */
export function trajectoryPrompt(script: PlayedScript, turns: readonly ScriptedTurn[]): readonly Message[] {
  return [
    {
      role: 'user',
      content: `${gameOf(script)}

Play it: write the turns of a Player, who does not know the script but only what was observed, and of a DM, who answers as the script says. The Player makes at least ${String(script.mistakes)} mistakes of different kinds on the way. The DM flags each, and the Player's next thought says what was wrong, and the next action corrects it. The last turn is the DM's, once all completion conditions hold; its observation ends with "Task Succeed". These words stand nowhere else.

${turnRules}

${historyOf(turns)}

Answer with a JSON list of all turns from turn ${String(nextOf(turns))} on and nothing else.`,
    },
  ]
}

/** Asks the Player for the next turn, a mistake or a right action. */
export function playerPrompt(
  script: PlayedScript,
  turns: readonly ScriptedTurn[],
  isMistake: boolean,
): readonly Message[] {
  const wanted = isMistake
    ? 'This time, make a plausible mistake: an action that is not possible now, such as a wrong name, a thing that is elsewhere, or a step too early.'
    : 'Choose the best action. If the last one was a mistake, say in the thought what was wrong, and correct it.'
  return [
    {
      role: 'user',
      content: `${gameOf(script)}

You are the Player. You know only what was observed so far. ${wanted}

${turnRules}

${historyOf(turns)}

Answer with the JSON object of turn ${String(nextOf(turns))} of the Player and nothing else.`,
    },
  ]
}

/** Asks the DM for the answer to the Player's last turn. */
export function masterPrompt(script: PlayedScript, turns: readonly ScriptedTurn[]): readonly Message[] {
  return [
    {
      role: 'user',
      content: `${gameOf(script)}

You are the DM, who answers for the world as the script says. Once all completion conditions hold, the observation ends with "Task Succeed"; these words stand nowhere else.

${turnRules}

${historyOf(turns)}

Answer with the JSON object of turn ${String(nextOf(turns))} of the DM and nothing else.`,
    },
  ]
}

function gameOf({ source, mistakes }: PlayedScript): string {
  return `This is the script of a text game, as JSON on one line; mistakes wanted: ${String(mistakes)}.

Script: ${JSON.stringify(source)}`
}

function historyOf(turns: readonly ScriptedTurn[]): string {
  return `Turns so far:\n${turns.map((turn) => `Turn: ${JSON.stringify(turn)}`).join('\n')}`
}

function nextOf(turns: readonly ScriptedTurn[]): number {
  return (turns.at(-1)?.turn ?? -1) + 1
}

/** What a prompt for turns asks for. */
export interface AskedTurns extends PlayedScript {
  readonly turns: readonly ScriptedTurn[]
  readonly next: 'all' | 'mistake' | 'action' | 'answer'
}

/** Reads a prompt for turns back; undefined for any other. */
export function askedTurnsIn(messages: readonly Message[]): AskedTurns | undefined {
  const text = messages[0]?.content ?? ''
  const source = /^Script: (.*)$/m.exec(text)?.[1]
  if (source === undefined) return undefined
  const turns = [...text.matchAll(/^Turn: (.*)$/gm)].map((match) => JSON.parse(match[1]!) as ScriptedTurn)
  const mistakes = Number(/mistakes wanted: (\d+)/.exec(text)?.[1] ?? 0)
  const next = text.includes('Answer with a JSON list')
    ? 'all'
    : text.includes('You are the DM')
      ? 'answer'
      : text.includes('make a plausible mistake')
        ? 'mistake'
        : 'action'
  return { source: JSON.parse(source), mistakes, turns, next }
}
