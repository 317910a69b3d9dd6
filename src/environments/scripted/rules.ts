import { ShaketableError } from '../../core/errors.js'
import type { ActionForm } from '../../core/form.js'
import { printForm } from '../../core/form.js'
import type { Condition, Term } from './conditions.js'
import { advice } from './conditions.js'

/** What a thing's location is where it is in no place and no thing. */
export const carried = -1
/** See {@link carried}. */
export const removed = -2

/**
 * A state of the world. Places and things have one numbering, places first: `locations[n]` is the number of the place
 * or thing that the thing n is in, or {@link carried} or {@link removed}; those of places are not used.
 */
export interface State {
  player: number
  readonly locations: number[]
  /** One entry for each state of a thing that can occur: 1 while it holds. */
  readonly flags: number[]
}

/** A condition or effect without slots. `a` and `b` are numbers of places and things; that of `is` is of a flag. */
export type Fact =
  | { readonly kind: 'at'; readonly a: number; readonly positive: boolean }
  | { readonly kind: 'has'; readonly a: number; readonly positive: boolean }
  | { readonly kind: 'in'; readonly a: number; readonly b: number; readonly positive: boolean }
  | { readonly kind: 'is'; readonly a: number; readonly positive: boolean }

/** An action with values in its slots. */
export interface GroundAction {
  readonly text: string
  readonly observation: string
  /** The things in its slots, which must be reachable. */
  readonly named: readonly number[]
  readonly preconditions: readonly Fact[]
  /** What is removed first, then what is added. */
  readonly effects: readonly Fact[]
}

/** A script as the engine and the solver use it. */
export interface Rules {
  /** Places, then things. */
  readonly names: readonly string[]
  readonly places: number
  /** The thing and the state of each flag. */
  readonly flags: readonly { readonly thing: number; readonly state: string }[]
  /** The flag of each thing that says that it is closed; -1 where it never is. */
  readonly closed: Int16Array
  readonly start: State
  readonly completion: readonly Fact[]
  readonly actions: readonly GroundAction[]
  /** By text. */
  readonly byText: ReadonlyMap<string, GroundAction>
}

/** An action as it is read. */
export interface ActionSchema extends ActionForm {
  readonly slots: ReadonlyMap<string, readonly string[]>
  readonly preconditions: readonly Condition[]
  readonly effects: readonly Condition[]
  readonly observation: string
}

/** A thing as it stands at the start. */
export interface StartThing {
  readonly name: string
  readonly holder: string
  readonly states: readonly string[]
}

/** The maximum number of actions with their slots filled, of a script. */
export const maxGroundActions = 50_000

/**
 * Fills the slots of all actions with all of their values.
 * @throws ShaketableError `bad-input` where there are too many, or two have the same text
 */
export function compileRules(
  places: readonly string[],
  things: readonly StartThing[],
  player: string,
  completion: readonly Condition[],
  schemas: readonly ActionSchema[],
): Rules {
  const names = [...places, ...things.map(({ name }) => name)]
  const numbers = new Map(names.map((name, index) => [name, index]))
  const flags: { thing: number; state: string }[] = []
  const flagNumbers = new Map<string, number>()
  const closed = new Int16Array(names.length).fill(-1)
  const flagOf = (thing: number, state: string): number => {
    const key = `${String(thing)} ${state}`
    const known = flagNumbers.get(key)
    if (known !== undefined) return known
    const flag = flags.push({ thing, state }) - 1
    flagNumbers.set(key, flag)
    if (state === closedState) closed[thing] = flag
    return flag
  }
  for (const { name, states } of things) for (const state of states) flagOf(numbers.get(name)!, state)
  const factOf = (condition: Condition, filling: ReadonlyMap<string, string>): Fact => {
    const valueOf = (term: Term): string => ('name' in term ? term.name : filling.get(term.slot)!)
    const { kind, positive } = condition
    if (kind === 'at' || kind === 'has') return { kind, positive, a: numbers.get(valueOf(condition.object))! }
    const subject = numbers.get(valueOf(condition.subject))!
    if (kind === 'is') return { kind, positive, a: flagOf(subject, valueOf(condition.object)) }
    return { kind, positive, a: subject, b: numbers.get(valueOf(condition.object))! }
  }

  const byText = new Map<string, GroundAction>()
  const templates = new Map<GroundAction, string>()
  for (const schema of schemas) {
    const count = [...schema.slots.values()].reduce((product, { length }) => product * length, 1)
    if (byText.size + count > maxGroundActions) {
      throw new ShaketableError(
        'bad-input',
        `Expected actions with at most ${maxGroundActions.toLocaleString('en')} combinations of values in all, got more with '${schema.template}'. Give its slots fewer values.`,
      )
    }
    for (const filling of fillings(schema)) {
      const valueOf = (slot: string): string | undefined => filling.get(slot)
      const action: GroundAction = {
        text: printForm(schema.template, valueOf),
        observation: printForm(schema.observation, valueOf),
        named: [...new Set([...filling.values()].map((value) => numbers.get(value) ?? -1))].filter(
          (number) => number >= places.length,
        ),
        preconditions: schema.preconditions.map((one) => factOf(one, filling)),
        effects: schema.effects
          .map((one) => factOf(one, filling))
          .sort((one, other) => Number(one.positive) - Number(other.positive)),
      }
      const other = byText.get(action.text)
      if (other !== undefined) {
        throw new ShaketableError(
          'bad-input',
          `Expected actions with different texts, got '${action.text}' from '${schema.template}' and from '${templates.get(other)!}'. ${advice}`,
        )
      }
      byText.set(action.text, action)
      templates.set(action, schema.template)
    }
  }
  const conditions = completion.map((one) => factOf(one, new Map()))
  const start: State = {
    player: numbers.get(player)!,
    locations: [...places.map(() => removed), ...things.map(({ holder }) => numbers.get(holder)!)],
    flags: flags.map(() => 0),
  }
  for (const { name, states } of things) for (const state of states) start.flags[flagOf(numbers.get(name)!, state)] = 1
  return {
    names,
    places: places.length,
    flags,
    closed,
    start,
    completion: conditions,
    actions: [...byText.values()],
    byText,
  }
}

