import { ShaketableError, suggest } from '../../core/errors.js'
import { type ActionForm, printForm } from '../../core/form.js'

/** Ends the message of every error. */
export const advice = 'docs/benchmarks.md describes the format.'

/**
 * A state of the world. Places, things and the player have one numbering, in this order. Small plain arrays are copied
 * faster than typed ones.
 */
export interface State {
  /** What each is in: a place or a thing, the player where it is carried, {@link nowhere}; not used for places. */
  readonly locations: number[]
  /** One entry for each state of a thing that can occur: 1 while it holds. */
  readonly flags: number[]
}

/** The location of what is in no place and no thing. */
export const nowhere = -1

/** A condition or an effect: a thing or the player is, or is not, in `holder`, or has the state of a flag. */
export interface Fact {
  readonly positive: boolean
  readonly thing: number
  /** -1 for a fact about a state. */
  readonly holder: number
  /** -1 for a fact about a location. */
  readonly flag: number
}

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
  /** Places, then things. The number of the player is the next one. */
  readonly names: readonly string[]
  readonly places: number
  readonly player: number
  /** The thing and the state of each flag. */
  readonly flags: readonly { readonly thing: number; readonly state: string }[]
  /** The flag of each thing that says that it is closed; absent where it never is. */
  readonly closed: ReadonlyMap<number, number>
  readonly start: State
  readonly completion: readonly Fact[]
  readonly actions: readonly GroundAction[]
  /** By text. */
  readonly byText: ReadonlyMap<string, GroundAction>
}

/** An action as it is read; its conditions and effects may have slots. */
export interface ActionSchema extends ActionForm {
  readonly slots: ReadonlyMap<string, readonly string[]>
  readonly preconditions: readonly string[]
  readonly effects: readonly string[]
  readonly observation: string
}

/** A thing as it stands at the start. */
export interface StartThing {
  readonly name: string
  readonly holder: string
  readonly states: readonly string[]
}

/** One word, with hyphens in it. */
export const statePattern = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u

/** The state with a meaning of its own: what is inside is neither seen nor reachable. */
const closedState = 'closed'
/** The maximum number of actions with their slots filled, of a script. */
const maxGroundActions = 50_000

/**
 * Fills the slots of all actions with all of their values.
 * @throws ShaketableError `bad-input` where there are too many, two have the same text, or one has a condition of
 * another form, with an unknown name or with a name of the wrong kind
 */
export function compileRules(
  places: readonly string[],
  things: readonly StartThing[],
  start: string,
  completion: readonly string[],
  schemas: readonly ActionSchema[],
): Rules {
  const names = [...places, ...things.map(({ name }) => name)]
  const player = names.length
  const numbers = new Map(names.map((name, index) => [name, index]))
  const flags: { thing: number; state: string }[] = []
  const closed = new Map<number, number>()
  const known = new Map<string, Omit<Fact, 'positive'>>()
  const factOf = (text: string, where: string): Fact => {
    const bare = text.replace(/^not /, '')
    const fact = known.get(bare) ?? readFact(bare, text, where)
    known.set(bare, fact)
    return { ...fact, positive: bare === text }
  }
  const readFact = (bare: string, text: string, where: string): Omit<Fact, 'positive'> => {
    const fail = (expected: string, hint = ''): never => {
      throw new ShaketableError(
        'bad-input',
        `${where}: expected ${expected}, got '${text.slice(0, 200)}'.${hint} ${advice}`,
      )
    }
    const numberOf = (name: string, expected: string, from: number, to: number): number => {
      const number = numbers.get(name) ?? -1
      return number >= from && number < to
        ? number
        : fail(`${expected} for '${name.slice(0, 60)}'`, suggest(name, names.slice(from, to)))
    }
    const thingOf = (name: string): number => numberOf(name, 'a thing', places.length, player)
    const [, subject = '', verb = '', object = ''] = /^(.+?) (at|has|in|is) (.+)$/.exec(bare) ?? []
    if (subject === 'player' && verb === 'at') {
      return { thing: player, holder: numberOf(object, 'a place', 0, places.length), flag: -1 }
    }
    if (subject === 'player' && verb === 'has') return { thing: thingOf(object), holder: player, flag: -1 }
    if (verb === 'in') {
      return { thing: thingOf(subject), holder: numberOf(object, 'a thing or a place', 0, player), flag: -1 }
    }
    if (verb === 'is') {
      const thing = thingOf(subject)
      if (object.length > 60 || !statePattern.test(object))
        return fail(`a state of one word for '${object.slice(0, 60)}'`)
      const flag = flags.push({ thing, state: object }) - 1
      if (object === closedState) closed.set(thing, flag)
      return { thing, holder: -1, flag }
    }
    return fail("'player at PLACE', 'player has THING', 'THING in THING-OR-PLACE' or 'THING is STATE'")
  }
  const startFlags = things.flatMap(({ name, states }) =>
    states.map((state) => factOf(`${name} is ${state}`, `The states of '${name}'`).flag),
  )

  const byText = new Map<string, GroundAction>()
  const templates = new Map<GroundAction, string>()
  for (const schema of schemas) {
    const { template } = schema
    const count = [...schema.slots.values()].reduce((product, { length }) => product * length, 1)
    if (byText.size + count > maxGroundActions) {
      throw new ShaketableError(
        'bad-input',
        `Expected actions with at most ${maxGroundActions.toLocaleString('en')} combinations of values in all, got more with '${template}'. Give its slots fewer values.`,
      )
    }
    for (const filling of fillings(schema)) {
      const filled = (text: string): string => printForm(text, (slot) => filling.get(slot))
      const facts = (texts: readonly string[], what: string): Fact[] =>
        texts.map((text) => factOf(filled(text), `The ${what} of '${template}'`))
      const action: GroundAction = {
        text: filled(template),
        observation: filled(schema.observation),
        named: [...new Set(Array.from(filling.values(), (value) => numbers.get(value) ?? -1))].filter(
          (number) => number >= places.length,
        ),
        preconditions: facts(schema.preconditions, 'preconditions'),
        effects: facts(schema.effects, 'effects').sort((one, other) => Number(one.positive) - Number(other.positive)),
      }
      const other = byText.get(action.text)
      if (other !== undefined) {
        throw new ShaketableError(
          'bad-input',
          `Expected actions with different texts, got '${action.text}' from '${template}' and from '${templates.get(other)!}'. ${advice}`,
        )
      }
      byText.set(action.text, action)
      templates.set(action, template)
    }
  }
  const wanted = completion.map((text) => factOf(text, 'The completion conditions'))
  return {
    names,
    places: places.length,
    player,
    flags,
    closed,
    start: {
      locations: [
        ...places.map(() => nowhere),
        ...things.map(({ holder }) => numbers.get(holder)!),
        numbers.get(start)!,
      ],
      flags: flags.map((_, flag) => Number(startFlags.includes(flag))),
    },
    completion: wanted,
    actions: [...byText.values()],
    byText,
  }
}

