import type { Rules } from './rules.js'
import type { States } from './states.js'

/** Costs beyond this are all the same. */
const mostCost = 1 << 20
const unreached = -1

/**
 * Estimates how far the goal is, as the FF planner does (Hoffmann and Nebel 2001): by a plan in which nothing ceases to hold. Each
 * proposition is brought about by the rule that is cheapest where costs are added up (Bonet and Geffner 2001). One object serves one
 * search, as it keeps its working memory.
 */
export class Estimate {
  /** The operators of the last plan that are applicable at once. */
  helpful: number[] = []
  /** The propositions that the last plan brings about. */
  brought: number[] = []
  /** Steps of work so far: what a search costs, whatever the machine. */
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
    this.#bodySizes = Int32Array.from(
      { length: count },
      (_, rule) => rules.bodyStart[rule + 1]! - rules.bodyStart[rule]!,
    )
    this.#marked = new Int32Array(rules.propositions)
    this.#chosen = new Int32Array(operators)
  }

  /**
   * The length of a relaxed plan from a state, in which exactly the `holding` atoms hold, to the propositions of a goal; -1 where they are
   * out of reach.
   */
  of(states: States, state: number, holding: readonly number[], goal: readonly number[]): number {
    this.#spread(states, state, holding)
    return this.#extract(goal)
  }

  /** Finds out what each proposition costs and which rule brings it about. */
  #spread(states: States, state: number, holding: readonly number[]): void {
    const { absent, bodyStart, headStart, heads, userStart, users, operatorOf } = this.#rules
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
      const price = Math.min(this.#sum[rule]! + (operatorOf[rule] === -1 ? 0 : 1), mostCost)
      const end = headStart[rule + 1]!
      for (let at = headStart[rule]!; at < end; at++) reach(heads[at]!, price, rule)
    }
    for (const atom of holding) reach(atom, 0, -1)
    for (const { proposition, atom } of absent) if (!states.has(state, atom)) reach(proposition, 0, -1)
    for (let rule = 0; rule < operatorOf.length; rule++) if (bodyStart[rule] === bodyStart[rule + 1]) fire(rule)
    for (let price = 0; price <= last; price++) {
      const layer = queue[price]
      if (layer === undefined) continue
      for (let index = 0; index < layer.length; index++) {
        const proposition = layer[index]!
        if (cost[proposition] !== price) continue
        const end = userStart[proposition + 1]!
        for (let at = userStart[proposition]!; at < end; at++) {
          const rule = users[at]!
          this.#sum[rule]! += price
          if (--this.#missing[rule]! === 0) fire(rule)
        }
        this.work += end - userStart[proposition]!
      }
      layer.length = 0
    }
    this.work += operatorOf.length
  }

  /** Follows the goal back to the state and counts the operators on the way. */
  #extract(goal: readonly number[]): number {
    const { bodyStart, bodies, operatorOf } = this.#rules
    const round = ++this.#round
    this.helpful = []
    this.brought = []
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
      this.brought.push(proposition)
      const operator = operatorOf[rule]!
      if (operator !== -1 && this.#chosen[operator] !== round) {
        this.#chosen[operator] = round
        count++
        if (this.#cost[proposition] === 1) this.helpful.push(operator)
      }
      const end = bodyStart[rule + 1]!
      for (let at = bodyStart[rule]!; at < end; at++) want(bodies[at]!)
    }
    return count
  }
}
