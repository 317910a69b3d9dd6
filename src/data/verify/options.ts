import { ShaketableError, unknownName } from '../../core/errors.js'

/**
 * How a trajectory is verified: one field for each thing that AgentRefine's Algorithm 1 leaves open. docs/verify.md
 * gives the reasons.
 */
export interface VerifyOptions {
  /**
   * What becomes of a record that is no trajectory in JSON: it counts as rejected, or is named and left out of the
   * count.
   */
  readonly unreadable: 'reject' | 'leave-out'
  /** The least number of errors that a trajectory must contain. */
  readonly minErrorTurns: number
  /** What counts as one: each turn of the DM that signals an error, or a run of them that a turn without error ends. */
  readonly countErrors: 'turns' | 'corrected'
  /** The keys of a turn: those of its role and no others, or at least those. */
  readonly keys: 'exact' | 'required'
  /** Who must have the last turn. */
  readonly lastTurn: 'dm' | 'any'
  /** An action that no turn of the DM follows: check it like one without error, or let it pass. */
  readonly missingReply: 'check' | 'pass'
  /**
   * Where the verified prefix ends: behind the last whole exchange (a turn of the DM), or behind the last verified
   * turn.
   */
  readonly prefix: 'exchanges' | 'turns'
  /** How much of an action a pattern must match. */
  readonly match: 'all' | 'start'
  /** How a pattern's unnamed groups belong to the slots of its action: as many as slots, or as far as they go. */
  readonly groups: 'one-to-one' | 'in-order'
  /** How a value is compared with those allowed: to the letter, or without regard to case and to how many spaces. */
  readonly spelling: 'exact' | 'folded'
  /** A value that is not in the list of its slot: refused, or accepted where an observation has mentioned it before. */
  readonly newValues: 'refuse' | 'seen'
  /** An action that the DM calls wrong: not looked at, or of the form of an available action all the same. */
  readonly flagged: 'accept' | 'check-form'
  /** The DM's flags: believed, or refused where `parameter_error` is said of an action that the script allows. */
  readonly flags: 'trust' | 'check'
  /** The order of turns: numbers that go up by one and roles that take turns, or any. */
  readonly order: 'strict' | 'any'
}

/** Algorithm 1 as it is printed, and as it seems to be meant. */
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

/** What each option may be, that of `strict` first; `minErrorTurns` is a number. */
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
 * The options of a profile with those that are given instead.
 * @throws ShaketableError `usage` for a profile that there is not, or a value that an option does not have
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
