import { sortByCodePoint } from '../pddl/code-points.js'
import type { PlayableScript } from './read-playable.js'
import { type GroundAction, type Rules, type State, after, holds, isApplicable, isClosed, reachable } from './rules.js'
import { solveFrom } from './solve.js'

/** AgentRefine's flags: what is wrong with an action. */
export type ScriptError =
  /** No action has this form, or a value is not allowed in its slot. */
  | 'parameter_error'
  /** A thing in a slot is not reachable, or a precondition about places does not hold. */
  | 'place_error'
  /** Another precondition does not hold. */
  | 'logic_error'

/** The result of one action. */
export interface ScriptAnswer {
  readonly observation: string
  /** Absent where the action took effect. */
  readonly error?: ScriptError
  /** The largest share of the completion conditions that held at one time, 0 to 1. */
  readonly progress: number
  /** Whether all of them hold. */
  readonly won: boolean
}

/** What an action that is not possible is answered. */
export const errorSentences: Readonly<Record<ScriptError, string>> = {
  parameter_error: 'The action is not understood.',
  place_error: 'Nothing happens: what this needs is not within reach.',
  logic_error: 'Nothing happens: something else is needed first.',
}

/** A live game of a script. */
export function beginScript({ rules }: PlayableScript) {
  let state = rules.start
  let reach = reachable(rules, state)
  let listed: readonly string[] | undefined
  const share = (): number =>
    rules.completion.filter((fact) => holds(fact, state)).length / Math.max(rules.completion.length, 1)
  let progress = share()

  const attempt = (text: string): { readonly action: GroundAction; readonly next: State } | ScriptError => {
    const action = rules.byText.get(text)
    if (action === undefined) return 'parameter_error'
    if (!isApplicable(action, state, reach)) {
      const isFar = action.named.some((thing) => reach[thing] !== 1)
      const failing = action.preconditions.filter((precondition) => !holds(precondition, state))
      const isElsewhere = failing.some(({ flag, holder }) => flag === -1 && holder !== rules.player)
      return isFar || isElsewhere ? 'place_error' : 'logic_error'
    }
    const next = after(rules, action, state)
    return next === undefined ? 'place_error' : { action, next }
  }
  const answer = (observation: string, error?: ScriptError): ScriptAnswer => ({
    observation,
    ...(error && { error }),
    progress,
    won: rules.completion.every((fact) => holds(fact, state)),
  })
  return {
    opening: describeOpening(rules, state),
    get progress() {
      return progress
    },
    step(text: string): ScriptAnswer {
      const tried = attempt(text)
      if (typeof tried === 'string') return answer(errorSentences[tried], tried)
      const before = state
      state = tried.next
      reach = reachable(rules, state)
      listed = undefined
      progress = Math.max(progress, share())
      const arrives = tried.action.effects.some(({ thing }) => thing === rules.player)
      const opened = rules.names.flatMap((_, thing) =>
        isClosed(rules, before, thing) && !isClosed(rules, state, thing) && reach[thing] === 1 ? [thing] : [],
      )
      return answer(
        [
          tried.action.observation,
          ...(arrives ? [describePlace(rules, state)] : opened.map((thing) => describeInside(rules, state, thing))),
        ].join(' '),
      )
    },
    /** The actions that are possible now, sorted by code point. */
    admissible: () =>
      (listed ??= sortByCodePoint(
        rules.actions
          .filter((action) => isApplicable(action, state, reach) && after(rules, action, state) !== undefined)
          .map(({ text }) => text),
      )),
    /** Nearly shortest actions from here to completion; undefined where none were found in bounded work. */
    solve: () => {
      const solution = solveFrom(rules, state)
      return solution.kind === 'solved' ? solution.actions : undefined
    },
    /** What is wrong with an action now, without taking it. */
    check(text: string): ScriptError | undefined {
      const tried = attempt(text)
      return typeof tried === 'string' ? tried : undefined
    },
  }
}

/** See {@link beginScript}. */
export type ScriptGame = ReturnType<typeof beginScript>

/** All places, so that the player can name them, and then what {@link describePlace} says. */
function describeOpening(rules: Rules, state: State): string {
  const places = rules.names.slice(0, rules.places)
  return `${places.length === 1 ? '' : `The places are: ${places.join(', ')}. `}${describePlace(rules, state)}`
}

/** Where the player stands, what is seen there, and what the player carries. */
function describePlace(rules: Rules, state: State): string {
  const place = state.locations[rules.player]!
  const seen = inside(rules, state, place)
  const held = inside(rules, state, rules.player)
  return [
    `You are in the ${rules.names[place]!}.`,
    seen.length === 0 ? 'You see nothing here.' : `You see: ${list(rules, state, seen)}.`,
    ...open(rules, state, seen),
    ...(held.length === 0 ? [] : [`You carry: ${list(rules, state, held)}.`, ...open(rules, state, held)]),
  ].join(' ')
}

/** What is in a thing that is not closed. */
function describeInside(rules: Rules, state: State, thing: number): string {
  const seen = inside(rules, state, thing)
  if (seen.length === 0) return `Nothing is in the ${rules.names[thing]!}.`
  return open(rules, state, [thing]).join(' ')
}

/** A sentence for each of the things, and for those in them at any depth, that are not closed and not empty. */
function open(rules: Rules, state: State, things: readonly number[]): readonly string[] {
  return things.flatMap((thing) => {
    const seen = isClosed(rules, state, thing) ? [] : inside(rules, state, thing)
    if (seen.length === 0) return []
    return [`In the ${rules.names[thing]!}: ${list(rules, state, seen)}.`, ...open(rules, state, seen)]
  })
}

/** In the order of the script. */
function inside({ names, places }: Rules, { locations }: State, holder: number): readonly number[] {
  return names.flatMap((_, thing) => (thing >= places && locations[thing] === holder ? [thing] : []))
}

function list({ names, flags }: Rules, state: State, things: readonly number[]): string {
  return things
    .map((thing) => {
      const states = flags.flatMap((flag, index) =>
        flag.thing === thing && state.flags[index] === 1 ? [flag.state] : [],
      )
      return states.length === 0 ? names[thing]! : `${names[thing]!} (${states.join(' and ')})`
    })
    .join(', ')
}