function fillings({ slots }: ActionSchema): readonly ReadonlyMap<string, string>[] {
  let bindings: readonly ReadonlyMap<string, string>[] = [new Map()]
  for (const [slot, values] of slots) {
    bindings = bindings.flatMap((filling) => values.map((value) => new Map([...filling, [slot, value]])))
  }
  return bindings
}

/** Whether a condition holds. */
export function holds({ positive, thing, holder, flag }: Fact, { locations, flags }: State): boolean {
  return (flag === -1 ? locations[thing] === holder : flags[flag] === 1) === positive
}

/**
 * Which things are reachable: carried, or in the player's place, at any depth, and in nothing closed. One entry for
 * each name: 1 where it is, 2 where it is not; those of places are not used.
 */
export function reachable(rules: Rules, state: State): readonly number[] {
  const known: number[] = Array.from(rules.names, () => 0)
  const [yes, no] = [1, 2]
  const here = state.locations[rules.player]
  const visit = (thing: number): number => {
    if (known[thing] !== 0) return known[thing]!
    const holder = state.locations[thing]!
    let answer = no
    if (holder === rules.player || holder === here) answer = yes
    else if (holder >= rules.places && !isClosed(rules, state, holder)) answer = visit(holder)
    return (known[thing] = answer)
  }
  for (let thing = rules.places; thing < known.length; thing++) visit(thing)
  return known
}

/** Whether a thing is closed. */
export function isClosed({ closed }: Rules, { flags }: State, thing: number): boolean {
  return flags[closed.get(thing) ?? -1] === 1
}

/** Whether all preconditions hold and all things in the slots are reachable. */
export function isApplicable(action: GroundAction, state: State, reach: readonly number[]): boolean {
  return (
    action.preconditions.every((precondition) => holds(precondition, state)) &&
    action.named.every((thing) => reach[thing] === 1)
  )
}

/** The state after an action that is applicable; undefined where a thing would be inside itself. */
export function after(rules: Rules, { effects }: GroundAction, state: State): State | undefined {
  const next: State = { locations: state.locations.slice(), flags: state.flags.slice() }
  for (const effect of effects) apply(effect, next)
  const isMove = ({ positive, holder }: Fact): boolean => positive && holder >= rules.places
  return effects.some((effect) => isMove(effect) && isInItself(rules, next, effect.thing)) ? undefined : next
}

/** Makes an effect true in a state, in place. */
export function apply({ positive, thing, holder, flag }: Fact, { locations, flags }: State): void {
  if (flag !== -1) flags[flag] = positive ? 1 : 0
  else if (positive) locations[thing] = holder
  else if (locations[thing] === holder) locations[thing] = nowhere
}

/** Whether a thing is in itself, at any depth. */
export function isInItself({ places, player }: Rules, { locations }: State, thing: number): boolean {
  let holder = locations[thing]!
  for (let depth = 0; holder >= places && holder < player && depth <= locations.length; depth++) {
    if (holder === thing) return true
    holder = locations[holder]!
  }
  return holder >= places && holder < player
}
