/** A turn of the player: a thought and an action. */
export interface PlayerTurn {
  readonly turn: number
  readonly role: 'Player'
  readonly Thought: string
  readonly Action: string
}

/** A turn of the DM, who plays the environment: an observation, and whether the previous action was an error. */
export interface DungeonMasterTurn {
  readonly turn: number
  readonly role: 'DM'
  readonly Thought: string
  readonly Observation: string
  readonly parameter_error: boolean
  readonly place_error: boolean
  readonly logic_error: boolean
}

/** A turn of a trajectory, with the keys of AgentRefine's Figure 4. */
export type ScriptedTurn = PlayerTurn | DungeonMasterTurn

const errorFlags = ['parameter_error', 'place_error', 'logic_error'] as const

const keysOf = {
  Player: { turn: 'number', role: 'string', Thought: 'string', Action: 'string' },
  DM: {
    turn: 'number',
    role: 'string',
    Thought: 'string',
    Observation: 'string',
    parameter_error: 'boolean',
    place_error: 'boolean',
    logic_error: 'boolean',
  },
} as const satisfies Record<ScriptedTurn['role'], Readonly<Record<string, string>>>

const kinds = { number: 'a number', string: 'a text', boolean: 'true or false' } as const

/**
 * Reads a turn. With `exact`, keys other than those of its role are an error.
 * @returns the turn, or what is wrong with it
 */
export function readTurn(value: unknown, keys: 'exact' | 'required'): ScriptedTurn | { readonly problem: string } {
  if (!isObject(value)) return { problem: `the turn is ${nameOf(value)}, not an object` }
  if (!Object.hasOwn(value, 'role')) return { problem: "the turn lacks 'role'" }
  const role = value['role']
  if (role !== 'Player' && role !== 'DM') {
    return { problem: `'role' is ${nameOf(value['role'])}, expected "Player" or "DM"` }
  }
  const expectedKeys: Readonly<Record<string, keyof typeof kinds>> = keysOf[role]
  for (const [key, kind] of Object.entries(expectedKeys)) {
    if (!Object.hasOwn(value, key)) return { problem: `the turn of the ${role} lacks '${key}'` }
    if (typeof value[key] !== kind) return { problem: `'${key}' is ${nameOf(value[key])}, expected ${kinds[kind]}` }
  }
  if (!Number.isSafeInteger(value['turn']))
    return { problem: `'turn' is ${nameOf(value['turn'])}, expected a whole number` }
  const other = keys === 'exact' ? Object.keys(value).find((key) => !Object.hasOwn(expectedKeys, key)) : undefined
  if (other !== undefined) {
    return { problem: `the turn of the ${role} has the key '${other.slice(0, 60)}', which such a turn does not have` }
  }
  return value as unknown as ScriptedTurn
}

/** The errors that a turn signals: those of its three flags that are true. */
export function errorsOf(turn: unknown): string[] {
  return isObject(turn) ? errorFlags.filter((flag) => turn[flag] === true) : []
}

/** Whether a value is a turn of the DM, judged by its role alone. */
export function isReply(turn: unknown): boolean {
  return isObject(turn) && turn['role'] === 'DM'
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Describes a JSON value within a sentence, in at most 60 of its characters. */
export function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 61) : value)
  return text.length > 62 ? `${text.slice(0, 60)}…"` : text
}
