import { isObject } from '../../files/json.js'
import { z } from 'zod'

const text = z.string()
const flag = z.boolean()
const playerKeys = { turn: z.int(), role: z.literal('Player'), Thought: text, Action: text }
const masterKeys = {
  turn: z.int(),
  role: z.literal('DM'),
  Thought: text,
  Observation: text,
  parameter_error: flag,
  place_error: flag,
  logic_error: flag,
}
const [player, master] = [z.strictObject(playerKeys).readonly(), z.strictObject(masterKeys).readonly()]
const turns = {
  exact: z.discriminatedUnion('role', [player, master]),
  required: z.discriminatedUnion('role', [z.looseObject(playerKeys), z.looseObject(masterKeys)]),
} as const

/** A turn of the player: a thought and an action. */
export type PlayerTurn = z.infer<typeof player>

/** A turn of the DM, who plays the environment: an observation, and whether the previous action was an error. */
export type DungeonMasterTurn = z.infer<typeof master>

/** A turn of a trajectory, with the keys of AgentRefine's Figure 4. */
export type ScriptedTurn = PlayerTurn | DungeonMasterTurn

const errorFlags = ['parameter_error', 'place_error', 'logic_error'] as const
/** An error that the DM can signal. */
export type ErrorFlag = (typeof errorFlags)[number]

/** A turn of the DM, which signals an error or none. */
export function masterTurn(turn: number, observation: string, error?: ErrorFlag, thought = ''): DungeonMasterTurn {
  const flags = Object.fromEntries(errorFlags.map((flag) => [flag, flag === error])) as Record<ErrorFlag, boolean>
  return { turn, role: 'DM', Thought: thought, Observation: observation, ...flags }
}

/**
 * Reads a turn. With `exact`, keys other than those of its role are an error.
 * @returns the turn, or what is wrong with it
 */
export function readTurn(value: unknown, keys: keyof typeof turns): ScriptedTurn | { readonly problem: string } {
  const read = turns[keys].safeParse(value)
  if (read.success) return value as ScriptedTurn
  const { path, message } = read.error.issues[0]!
  const expected = path[0] === 'role' ? 'expected "Player" or "DM"' : message.slice(0, 200)
  return { problem: `${path.length === 0 ? 'the turn' : `'${path.map(String).join('.')}' of the turn`}: ${expected}` }
}

/** The errors that a turn signals: those of its three flags that are true. */
export function errorsOf(turn: unknown): ErrorFlag[] {
  return isObject(turn) ? errorFlags.filter((flag) => turn[flag] === true) : []
}

/** Describes a JSON value within a sentence, in at most 60 of its characters. */
export function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 61) : value)
  return text.length > 62 ? `${text.slice(0, 60)}…"` : text
}
