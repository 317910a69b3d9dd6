import type { Conjunction, Disjunction, Literal, Pair, Registers } from './normal-form.js'

/** A predicate's number and the registers of its terms. */
export interface GroundedLiteral {
  readonly predicate: number
  readonly terms: readonly number[]
}

/** One step of solving a conjunction: it either binds registers or tests them. */
export type Step =
  /**
   * Visits the atoms that match the bound registers, found by the `keys` positions; `fresh` marks the positions that
   * bind a register.
   */
  | (GroundedLiteral & { readonly kind: 'scan'; readonly keys: readonly number[]; readonly fresh: readonly boolean[] })
  /** Visits the objects that a register may hold. */
  | { readonly kind: 'member'; readonly register: number }
  | (GroundedLiteral & { readonly kind: 'holds' | 'lacks' })
  | { readonly kind: 'equal' | 'different'; readonly pair: Pair }
  | { readonly kind: 'never'; readonly plan: Plan }

/** How to solve a disjunction: one list of steps for each of its conjunctions. */
export type Plan = readonly (readonly Step[])[]

/** The data of a task for planning queries. */
export interface Statistics {
  predicate(name: string): number
  /** The approximate number of true atoms of a predicate. */
  size(predicate: number): number
  /** The approximate number of different objects at a position of those atoms. */
  distinct(predicate: number, position: number): number
}

/** Plans a disjunction. Names and the `given` registers are bound already; every solution binds the `wanted` ones. */
export function planQuery(
  query: Disjunction,
  registers: Registers,
  given: readonly number[],
  wanted: readonly number[],
  statistics: Statistics,
): Plan {
  return query.map((conjunction) => new Planning(registers, given, statistics).conjunction(conjunction, wanted))
}

/** The maximum number of atoms compared for the next step: enough for any realistic domain. */
const maxCompared = 500

interface Test {
  readonly needs: readonly number[]
  step(): Step
}

class Planning {
  readonly #registers: Registers
  readonly #bound: Set<number>
  readonly #statistics: Statistics

  constructor(registers: Registers, given: readonly number[], statistics: Statistics) {
    this.#registers = registers
    this.#bound = new Set(given)
    this.#statistics = statistics
  }

  /**
   * Orders a conjunction: tests as soon as their registers are bound, otherwise the atom with the fewest expected
   * matches, and last the registers that no atom binds.
   */
  conjunction(conjunction: Conjunction, wanted: readonly number[]): readonly Step[] {
    const steps: Step[] = []
    const atoms = new Set(conjunction.positive.map((literal) => this.#resolve(literal)))
    const tests = new Set(this.#testsOf(conjunction))
    const unbound = new Set([...wanted, ...conjunction.locals].filter((register) => !this.#isBound(register)))
    for (;;) {
      for (const test of tests) {
        if (test.needs.some((register) => unbound.has(register))) continue
        tests.delete(test)
        steps.push(test.step())
      }
      const next = this.#cheapest(atoms)
      if (next !== undefined) {
        atoms.delete(next)
        steps.push(this.#match(next))
        for (const term of next.terms) {
          if (unbound.delete(term)) this.#bound.add(term)
        }
        continue
      }
      const [register] = unbound
      if (register === undefined) return steps
      unbound.delete(register)
      this.#bound.add(register)
      steps.push({ kind: 'member', register })
    }
  }

  #isBound(register: number): boolean {
    return this.#bound.has(register) || this.#registers.isName(register)
  }

  #match(atom: GroundedLiteral): Step {
    const { terms } = atom
    const fresh = terms.map((term, position) => !this.#isBound(term) && terms.indexOf(term) === position)
    if (!fresh.includes(true)) return { kind: 'holds', ...atom }
    const keys = [...terms.keys()].filter((position) => this.#isBound(terms[position]!))
    return { kind: 'scan', ...atom, keys, fresh }
  }

  #testsOf(conjunction: Conjunction): Test[] {
    return [
      ...conjunction.equal.map((pair): Test => ({ needs: pair, step: () => ({ kind: 'equal', pair }) })),
      ...conjunction.different.map((pair): Test => ({ needs: pair, step: () => ({ kind: 'different', pair }) })),
      ...conjunction.negative.map((literal): Test => {
        return { needs: literal.terms, step: () => ({ kind: 'lacks', ...this.#resolve(literal) }) }
      }),
      ...conjunction.never.map((query): Test => {
        return { needs: [...mentioned(query)], step: () => ({ kind: 'never', plan: this.#inner(query) }) }
      }),
    ]
  }

  #inner(query: Disjunction): Plan {
    return planQuery(query, this.#registers, [...this.#bound], [], this.#statistics)
  }

  #cheapest(atoms: ReadonlySet<GroundedLiteral>): GroundedLiteral | undefined {
    let best: GroundedLiteral | undefined
    let least = Infinity
    let compared = 0
    for (const atom of atoms) {
      if (++compared > maxCompared) break
      if (atom.terms.every((term) => this.#isBound(term))) return atom
      let matches = this.#statistics.size(atom.predicate) + 0.5
      atom.terms.forEach((term, position) => {
        if (this.#isBound(term)) matches /= Math.max(this.#statistics.distinct(atom.predicate, position), 1)
      })
      if (matches < least) {
        least = matches
        best = atom
      }
    }
    return best
  }

  #resolve(literal: Literal): GroundedLiteral {
    return { predicate: this.#statistics.predicate(literal.predicate), terms: literal.terms }
  }
}

function mentioned(query: Disjunction, into = new Set<number>()): Set<number> {
  for (const conjunction of query) {
    for (const literal of [...conjunction.positive, ...conjunction.negative]) {
      for (const term of literal.terms) into.add(term)
    }
    for (const pair of [...conjunction.equal, ...conjunction.different]) for (const term of pair) into.add(term)
    for (const inner of conjunction.never) mentioned(inner, into)
  }
  return into
}
