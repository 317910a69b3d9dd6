import type { Conjunction, Disjunction, Registers } from '../normal-form.js'
import type { GroundedLiteral, Plan, Statistics } from '../plan.js'
import { planQuery } from '../plan.js'

/** One way in which a condition can come to hold. */
export interface RelaxedQuery {
  /**
   * Finds objects for its variables such that what must hold does, whatever must not: with all atoms that can ever hold it finds all
   * that can ever be solutions.
   */
  readonly plan: Plan
  readonly positive: readonly GroundedLiteral[]
  readonly negative: readonly GroundedLiteral[]
  /** None of these may have a solution. */
  readonly never: readonly (readonly RelaxedQuery[])[]
}

/** What a domain's conditions are read by. */
export interface Reading {
  readonly registers: Registers
  readonly statistics: Statistics
  /** Whether an action can change atoms of a predicate. */
  changes(predicate: number): boolean
}

/** Makes ready a disjunction whose `given` registers have an object; the `wanted` ones get one in every solution. */
export function relax(
  query: Disjunction,
  reading: Reading,
  given: readonly number[],
  wanted: readonly number[],
): readonly RelaxedQuery[] {
  return query.map((conjunction) => relaxConjunction(conjunction, reading, given, wanted))
}

function relaxConjunction(
  conjunction: Conjunction,
  reading: Reading,
  given: readonly number[],
  wanted: readonly number[],
): RelaxedQuery {
  const { registers, statistics } = reading
  const resolve = ({ predicate, terms }: Conjunction['positive'][number]): GroundedLiteral => ({
    predicate: statistics.predicate(predicate),
    terms,
  })
  const negative = conjunction.negative.filter(({ predicate }) => reading.changes(statistics.predicate(predicate)))
  const certain = conjunction.negative.filter((literal) => !negative.includes(literal))
  const bound = [...given, ...wanted, ...conjunction.locals]
  return {
    plan: planQuery([{ ...conjunction, negative: certain, never: [] }], registers, given, wanted, statistics),
    positive: conjunction.positive.map(resolve),
    negative: negative.map(resolve),
    never: conjunction.never.map((inner) => relax(inner, reading, bound, [])),
  }
}
