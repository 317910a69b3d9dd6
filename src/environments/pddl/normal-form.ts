import type { ActionSchema, Domain } from './domain.js'
import type { Typed } from './expression.js'
import { type Formula, always } from './formula.js'

/**
 * Numbers for the variables of a formula (one for each binder, so that inner variables never clash with outer ones) and
 * for the names in it. While a query is solved, each number has a register that holds an object.
 */
export class Registers {
  /** The types that a register's object may have; undefined for a name. */
  readonly types: (readonly string[] | undefined)[] = []
  /** The name of a register; undefined for a variable. */
  readonly names: (string | undefined)[] = []
  readonly #known = new Map<string, number>()

  /** Whether a register belongs to a name, and so always holds its object. */
  isName(register: number): boolean {
    return this.names[register] !== undefined
  }

  /** A new register for a variable. */
  variable(types: readonly string[]): number {
    this.names.push(undefined)
    return this.types.push(types) - 1
  }

  /** The register of a name. */
  name(name: string): number {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    this.names.push(name)
    const register = this.types.push(undefined) - 1
    this.#known.set(name, register)
    return register
  }
}

/** A predicate over registers. */
export interface Literal {
  readonly predicate: string
  readonly terms: readonly number[]
}

/** True where there are objects for `locals` that satisfy all of its parts. */
export interface Conjunction {
  readonly positive: readonly Literal[]
  readonly negative: readonly Literal[]
  readonly equal: readonly Pair[]
  readonly different: readonly Pair[]
  /** None of these may have a solution. */
  readonly never: readonly Disjunction[]
  readonly locals: readonly number[]
}

/** Two registers. */
export type Pair = readonly [number, number]

/** True where one of its conjunctions is. */
export type Disjunction = readonly Conjunction[]

/** One literal of an effect. */
interface NormalEffect {
  readonly adds: boolean
  readonly literal: Literal
  /** Undefined where the effect always occurs. */
  readonly condition: Disjunction | undefined
  /** The registers of the variables of `forall`. */
  readonly locals: readonly number[]
}

/** The register of each variable in scope. */
type Binding = ReadonlyMap<string, number>

const nothing: Conjunction = { positive: [], negative: [], equal: [], different: [], never: [], locals: [] }

/**
 * Brings a formula into disjunctive normal form, with existential variables moved to the front. `forall` becomes the
 * absence of a counterexample.
 */
export function normalise(formula: Formula, binding: Binding, registers: Registers, holds = true): Disjunction {
  switch (formula.kind) {
    case 'atom': {
      const literal = {
        predicate: formula.predicate,
        terms: formula.terms.map((term) => registerOf(term, binding, registers)),
      }
      return [holds ? { ...nothing, positive: [literal] } : { ...nothing, negative: [literal] }]
    }
    case 'equal': {
      const pair: Pair = [registerOf(formula.left, binding, registers), registerOf(formula.right, binding, registers)]
      return [holds ? { ...nothing, equal: [pair] } : { ...nothing, different: [pair] }]
    }
    case 'not':
      return normalise(formula.part, binding, registers, !holds)
    case 'and':
    case 'or': {
      const parts = formula.parts.map((part) => normalise(part, binding, registers, holds))
      return (formula.kind === 'and') === holds ? conjoin(parts) : parts.flat()
    }
    case 'exists':
    case 'forall': {
      const { inner, locals } = bind(formula.variables, binding, registers)
      const exists = (formula.kind === 'exists') === holds
      const body = normalise(formula.part, inner, registers, exists ? holds : !holds)
      const found = body.map((conjunction) => ({ ...conjunction, locals: [...locals, ...conjunction.locals] }))
      return exists ? found : [{ ...nothing, never: [found] }]
    }
  }
}

/** The register of a variable in scope or of a name. */
function registerOf(term: string, binding: Binding, registers: Registers): number {
  return binding.get(term) ?? registers.name(term)
}

/** Adds registers for variables to those in scope. */
function bind(
  variables: readonly Typed[],
  binding: Binding,
  registers: Registers,
): { readonly inner: Binding; readonly locals: readonly number[] } {
  const inner = new Map(binding)
  const locals = variables.map((variable) => registers.variable(variable.types))
  variables.forEach((variable, index) => inner.set(variable.name, locals[index]!))
  return { inner, locals }
}

