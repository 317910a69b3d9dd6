import { z } from 'zod'
import { printForm } from '../../core/form.js'
import type { Message } from '../../core/model.js'
import { packagedData } from '../../files/packaged.js'
import type { ScriptedTurn } from '../verify/turn.js'

/** Changes whenever a prompt does, so that a folder of one version is not continued with another. */
export const promptVersion = 1

const text = z.string().min(1)
const prompts = packagedData(
  'src/training/synthesis/prompts.yaml',
  z.strictObject({
    example: z.record(text, z.unknown()),
    scriptRules: text,
    script: text,
    repair: text,
    turnRules: text,
    game: text,
    trajectory: text,
  }),
)

/** Asks for a script that suits a persona. */
export function scriptPrompt(persona: string): readonly Message[] {
  const { example, scriptRules, script } = prompts()
  const content = printForm(script, { example: JSON.stringify(example, undefined, 1), rules: scriptRules, persona })
  return [{ role: 'user', content }]
}

/** The persona of a prompt of {@link scriptPrompt}; undefined for any other. */
export function personaIn(messages: readonly Message[]): string | undefined {
  return /\n\nPerson: (.*)$/.exec(messages[0]?.content ?? '')?.[1]
}

/** Shows a reply that cannot be used, and asks for another. */
export function repairPrompt(before: readonly Message[], reply: string, wrong: string): readonly Message[] {
  const content = printForm(prompts().repair, { wrong })
  return [...before, { role: 'assistant', content: reply }, { role: 'user', content }]
}

/** What a trajectory is played over. */
interface PlayedScript {
  /** JSON of the script. */
  readonly source: unknown
  /** Mistakes that are wanted, each followed by its correction. */
  readonly mistakes: number
}

/** Asks for all further turns of a trajectory. */
export function trajectoryPrompt(
  { source, mistakes }: PlayedScript,
  turns: readonly ScriptedTurn[],
): readonly Message[] {
  const { trajectory, game, turnRules } = prompts()
  const content = printForm(trajectory, {
    game: printForm(game, { mistakes: String(mistakes), source: JSON.stringify(source) }),
    history: `Turns so far:\n${turns.map((turn) => `Turn: ${JSON.stringify(turn)}`).join('\n')}`,
    next: String((turns.at(-1)?.turn ?? -1) + 1),
    mistakes: String(mistakes),
    turnRules,
  })
  return [{ role: 'user', content }]
}

/** What a prompt of {@link trajectoryPrompt} asks for. */
export interface AskedTurns extends PlayedScript {
  readonly turns: readonly ScriptedTurn[]
}

/** Reads a prompt for turns back; undefined for any other. */
export function askedTurnsIn(messages: readonly Message[]): AskedTurns | undefined {
  const text = messages[0]?.content ?? ''
  const source = /^Script: (.*)$/m.exec(text)?.[1]
  if (source === undefined) return undefined
  const turns = [...text.matchAll(/^Turn: (.*)$/gm)].map((match) => JSON.parse(match[1]!) as ScriptedTurn)
  const mistakes = Number(/mistakes wanted: (\d+)/.exec(text)?.[1] ?? 0)
  return { source: JSON.parse(source), mistakes, turns }
}
