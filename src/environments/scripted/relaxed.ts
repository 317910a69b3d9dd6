import type { Fact, GroundAction, Rules, State } from './rules.js'
import { carried, holds } from './rules.js'

/** An estimate of a state. */
interface Estimated {
  /** Actions of a relaxed plan; -1 where the goal is out of reach whatever is done. */
  readonly left: number
  /** Numbers of the actions of the relaxed plan that are possible now. */
  readonly helpful: ReadonlySet<number>
}

/** Estimates how far a state is from the completion. */
export interface Estimate {
  /** The actions that can ever become possible, as far as the estimate can tell. */
  readonly actions: readonly GroundAction[]
  /** About the number of steps that one estimate takes. */
  readonly work: number
  of(state: State): Estimated
}

/**
 * What makes a proposition true: an action, which costs one, or a rule about what is reachable, which costs nothing.
 */
interface Operator {
  readonly action: number
  readonly conditions: readonly number[]
  readonly adds: readonly number[]
}

/** A proposition: a fact of the state, or that a thing is reachable. */
type Proposition = Fact | { readonly kind: 'reachable'; readonly a: number }

/**
 * The estimate of FF (Hoffmann and Nebel 2001): the length of a plan for the task in which nothing ever ceases to hold.
 * What is reachable follows from where things are, by rules that cost nothing.
 */
export function createEstimate(rules: Rules): Estimate {
  const { actions } = relax(rules, rules.actions).of(rules.start, true)
  return relax(
    rules,
    actions.map((index) => rules.actions[index]!),
  ).estimate
}

