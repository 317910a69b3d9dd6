import type { Literal, Operator, SearchTask } from '../pddl/planner/ground-task.js'
import { planOperators, reachableOperators } from '../pddl/planner/index.js'
import type { PlayableScript } from './read-playable.js'
import type { Fact, GroundAction, Rules, State } from './rules.js'
import { apply, holds, isInItself, reachable, removed } from './rules.js'

/** Whether a script can be completed. */
export type Solution =
  | { readonly kind: 'solved'; readonly actions: readonly string[] }
  /** No actions complete it. */
  | { readonly kind: 'unsolvable' }
  /** None were found in bounded work. */
  | { readonly kind: 'not-found' }

/** Looks for actions that complete a script from its start. */
export function solveScript({ rules }: PlayableScript): Solution {
  return solveFrom(rules, rules.start)
}

const grounded = new WeakMap<Rules, GroundScript>()

/** Looks for actions from a state that can be reached from the start. */
export function solveFrom(rules: Rules, state: State): Solution {
  let script = grounded.get(rules)
  if (script === undefined) grounded.set(rules, (script = groundReachable(rules)))
  const { task, actions, atomsOf } = script
  const found = planOperators(task, atomsOf(state), () => (one) => one.key())
  if (found === 'impossible') return { kind: 'unsolvable' }
  if (found === 'gave-up') return { kind: 'not-found' }
  return { kind: 'solved', actions: found.map((operator) => actions[operator]!.text) }
}

/** A script as the planner takes it. */
interface GroundScript {
  readonly task: SearchTask
  /** The action of each operator. */
  readonly actions: readonly GroundAction[]
  /** The atoms that hold in a state. */
  atomsOf(state: State): readonly number[]
}

/** A script with the actions that can ever become possible. */
function groundReachable(rules: Rules): GroundScript {
  const { task, actions, atomsOf } = ground(rules, rules.actions)
  const possible = reachableOperators(task, atomsOf(rules.start))
  return ground(
    rules,
    actions.filter((_, operator) => possible.has(operator)),
  )
}

/**
 * Atoms are the facts of a script, and behind them, for each thing, that it is reachable, which follows from where
 * things are.
 */
function ground(rules: Rules, actions: readonly GroundAction[]): GroundScript {
  const facts: Fact[] = []
  const numbers = new Map<string, number>()
  /** The number of the fact that a fact says or denies. */
  const numberOf = (fact: Fact): number => {
    const key = [fact.kind, fact.a, fact.kind === 'in' ? fact.b : ''].join(' ')
    const known = numbers.get(key) ?? facts.push({ ...fact, positive: true }) - 1
    numbers.set(key, known)
    return known
  }
  const literal = (fact: Fact): Literal => ({ atom: numberOf(fact), holds: fact.positive })
  for (const { preconditions, effects } of actions) for (const fact of [...preconditions, ...effects]) numberOf(fact)
  for (let place = 0; place < rules.places; place++) numberOf({ kind: 'at', a: place, positive: true })
  rules.start.locations.forEach((holder, thing) => {
    if (thing >= rules.places) numberOf({ kind: 'in', a: thing, b: holder, positive: true })
  })
  rules.flags.forEach((_, flag) => numberOf({ kind: 'is', a: flag, positive: true }))
  const goal = rules.completion.map(literal)

  const reach = (thing: number): number => facts.length + thing
  const reached = (thing: number): Literal => ({ atom: reach(thing), holds: true })
  const openingOf = (holder: number): readonly Literal[] => {
    if (holder < rules.places) return [literal({ kind: 'at', a: holder, positive: true })]
    const closed = rules.closed[holder]!
    return [reached(holder), ...(closed === -1 ? [] : [literal({ kind: 'is', a: closed, positive: false })])]
  }
  const derived = facts.flatMap((fact) => {
    if (fact.kind !== 'has' && fact.kind !== 'in') return []
    const further = fact.kind === 'in' ? openingOf(fact.b) : []
    return [{ condition: [literal(fact), ...further], atom: reach(fact.a) }]
  })
  const nested = new Set(facts.flatMap((fact) => (fact.kind === 'in' && fact.b >= rules.places ? [fact.a] : [])))

  const rivals = rivalsAmong(facts)
  const operators = actions.map(({ preconditions, named, effects }): Operator => {
    const [adds, deletes] = [new Set<number>(), new Set<number>()]
    for (const effect of effects) {
      const atom = numberOf(effect)
      if (!effect.positive) {
        deletes.add(atom)
        continue
      }
      for (const rival of rivals(effect)) {
        adds.delete(rival)
        deletes.add(rival)
      }
      adds.add(atom)
      deletes.delete(atom)
    }
    return {
      condition: [...preconditions.map(literal), ...named.map(reached)],
      adds: [...adds],
      deletes: [...deletes],
    }
  })
  const reachableAtoms = (state: State): readonly number[] =>
    reachable(rules, state).flatMap((is, thing) => (is === 1 ? [reach(thing)] : []))
  return {
    task: {
      atomCount: facts.length + rules.names.length,
      operators,
      goal,
      derivation: {
        atoms: rules.names.map((_, thing) => reach(thing)),
        rules: derived,
        derive(holding) {
          const state: State = {
            player: -1,
            locations: rules.names.map(() => removed),
            flags: rules.flags.map(() => 0),
          }
          for (const atom of holding) apply(facts[atom]!, state)
          for (const thing of nested) if (isInItself(rules, state, thing)) return undefined
          return reachableAtoms(state)
        },
      },
    },
    actions,
    atomsOf: (state) => [
      ...facts.flatMap((fact, atom) => (holds(fact, state) ? [atom] : [])),
      ...reachableAtoms(state),
    ],
  }
}

/** Finds the facts that end where a fact begins: the player is at one place, a thing at one location. */
function rivalsAmong(facts: readonly Fact[]): (fact: Fact) => readonly number[] {
  const groups = new Map<string, number[]>()
  const groupOf = ({ kind, a }: Fact): string => (kind === 'at' ? kind : kind === 'is' ? '' : String(a))
  facts.forEach((fact, atom) => {
    const group = groups.get(groupOf(fact)) ?? []
    group.push(atom)
    groups.set(groupOf(fact), group)
  })
  return (fact) => (fact.kind === 'is' ? [] : groups.get(groupOf(fact))!)
}
