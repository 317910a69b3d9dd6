import type { Script, ScriptAction } from './script.js'
import { type ScriptedTurn, errorsOf, nameOf, readTurn } from './turn.js'
import { isObject } from '../../files/json.js'

/** How a trajectory is verified. */
export interface VerifyOptions {
  /** Algorithm 1 as it is printed, and not as it seems to be meant; docs/training-data.md lists the differences. */
  readonly literal: boolean
  /** The minimum number of errors in a trajectory. */
  readonly minErrorTurns: number
}

/** Algorithm 1 as it seems to be meant (`strict`) and as it is printed (`paper-literal`). */
export const profiles = {
  strict: { literal: false, minErrorTurns: 2 },
  'paper-literal': { literal: true, minErrorTurns: 1 },
} as const satisfies Readonly<Record<string, VerifyOptions>>

/** The rules that a trajectory can fail. */
export type VerifyRule =
  /** It is no trajectory in JSON, or has no script that can be used. */
  | 'unreadable'
  /** A key is missing, unknown or of the wrong type. */
  | 'keys'
  /** Numbers do not increase by one, or two consecutive turns have the same role. */
  | 'order'
  /** The script does not have the action, though the DM signals no error. */
  | 'action'
  /** The script does not allow a parameter, though the DM signals no error. */
  | 'value'
  /** The last turn is not the DM's. */
  | 'last-turn'
  /** The last turn signals an error. */
  | 'last-error'
  /** The last observation does not report success. */
  | 'success'
  /** Fewer errors than required. */
  | 'error-turns'
  /** Marks of a prompt in a turn, or a success that is claimed before the end; only with the script's world. */
  | 'tags'
  /** The DM accepts an action that the script's world refuses. */
  | 'world-refuses'
  /** The DM signals an error for an action that the script's world accepts. */
  | 'world-accepts'
  /** The completion conditions do not hold in the script's world at the end. */
  | 'unfinished'

/** Where and why a trajectory fails. */
export interface Rejection {
  readonly rule: VerifyRule
  /** Position of the turn, from 1; 0 if there are no turns. */
  readonly position: number
  /** The turn's own number, if it has one. */
  readonly turn?: number
  readonly evidence: string
}

/** The result of verifying a trajectory. */
export interface Verdict {
  readonly accepted: boolean
  readonly rejection?: Rejection
  /**
   * All turns of an accepted trajectory, otherwise the prefix from which it can be continued; empty if it must be
   * generated anew.
   */
  readonly verified: readonly ScriptedTurn[]
  /** Errors found before verification ended: turns that signal one if literal, else series of such turns. */
  readonly errors: number
}

/** Text that the last observation must contain. */
const success = 'Task Succeed'

/**
 * Verifies a trajectory against its script: Algorithm 1 of AgentRefine (arXiv 2501.01702). The options decide what it
 * leaves open. Verification stops at the first turn that fails.
 */
export function verifyTrajectory(turns: readonly unknown[], script: Script, options: VerifyOptions): Verdict {
  const { literal } = options
  const verified: ScriptedTurn[] = []
  let errors = 0
  let isPending = false
  const reject = ({ rule, evidence }: Fault, position: number): Verdict => {
    const number: unknown = (turns[position] as { turn?: unknown } | null | undefined)?.turn
    const turn = Number.isSafeInteger(number) ? { turn: number as number } : {}
    // A trajectory with too few errors is generated anew.
    const kept = rule === 'error-turns' ? [] : literal ? verified : wholeExchanges(verified)
    return { accepted: false, rejection: { rule, position: position + 1, ...turn, evidence }, verified: kept, errors }
  }
  for (const [position, value] of turns.entries()) {
    const turn = readTurn(value, literal ? 'required' : 'exact')
    if ('problem' in turn) return reject({ rule: 'keys', evidence: turn.problem }, position)
    const disorder = literal ? undefined : faultOfOrder(turn, verified.at(-1))
    if (disorder !== undefined) return reject(disorder, position)
    let fault: Fault | undefined
    if (turn.role === 'Player') {
      const reply = literal ? replyAfter(turns, position) : turns[position + 1]
      if (errorsOf(reply).length === 0 && !(literal && reply === undefined))
        fault = checkAction(turn.Action, script, literal)
    } else {
      const signals = errorsOf(turn)
      if (literal ? signals.length > 0 : signals.length === 0 && isPending) errors++
      isPending = signals.length > 0
      if (position === turns.length - 1) fault = faultOfEnd(turn.Observation, signals, errors, options)
    }
    if (fault !== undefined) return reject(fault, position)
    verified.push(turn)
  }
  if (literal || verified.at(-1)?.role === 'DM') return { accepted: true, verified, errors }
  const evidence = verified.length === 0 ? 'it has no turns' : "the last turn is the Player's, and no answer follows"
  return reject({ rule: 'last-turn', evidence }, turns.length - 1)
}