function relax(rules: Rules, actions: readonly GroundAction[]) {
  const propositions: Proposition[] = []
  const numbers = new Map<string, number>()
  const numberOf = (one: Proposition): number => {
    const key = one.kind === 'reachable' ? `r${String(one.a)}` : keyOf(one)
    const known = numbers.get(key)
    if (known !== undefined) return known
    const number = propositions.push(one) - 1
    numbers.set(key, number)
    return number
  }
  const reach = (thing: number): number => numberOf({ kind: 'reachable', a: thing })
  const conditions = actions.map((one) => [...new Set([...one.preconditions.map(numberOf), ...one.named.map(reach)])])
  const goal = rules.completion.map(numberOf)
  rules.start.locations.forEach((holder, thing) => {
    if (thing < rules.places) return
    numberOf(holder === carried ? { kind: 'has', a: thing, positive: true } : locatedIn(thing, holder))
  })
  for (const action of actions) {
    for (const effect of action.effects) if (effect.positive) numberOf(effect)
  }
  // What a thing must not be closed for; these propositions exist before the effects that make them true.
  const notClosed = Array.from(rules.closed, (flag) =>
    flag === -1 ? [] : [numberOf({ kind: 'is', a: flag, positive: false })],
  )
  const negative = propositions.flatMap((one, number) =>
    one.kind !== 'reachable' && !one.positive && one.kind !== 'is' ? [{ one, number }] : [],
  )
  const ended = new Map<number, readonly { readonly one: Fact; readonly number: number }[]>()
  const playerEnds = negative.filter(({ one }) => one.kind === 'at')
  for (const entry of negative) {
    if (entry.one.kind !== 'at') ended.set(entry.one.a, [...(ended.get(entry.one.a) ?? []), entry])
  }
  const addedBy = (effect: Fact): readonly number[] => {
    const own = numbers.get(keyOf(effect))
    const found = own === undefined ? [] : [own]
    if (!effect.positive || effect.kind === 'is') return found
    const ends = effect.kind === 'at' ? playerEnds : (ended.get(effect.a) ?? [])
    return [...found, ...ends.filter(({ one }) => !sameFact(one, effect)).map(({ number }) => number)]
  }
  const operators: Operator[] = actions.map((action, index) => ({
    action: index,
    conditions: conditions[index]!,
    adds: [...new Set(action.effects.flatMap(addedBy))],
  }))
  for (const [number, one] of [...propositions.entries()]) {
    if (one.kind === 'reachable' || !one.positive) continue
    if (one.kind === 'has') operators.push({ action: -1, conditions: [number], adds: [reach(one.a)] })
    if (one.kind !== 'in') continue
    const open =
      one.b < rules.places ? [numberOf({ kind: 'at', a: one.b, positive: true })] : [reach(one.b), ...notClosed[one.b]!]
    operators.push({ action: -1, conditions: [number, ...open], adds: [reach(one.a)] })
  }

  const waiting = Int32Array.from(operators, (one) => one.conditions.length)
  const needing: number[][] = propositions.map(() => [])
  operators.forEach((one, index) => {
    for (const number of one.conditions) needing[number]!.push(index)
  })
  const immediate = [...waiting.keys()].filter((index) => waiting[index] === 0)
  const facts = [...propositions.entries()].filter((entry): entry is [number, Fact] => entry[1].kind !== 'reachable')
  const left = new Int32Array(operators.length)
  const isGoal = new Uint8Array(propositions.length)
  for (const number of goal) isGoal[number] = 1
  const supporter = new Int32Array(propositions.length)
  const [unknown, given] = [-2, -1]

  /** Finds what can be made true, level by level, up to the goal or `all` of it. */
  const explore = (state: State, all: boolean): { readonly fired: number[]; readonly first: Set<number> } => {
    left.set(waiting)
    supporter.fill(unknown)
    let level: number[] = []
    for (const [number, fact] of facts) {
      if (!holds(fact, state)) continue
      supporter[number] = given
      level.push(number)
    }
    let missing = goal.filter((number) => supporter[number] === unknown).length
    const fired: number[] = []
    let first: Set<number> | undefined
    let pending = [...immediate]
    while (level.length > 0 || pending.length > 0) {
      for (let at = 0; at < level.length; at++) {
        for (const index of needing[level[at]!]!) {
          if (--left[index]! > 0) continue
          const { action, adds } = operators[index]!
          if (action !== -1) pending.push(index)
          else if (supporter[adds[0]!] === unknown) {
            supporter[adds[0]!] = index
            level.push(adds[0]!)
          }
        }
      }
      first ??= new Set(pending)
      level = []
      for (const index of pending) {
        fired.push(operators[index]!.action)
        for (const number of operators[index]!.adds) {
          if (supporter[number] !== unknown) continue
          supporter[number] = index
          level.push(number)
          if (isGoal[number] === 1) missing--
        }
      }
      pending = []
      if (missing === 0 && !all) break
    }
    return { fired, first: first ?? new Set() }
  }

  const estimate: Estimate = {
    actions,
    work: operators.reduce((sum, one) => sum + one.conditions.length + one.adds.length, 2 * propositions.length) + 20,
    of(state) {
      const { first } = explore(state, false)
      const helpful = new Set<number>()
      if (goal.some((number) => supporter[number] === unknown)) return { left: -1, helpful }
      const wanted = new Set(goal)
      const plan = new Set<number>()
      for (const number of wanted) {
        const index = supporter[number]!
        if (index === given) continue
        for (const condition of operators[index]!.conditions) wanted.add(condition)
        if (operators[index]!.action === -1 || plan.has(index)) continue
        plan.add(index)
        if (first.has(index)) helpful.add(operators[index]!.action)
      }
      return { left: plan.size, helpful }
    },
  }
  return {
    estimate,
    of: (state: State, all: boolean) => ({ actions: explore(state, all).fired.sort((a, b) => a - b) }),
  }
}

function keyOf(fact: Fact): string {
  const sign = fact.positive ? '' : '-'
  return `${sign}${fact.kind} ${String(fact.a)}${fact.kind === 'in' ? ` ${String(fact.b)}` : ''}`
}

function locatedIn(thing: number, holder: number): Fact {
  return { kind: 'in', a: thing, b: holder, positive: true }
}

/** Whether two facts are equal but for their sign. */
function sameFact(one: Fact, other: Fact): boolean {
  return (
    one.kind === other.kind && one.a === other.a && (one.kind !== 'in' || (other.kind === 'in' && one.b === other.b))
  )
}
