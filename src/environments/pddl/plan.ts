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

/** The maximum number of atoms compared for the next step: enough for any realistic domain. */
const maxCompared = 500

/** Plans a disjunction. Names and the `given` registers are bound already; every solution binds the `wanted` ones. */
export function planQuery(
  query: Disjunction,
  registers: Registers,
  numbers: readonly number[],
  wanted: readonly number[],
  statistics: Statistics,
): Plan {
  return query.map((conjunction) => planConjunction(conjunction, registers, numbers, wanted, statistics))
}

/**
 * Orders a conjunction: tests as soon as their registers are bound, otherwise the atom with the fewest expected
 * matches, and last the registers that no atom binds.
 */
function planConjunction(
  { positive, negative, equal, different, never, locals }: Conjunction,
  registers: Registers,
  numbers: readonly number[],
  wanted: readonly number[],
  statistics: Statistics,
): readonly Step[] {
  const bound = new Set(numbers)
  const isBound = (register: number): boolean => bound.has(register) || registers.isName(register)
  const resolve = ({ predicate, terms }: Literal): GroundedLiteral => {
    return { predicate: statistics.predicate(predicate), terms }
  }
  const match = (atom: GroundedLiteral): Step => {
    const { terms } = atom
    const fresh = terms.map((term, position) => !isBound(term) && terms.indexOf(term) === position)
    if (!fresh.includes(true)) return { kind: 'holds', ...atom }
    return { kind: 'scan', ...atom, keys: [...terms.keys()].filter((position) => isBound(terms[position]!)), fresh }
  }
  const matchesOf = ({ predicate, terms }: GroundedLiteral): number =>
    terms.reduce(
      (matches, term, position) =>
        isBound(term) ? matches / Math.max(statistics.distinct(predicate, position), 1) : matches,
      statistics.size(predicate) + 0.5,
    )
  const cheapest = (): GroundedLiteral | undefined => {
    let best: GroundedLiteral | undefined
    let least = Infinity
    for (const atom of [...atoms].slice(0, maxCompared)) {
      if (atom.terms.every(isBound)) return atom
      const matches = matchesOf(atom)
      if (matches < least) [best, least] = [atom, matches]
    }
    return best
  }

  const steps: Step[] = []
  const atoms = new Set(positive.map(resolve))
  const tests = new Set<{ readonly needs: readonly number[]; step(): Step }>([
    ...equal.map((pair) => ({ needs: pair, step: () => ({ kind: 'equal', pair }) as const })),
    ...different.map((pair) => ({ needs: pair, step: () => ({ kind: 'different', pair }) as const })),
    ...negative.map((literal) => ({
      needs: literal.terms,
      step: () => ({ kind: 'lacks', ...resolve(literal) }) as const,
    })),
    ...never.map((query) => ({
      needs: [...mentioned(query)],
      step: () => ({ kind: 'never', plan: planQuery(query, registers, [...bound], [], statistics) }) as const,
    })),
  ])
  const unbound = new Set([...wanted, ...locals].filter((register) => !isBound(register)))
  for (;;) {
    for (const test of tests) {
      if (test.needs.some((register) => unbound.has(register))) continue
      tests.delete(test)
      steps.push(test.step())
    }
    const next = cheapest()
    const free = next === undefined ? [...unbound].slice(0, 1) : next.terms
    if (next !== undefined) {
      atoms.delete(next)
      steps.push(match(next))
    } else if (free.length === 0) return steps
    else steps.push({ kind: 'member', register: free[0]! })
    for (const term of free) if (unbound.delete(term)) bound.add(term)
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