function conjoin(parts: readonly Disjunction[]): Disjunction {
  const certain = merge(parts.filter((part) => part.length === 1).map((part) => part[0]!))
  let product: Disjunction = [certain]
  for (const part of parts) {
    if (part.length !== 1) product = product.flatMap((left) => part.map((right) => merge([left, right])))
  }
  return product
}

function merge(conjunctions: readonly Conjunction[]): Conjunction {
  return {
    positive: conjunctions.flatMap((conjunction) => conjunction.positive),
    negative: conjunctions.flatMap((conjunction) => conjunction.negative),
    equal: conjunctions.flatMap((conjunction) => conjunction.equal),
    different: conjunctions.flatMap((conjunction) => conjunction.different),
    never: conjunctions.flatMap((conjunction) => conjunction.never),
    locals: conjunctions.flatMap((conjunction) => conjunction.locals),
  }
}

/** An action whose variables have registers: its parameters are the first ones, in order. */
export interface NormalAction {
  readonly schema: ActionSchema
  readonly registers: Registers
  readonly precondition: Disjunction
  readonly effects: readonly NormalEffect[]
  /** For each conjunction of the precondition, the condition under which the action is idle. */
  readonly idle: readonly (Idleness | undefined)[]
}

const normalised = new WeakMap<Domain, readonly NormalAction[]>()

/** The actions of a domain in normal form; computed once for each domain. */
export function normalActions(domain: Domain): readonly NormalAction[] {
  let actions = normalised.get(domain)
  if (actions === undefined) {
    actions = domain.actions.map(normaliseAction)
    normalised.set(domain, actions)
  }
  return actions
}

function normaliseAction(schema: ActionSchema): NormalAction {
  const registers = new Registers()
  const { inner: binding } = bind(schema.parameters, new Map(), registers)
  const precondition = normalise(schema.precondition, binding, registers)
  const effects = schema.effects.map((effect): NormalEffect => {
    const { inner, locals } = bind(effect.variables, binding, registers)
    const condition = effect.condition ?? (locals.length > 0 ? always : undefined)
    return {
      adds: effect.adds,
      literal: {
        predicate: effect.atom.predicate,
        terms: effect.atom.terms.map((term) => registerOf(term, inner, registers)),
      },
      condition: condition === undefined ? undefined : normalise(condition, inner, registers),
      locals,
    }
  })
  const idle = precondition.map((conjunction) => idleness(effects, conjunction))
  return { schema, registers, precondition, effects, idle }
}

/**
 * The condition under which the precondition of an action implies all of its effects: for each effect, all pairs of
 * registers in one of these lists hold equal objects.
 */
type Idleness = readonly (readonly (readonly Pair[])[])[]

/** The condition under which an action is idle given this conjunction of its precondition; undefined for never. */
function idleness(effects: readonly NormalEffect[], precondition: Conjunction): Idleness | undefined {
  const options = effects.map((effect) => {
    if (effect.condition !== undefined) return []
    const implied = [...(effect.adds ? precondition.positive : precondition.negative)]
    if (!effect.adds) {
      // What is deleted and added under one condition is only added.
      implied.push(
        ...effects.filter((other) => other.adds && other.condition === undefined).map(({ literal }) => literal),
      )
    }
    return implied
      .filter(({ predicate }) => predicate === effect.literal.predicate)
      .map((literal) => differing(literal, effect.literal))
  })
  return options.some((lists) => lists.length === 0) ? undefined : options
}

/** Whether the objects in the registers satisfy the condition. */
export function isIdle(idle: Idleness, registers: ArrayLike<number>): boolean {
  for (const options of idle) {
    if (!options.some((pairs) => pairs.every(([left, right]) => registers[left] === registers[right]))) return false
  }
  return true
}

function differing(left: Literal, right: Literal): Pair[] {
  return left.terms.map((term, index): Pair => [term, right.terms[index]!]).filter(([one, other]) => one !== other)
}