/** The state with a meaning of its own: what is inside is neither seen nor reachable. */
const closedState = 'closed'

function* fillings({ slots }: ActionSchema): Generator<ReadonlyMap<string, string>, void, undefined> {
  const names = [...slots.keys()]
  const filling = new Map<string, string>()
  function* from(index: number): Generator<ReadonlyMap<string, string>, void, undefined> {
    if (index === names.length) {
      yield new Map(filling)
      return
    }
    for (const value of slots.get(names[index]!)!) {
      filling.set(names[index]!, value)
      yield* from(index + 1)
    }
  }
  yield* from(0)
}

/** Whether a condition holds. */
export function holds(fact: Fact, state: State): boolean {
  switch (fact.kind) {
    case 'at':
      return (state.player === fact.a) === fact.positive
    case 'has':
      return (state.locations[fact.a] === carried) === fact.positive
    case 'in':
      return (state.locations[fact.a] === fact.b) === fact.positive
    case 'is':
      return (state.flags[fact.a] === 1) === fact.positive
  }
}

/**
 * Which things are reachable: carried, or in the player's place, at any depth, and in nothing closed. One entry for
 * each name: 1 where it is, 2 where it is not; those of places are not used.
 */
export function reachable(rules: Rules, state: State): readonly number[] {
  // Small plain arrays are copied and made faster than typed ones.
  const known: number[] = Array.from(rules.names, () => 0)
  const [yes, no] = [1, 2]
  const visit = (thing: number): number => {
    if (known[thing] !== 0) return known[thing]!
    const holder = state.locations[thing]!
    let answer = no
    if (holder === carried || holder === state.player) answer = yes
    else if (holder >= rules.places && !isClosed(rules, state, holder)) answer = visit(holder)
    return (known[thing] = answer)
  }
  for (let thing = rules.places; thing < known.length; thing++) visit(thing)
  return known
}

/** Whether a thing is closed. */
export function isClosed(rules: Rules, state: State, thing: number): boolean {
  const flag = rules.closed[thing]!
  return flag !== -1 && state.flags[flag] === 1
}

/** Whether all preconditions hold and all things in the slots are reachable. */
export function isApplicable(action: GroundAction, state: State, reach: readonly number[]): boolean {
  return action.preconditions.every((one) => holds(one, state)) && action.named.every((thing) => reach[thing] === 1)
}

/** The state after an action that is applicable; undefined where a thing would be inside itself. */
export function after(rules: Rules, { effects }: GroundAction, state: State): State | undefined {
  const next: State = { player: state.player, locations: state.locations.slice(), flags: state.flags.slice() }
  for (const effect of effects) apply(effect, next)
  const moved = effects.filter(({ kind, positive }) => kind === 'in' && positive)
  return moved.some(({ a }) => isInItself(rules, next, a)) ? undefined : next
}

/** Makes an effect true in a state, in place. */
export function apply(effect: Fact, state: State): void {
  switch (effect.kind) {
    case 'at':
      state.player = effect.a
      return
    case 'has':
      if (effect.positive) state.locations[effect.a] = carried
      else if (state.locations[effect.a] === carried) state.locations[effect.a] = removed
      return
    case 'in':
      if (effect.positive) state.locations[effect.a] = effect.b
      else if (state.locations[effect.a] === effect.b) state.locations[effect.a] = removed
      return
    case 'is':
      state.flags[effect.a] = effect.positive ? 1 : 0
  }
}

/** Whether a thing is in itself, at any depth. */
export function isInItself({ places }: Rules, { locations }: State, thing: number): boolean {
  let holder = locations[thing]!
  for (let depth = 0; holder >= places && depth <= locations.length; depth++) {
    if (holder === thing) return true
    holder = locations[holder]!
  }
  return holder >= places
}
