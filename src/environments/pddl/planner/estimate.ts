import type { Facts } from '../tables.js'
import type { Literal, SearchTask } from './ground-task.js'

/** Higher costs count as this one: each estimate looks at every cost up to the highest. */
const maxCost = 1 << 12
const unreached = -1

/**
 * Estimates the distance to the goal as the FF planner does (Hoffmann and Nebel 2001): by a relaxed plan, in which
 * nothing becomes false. The supporter of a proposition is the rule with the lowest additive cost (Bonet and Geffner
 * 2001). An object keeps its working memory.
 */
export class Estimate {
  /** The operators of the last plan that are applicable at once. */
  helpful: number[] = []
  /** Steps of work so far: a measure of cost that does not depend on the machine. */
  work = 0
  readonly #rules: Rules
  readonly #cost: Int32Array
  readonly #supporter: Int32Array
  readonly #missing: Int32Array
  readonly #sum: Int32Array
  readonly #bodySizes: Int32Array
  readonly #queue: number[][] = []
  readonly #marked: Int32Array
  readonly #chosen: Int32Array
  #round = 0

  constructor(rules: Rules, operators: number) {
    const count = rules.operatorOf.length
    this.#rules = rules
    this.#cost = new Int32Array(rules.propositions)
    this.#supporter = new Int32Array(rules.propositions)
    this.#missing = new Int32Array(count)
    this.#sum = new Int32Array(count)
    this.#bodySizes = Int32Array.from(rules.bodies, ({ length }) => length)
    this.#marked = new Int32Array(rules.propositions)
    this.#chosen = new Int32Array(operators)
  }

  /** The length of a relaxed plan from a state, in which exactly the `holding` atoms hold; -1 where there is none. */
  of(state: Facts, holding: readonly number[], goal: readonly Literal[]): number {
    this.#spread(state, holding)
    return this.#extract(goal.map((literal) => this.#rules.propositionOf(literal)))
  }

  /** The operators that can become applicable at all, if nothing became false. */
  reachable(state: Facts, holding: readonly number[]): ReadonlySet<number> {
    this.#spread(state, holding)
    return new Set(this.#rules.operatorOf.filter((_, rule) => this.#missing[rule] === 0))
  }

  /** Computes the cost and the supporter of each proposition. */
  #spread(state: Facts, holding: readonly number[]): void {
    const { absent, bodies, heads, users, operatorOf } = this.#rules
    const cost = this.#cost
    const queue = this.#queue
    cost.fill(unreached)
    this.#supporter.fill(-1)
    this.#missing.set(this.#bodySizes)
    this.#sum.fill(0)
    let last = 0
    const reach = (proposition: number, price: number, rule: number): void => {
      const known = cost[proposition]!
      if (known !== unreached && known <= price) return
      cost[proposition] = price
      this.#supporter[proposition] = rule
      ;(queue[price] ??= []).push(proposition)
      if (price > last) last = price
    }
    const fire = (rule: number): void => {
      const price = Math.min(this.#sum[rule]! + (operatorOf[rule] === -1 ? 0 : 1), maxCost)
      for (const head of heads[rule]!) reach(head, price, rule)
    }
    for (const atom of holding) reach(atom, 0, -1)
    for (const { proposition, atom } of absent) if (!state.has(atom)) reach(proposition, 0, -1)
    for (let rule = 0; rule < operatorOf.length; rule++) if (bodies[rule]!.length === 0) fire(rule)
    for (let price = 0; price <= last; price++) {
      const layer = queue[price]
      if (layer === undefined) continue
      for (let index = 0; index < layer.length; index++) {
        const proposition = layer[index]!
        if (cost[proposition] !== price) continue
        for (const rule of users[proposition]!) {
          this.#sum[rule]! += price
          if (--this.#missing[rule]! === 0) fire(rule)
        }
        this.work += users[proposition]!.length
      }
      layer.length = 0
    }
    this.work += operatorOf.length
  }

  /** Extracts the relaxed plan from the goal back to the state and counts its operators. */
  #extract(goal: readonly number[]): number {
    const { bodies, operatorOf } = this.#rules
    const round = ++this.#round
    this.helpful = []
    const open: number[] = []
    const want = (proposition: number): void => {
      if (this.#marked[proposition] === round) return
      this.#marked[proposition] = round
      if (this.#supporter[proposition] !== -1) open.push(proposition)
    }
    for (const proposition of goal) {
      if (this.#cost[proposition] === unreached) return -1
      want(proposition)
    }
    let count = 0
    for (let proposition = open.pop(); proposition !== undefined; proposition = open.pop()) {
      const rule = this.#supporter[proposition]!
      const operator = operatorOf[rule]!
      if (operator !== -1 && this.#chosen[operator] !== round) {
        this.#chosen[operator] = round
        count++
        if (this.#cost[proposition] === 1) this.helpful.push(operator)
      }
      bodies[rule]!.forEach(want)
    }
    return count
  }
}

/**
 * A relaxed ground task as rules "all of the body implies all of the heads". There is a proposition for each atom (its
 * number), and for the negation of each atom that a condition negates.
 */
interface Rules {
  readonly propositions: number
  /** The propositions of negated atoms, with the number of the atom. */
  readonly absent: readonly { readonly proposition: number; readonly atom: number }[]
  /** The propositions of each rule. */
  readonly bodies: readonly (readonly number[])[]
  readonly heads: readonly (readonly number[])[]
  /** The rules that have a proposition in their body. */
  readonly users: readonly (readonly number[])[]
  /** The operator of a rule; -1 for those of derived atoms, which have no cost. */
  readonly operatorOf: Int32Array
  /** The proposition of a literal of the task. */
  propositionOf(literal: Literal): number
}

/** The rules of a task. */
export function rulesOf({ atomCount, goal, operators, derivation }: SearchTask): Rules {
  const absentOf = new Map<number, number>()
  const propositionOf = ({ atom, holds }: Literal): number => {
    if (holds) return atom
    const absent = absentOf.get(atom) ?? atomCount + absentOf.size
    absentOf.set(atom, absent)
    return absent
  }
  const bodyOf = (condition: readonly Literal[]): readonly number[] => [...new Set(condition.map(propositionOf))]
  goal.forEach(propositionOf)
  const bodies = operators.map(({ condition }) => bodyOf(condition))
  const derived = (derivation?.rules ?? []).map(({ condition, atom }) => {
    return { body: bodyOf(condition), heads: [atom], operator: -1 }
  })
  const own = operators.map(({ adds, deletes }, operator) => {
    return {
      body: bodies[operator]!,
      heads: [...adds, ...deletes.flatMap((atom) => absentOf.get(atom) ?? [])],
      operator,
    }
  })
  const used = [...derived, ...own].filter(({ heads }) => heads.length > 0)
  const propositions = atomCount + absentOf.size
  const users: number[][] = Array.from({ length: propositions }, () => [])
  used.forEach(({ body }, rule) => {
    for (const proposition of body) users[proposition]!.push(rule)
  })
  return {
    propositions,
    absent: [...absentOf].map(([atom, proposition]) => ({ proposition, atom })),
    bodies: used.map(({ body }) => body),
    heads: used.map(({ heads }) => heads),
    users,
    operatorOf: Int32Array.from(used, ({ operator }) => operator),
    propositionOf,
  }
}
