import { ShaketableError, unknownName } from '../../core/errors.js'

/**
 * What AgentRefine's Algorithm 1 leaves open, as far as it is a choice: the value that it seems to mean first, then the
 * other. docs/training-data.md gives the reasons.
 */
export const choices = {
  /** A record that is not a trajectory in JSON: counted as rejected, or reported and left out of the counts. */
  unreadable: ['reject', 'leave-out'],
  /** What counts as an error: a series of turns that signal one, which a turn without ends, or each such turn. */
  countErrors: ['corrected', 'turns'],
  /** The keys of a turn: exactly those of its role, or at least those. */
  keys: ['exact', 'required'],
  /** Whose turn must be the last. */
  lastTurn: ['dm', 'any'],
  /** An action that no DM turn follows: checked like one without an error, or accepted unchecked. */
  missingReply: ['check', 'pass'],
  /** Where the verified prefix ends: after the last complete exchange (a DM turn), or after the last verified turn. */
  prefix: ['exchanges', 'turns'],
  /** How much of an action a pattern must match. */
  match: ['all', 'start'],
  /** How a pattern's unnamed groups map to the slots of its action: one for each, or in order as far as they go. */
  groups: ['one-to-one', 'in-order'],
  /** The order of turns: consecutive numbers and alternating roles, or any. */
  order: ['strict', 'any'],
} as const

type Choices = typeof choices

/** How a trajectory is verified. */
export type VerifyOptions = { readonly [Option in keyof Choices]: Choices[Option][number] } & {
  /** The minimum number of errors in a trajectory. */
  readonly minErrorTurns: number
}

const profile = (place: 0 | 1, minErrorTurns: number): VerifyOptions => ({
  ...(Object.fromEntries(Object.entries(choices).map(([option, values]) => [option, values[place]])) as {
    readonly [Option in keyof Choices]: Choices[Option][number]
  }),
  minErrorTurns,
})

/** Algorithm 1 as it seems to be meant (`strict`) and as it is printed (`paper-literal`). */
export const profiles = { strict: profile(0, 2), 'paper-literal': profile(1, 1) } as const

/** The flag of an option: `--min-error-turns` for `minErrorTurns`. */
export function flagOf(option: keyof VerifyOptions): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/**
 * The options of a profile, with the given ones in place of its own.
 * @throws ShaketableError `usage` for an unknown profile or an unknown value of an option
 */
export function verifyOptions(
  profile: string,
  given: Readonly<Partial<Record<keyof VerifyOptions, string>>> = {},
): VerifyOptions {
  const base = (profiles as Readonly<Record<string, VerifyOptions>>)[profile]
  if (base === undefined || !Object.hasOwn(profiles, profile)) {
    throw new ShaketableError('usage', `--profile: ${unknownName('profile', profile, Object.keys(profiles))}`)
  }
  const changed: Record<string, string | number> = {}
  for (const [option, values] of Object.entries<readonly string[]>(choices)) {
    const value = given[option as keyof VerifyOptions]
    if (value === undefined) continue
    if (!values.includes(value)) {
      throw new ShaketableError(
        'usage',
        `${flagOf(option as keyof VerifyOptions)}: ${unknownName('value', value, values)}`,
      )
    }
    changed[option] = value
  }
  if (given.minErrorTurns !== undefined) {
    if (!/^\d{1,6}$/.test(given.minErrorTurns)) {
      throw new ShaketableError(
        'usage',
        `--min-error-turns: expected a whole number, such as 2, got '${given.minErrorTurns.slice(0, 100)}'.`,
      )
    }
    changed['minErrorTurns'] = Number(given.minErrorTurns)
  }
  return { ...base, ...changed }
}