/** The next turn of the DM, judged by its role alone. */
function replyAfter(turns: readonly unknown[], position: number): unknown {
  for (const turn of turns.slice(position + 1)) if (isObject(turn) && turn['role'] === 'DM') return turn
  return undefined
}

/** Turns up to the last answer of the DM. */
export function wholeExchanges(turns: readonly ScriptedTurn[]): readonly ScriptedTurn[] {
  return turns.slice(0, turns.findLastIndex(({ role }) => role === 'DM') + 1)
}

interface Fault {
  readonly rule: VerifyRule
  readonly evidence: string
}

function faultOfOrder(turn: ScriptedTurn, before: ScriptedTurn | undefined): Fault | undefined {
  if (before === undefined) return undefined
  const rule = 'order'
  if (turn.turn !== before.turn + 1)
    return { rule, evidence: `turn ${String(turn.turn)} follows turn ${String(before.turn)}` }
  return turn.role === before.role ? { rule, evidence: `two turns of the ${turn.role} follow each other` } : undefined
}

function faultOfEnd(
  observation: string,
  signals: readonly string[],
  errors: number,
  { literal, minErrorTurns }: VerifyOptions,
): Fault | undefined {
  if (signals.length > 0) return { rule: 'last-error', evidence: `the last turn signals ${signals.join(' and ')}` }
  if (!observation.includes(success)) {
    return { rule: 'success', evidence: `the last observation does not say "${success}": ${nameOf(observation)}` }
  }
  if (errors >= minErrorTurns) return undefined
  const kind = literal ? 'turns with an error' : 'corrected errors'
  const evidence = `${kind}: ${String(errors)}, at least ${String(minErrorTurns)} are asked for`
  return { rule: 'error-turns', evidence }
}

/** Whether a text contains a value that is not part of a longer word or number. */
export function mentions(text: string, value: string): boolean {
  const isPart = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character)
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + value.length])) return true
  }
  return false
}

/**
 * Checks an action against the available actions of a script and their allowed values.
 * @returns what is wrong, or undefined
 */
export function checkAction(text: string, script: Script, literal = false): Fault | undefined {
  const action = text.replace(/(?<![\r\n])[\r\n]+$/, '')
  if (action.length > script.longestAction) {
    const lengths = `${String(action.length)} characters long, more than the ${String(script.longestAction)}`
    const evidence = `${nameOf(action)} is ${lengths} that are tried with the patterns of this script`
    return { rule: 'action', evidence }
  }
  let fault: Fault | undefined
  for (const available of script.actions) {
    const groups = available.pattern?.match(action, literal ? 'start' : 'all')
    if (groups === undefined) continue
    const evidence = faultOfValues(available, groups, literal)
    if (evidence === undefined) return undefined
    fault ??= { rule: 'value', evidence }
  }
  if (fault !== undefined) return fault
  const templates = script.actions.map(({ template }) => template.slice(0, 60))
  const unused = script.actions.filter(({ pattern }) => pattern === undefined).length
  const why = unused === 0 ? '' : `; the patterns of ${String(unused)} of them cannot be used`
  return { rule: 'action', evidence: `${nameOf(action)} is none of the available actions: ${listOf(templates)}${why}` }
}

/** The first six of a list in words, and how many there are. */
function listOf(all: readonly string[]): string {
  return all.slice(0, 6).join(', ') + (all.length > 6 ? `, … (${String(all.length)})` : '')
}

function faultOfValues(
  { template, slots, pattern }: ScriptAction,
  values: readonly (string | undefined)[],
  literal: boolean,
): string | undefined {
  const unnamed = pattern!.groups.flatMap((name, group) => (name === undefined ? [group] : []))
  const open = slots.filter(({ name }) => !pattern!.groups.includes(name))
  const isListed = slots.some((slot) => slot.values !== undefined)
  if (!literal && isListed && unnamed.length !== open.length) {
    return `the pattern of '${template.slice(0, 60)}' has ${String(unnamed.length)} groups without a name for ${String(open.length)} slots, so its values cannot be told apart`
  }
  for (const slot of slots) {
    const named = pattern!.groups.indexOf(slot.name)
    const group = named === -1 ? unnamed[open.indexOf(slot)] : named
    const value = group === undefined ? undefined : values[group]
    if (slot.values === undefined || value === undefined || slot.values.includes(value)) continue
    return `the parameter ${slot.name.slice(0, 60)} of '${template.slice(0, 60)}' is ${nameOf(value)}, allowed are ${listOf(slot.values.map(nameOf))}`
  }
  return undefined
}
