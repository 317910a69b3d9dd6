import { ShaketableError, suggest } from '../../core/errors.js'

/** What a condition names: a name itself, or a slot whose value is meant. */
export type Term = { readonly name: string } | { readonly slot: string }

/** A condition or an effect, read. `positive` is false after `not `. */
export type Condition = { readonly positive: boolean; readonly text: string } & (
  | { readonly kind: 'at'; readonly object: Term }
  | { readonly kind: 'has'; readonly object: Term }
  | { readonly kind: 'in'; readonly subject: Term; readonly object: Term }
  | { readonly kind: 'is'; readonly subject: Term; readonly object: Term }
)

/** What the terms of a list may be. */
export interface Names {
  readonly places: ReadonlySet<string>
  readonly things: ReadonlySet<string>
  /** The values of each slot; none in completion conditions. */
  readonly slots: ReadonlyMap<string, readonly string[]>
}

/** Words that mark the parts of a condition, so that no name may have them. */
export const markers = /(?:^| )(?:in|is|at|has|not)(?: |$)/i

/** One word, with hyphens in it. */
export const statePattern = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u

/** Ends the message of every error. */
export const advice = 'docs/benchmarks.md describes the format.'

const forms = "'player at PLACE', 'player has THING', 'THING in THING-OR-PLACE' or 'THING is STATE'"

/**
 * Reads one condition or effect.
 * @param where its list, as a subject: `The preconditions of 'take {thing}'`
 * @throws ShaketableError `bad-input` for another form, an unknown name or slot, or a name of the wrong kind
 */
function readCondition(text: string, where: string, names: Names): Condition {
  const positive = !text.startsWith('not ')
  const bare = positive ? text : text.slice('not '.length)
  const fail = (expected: string, hint = ''): never => {
    const got = `got '${text.slice(0, 200)}'.${hint}`
    throw new ShaketableError('bad-input', `${where}: expected ${expected}, ${got} ${advice}`)
  }
  const term = (part: string, expected: string, fits: (name: string) => boolean): Term => {
    const slot = /^\{(\w+)\}$/.exec(part)?.[1]
    if (slot === undefined) {
      if (!fits(part)) fail(`${expected} for '${part.slice(0, 60)}'`, suggest(part, allNames(names)))
      return { name: part }
    }
    const values = names.slots.get(slot)
    if (values === undefined) return fail(`a slot of the action for '{${slot.slice(0, 60)}}'`)
    const stray = values.find((value) => !fits(value))
    if (stray !== undefined) fail(`${expected} for each value of {${slot}}, of which '${stray}' is none`)
    return { slot }
  }
  const isThing = (name: string): boolean => names.things.has(name)
  const isPlace = (name: string): boolean => names.places.has(name)
  const at = /^player at (.+)$/.exec(bare)
  if (at) return { positive, text, kind: 'at', object: term(at[1]!, 'a place', isPlace) }
  const has = /^player has (.+)$/.exec(bare)
  if (has) return { positive, text, kind: 'has', object: term(has[1]!, 'a thing', isThing) }
  const within = /^(.+?) in (.+)$/.exec(bare)
  if (within) {
    const subject = term(within[1]!, 'a thing', isThing)
    const object = term(within[2]!, 'a thing or a place', (name) => isThing(name) || isPlace(name))
    if (sameTerm(subject, object)) fail('a thing in something else')
    return { positive, text, kind: 'in', subject, object }
  }
  const is = /^(.+?) is (.+)$/.exec(bare)
  if (is) {
    const subject = term(is[1]!, 'a thing', isThing)
    const object = term(is[2]!, 'a state of one word', (state) => state.length <= 60 && statePattern.test(state))
    return { positive, text, kind: 'is', subject, object }
  }
  return fail(forms)
}

/** Reads a list of conditions or effects. @throws ShaketableError as for each of them */
export function readConditions(list: readonly string[], where: string, names: Names): readonly Condition[] {
  return list.map((text) => readCondition(text, where, names))
}

function allNames({ places, things }: Names): readonly string[] {
  return [...places, ...things]
}

/** Where a condition puts a thing; without a holder it is carried. */
export function locationOf(condition: Condition): { readonly thing: Term; readonly holder?: Term } | undefined {
  if (condition.kind === 'has') return { thing: condition.object }
  return condition.kind === 'in' ? { thing: condition.subject, holder: condition.object } : undefined
}

export function sameTerm(a: Term, b: Term): boolean {
  return 'name' in a ? 'name' in b && a.name === b.name : 'slot' in b && a.slot === b.slot
}
