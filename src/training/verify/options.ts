import { ShaketableError, unknownName } from '../../core/errors.js'

/**
 * How a trajectory is verified: one field for each point that AgentRefine's Algorithm 1 leaves open.
 * docs/verify-options.md gives the reasons.
 */
export interface VerifyOptions {
  /** A record that is not a trajectory in JSON: counted as rejected, or reported and left out of the counts. */
  readonly unreadable: 'reject' | 'leave-out'
  /** The minimum number of errors in a trajectory. */
  readonly minErrorTurns: number
  /**
   * What counts as an error: each DM turn that signals one, or a series of such turns that a turn without an error
   * ends.
   */
  readonly countErrors: 'turns' | 'corrected'
  /** The keys of a turn: exactly those of its role, or at least those. */
  readonly keys: 'exact' | 'required'
  /** Whose turn must be the last. */
  readonly lastTurn: 'dm' | 'any'
  /** An action that no DM turn follows: checked like one without an error, or accepted unchecked. */
  readonly missingReply: 'check' | 'pass'
  /** Where the verified prefix ends: after the last complete exchange (a DM turn), or after the last verified turn. */
  readonly prefix: 'exchanges' | 'turns'
  /** How much of an action a pattern must match. */
  readonly match: 'all' | 'start'
  /**
   * How a pattern's unnamed groups map to the slots of its action: one for each slot, or in order as far as they go.
   */
  readonly groups: 'one-to-one' | 'in-order'
  /** How a value is compared with the allowed ones: exactly, or ignoring case and the amount of white space. */
  readonly spelling: 'exact' | 'folded'
  /** A value that is not in the list of its slot: refused, or accepted if an earlier observation mentions it. */
  readonly newValues: 'refuse' | 'seen'
  /**
   * An action that the DM flags as an error: not checked, or still required to have the form of an available action.
   */
  readonly flagged: 'accept' | 'check-form'
  /** The DM's flags: trusted, or refused if `parameter_error` is set for an action that the script allows. */
  readonly flags: 'trust' | 'check'
  /** The order of turns: consecutive numbers and alternating roles, or any. */
  readonly order: 'strict' | 'any'
}

/** Algorithm 1 as it seems to be meant (`strict`) and as it is printed (`paper-literal`). */
export const profiles = {
  strict: {
    unreadable: 'reject',
    minErrorTurns: 2,
    countErrors: 'corrected',
    keys: 'exact',
    lastTurn: 'dm',
    missingReply: 'check',
    prefix: 'exchanges',
    match: 'all',
    groups: 'one-to-one',
    spelling: 'exact',
    newValues: 'refuse',
    flagged: 'accept',
    flags: 'trust',
    order: 'strict',
  },
  'paper-literal': {
    unreadable: 'leave-out',
    minErrorTurns: 1,
    countErrors: 'turns',
    keys: 'required',
    lastTurn: 'any',
    missingReply: 'pass',
    prefix: 'turns',
    match: 'start',
    groups: 'in-order',
    spelling: 'exact',
    newValues: 'refuse',
    flagged: 'accept',
    flags: 'trust',
    order: 'any',
  },
} as const satisfies Record<string, VerifyOptions>

/** The values of each option, that of `strict` first; `minErrorTurns` is a number. */
export const choices: Readonly<Record<Exclude<keyof VerifyOptions, 'minErrorTurns'>, readonly [string, string]>> = {
  unreadable: ['reject', 'leave-out'],
  countErrors: ['corrected', 'turns'],
  keys: ['exact', 'required'],
  lastTurn: ['dm', 'any'],
  missingReply: ['check', 'pass'],
  prefix: ['exchanges', 'turns'],
  match: ['all', 'start'],
  groups: ['one-to-one', 'in-order'],
  spelling: ['exact', 'folded'],
  newValues: ['refuse', 'seen'],
  flagged: ['accept', 'check-form'],
  flags: ['trust', 'check'],
  order: ['strict', 'any'],
}

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
  for (const [option, values] of Object.entries(choices)) {
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
