import type { Literal, Operator, SearchTask } from '../pddl/planner/ground-task.js'
import { planOperators, reachableOperators } from '../pddl/planner/index.js'
import type { PlayableScript } from './read-playable.js'
import type { Fact, GroundAction, Rules, State } from './rules.js'
import { apply, holds, isInItself, nowhere, reachable } from './rules.js'

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
  const found = planOperators(task, atomsOf(state), () => (facts) => facts.key())
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
  const { places, player, start, names } = rules
  const facts: Fact[] = []
  const numbers = new Map<string, number>()
  /** The facts about the location of each thing and of the player: where one begins, the others end. */
  const rivals = new Map<number, number[]>()
  /** The number of the fact that a fact says or denies. */
  const numberOf = (fact: Fact): number => {
    const key = [fact.thing, fact.holder, fact.flag].join(' ')
    const known = numbers.get(key)
    if (known !== undefined) return known
    const atom = facts.push({ ...fact, positive: true }) - 1
    numbers.set(key, atom)
    if (fact.flag === -1) rivals.set(fact.thing, [...(rivals.get(fact.thing) ?? []), atom])
    return atom
  }
  const literal = (fact: Fact): Literal => ({ atom: numberOf(fact), holds: fact.positive })
  const location = (thing: number, holder: number): Fact => ({ thing, holder, flag: -1, positive: true })
  for (const { preconditions, effects } of actions) for (const fact of [...preconditions, ...effects]) numberOf(fact)
  for (let place = 0; place < places; place++) numberOf(location(player, place))
  for (let thing = places; thing < player; thing++) numberOf(location(thing, start.locations[thing]!))
  rules.flags.forEach(({ thing }, flag) => numberOf({ thing, holder: -1, flag, positive: true }))
  const goal = rules.completion.map(literal)

  const reach = (thing: number): number => facts.length + thing
  const reached = (thing: number): Literal => ({ atom: reach(thing), holds: true })
  const openingOf = (holder: number): readonly Literal[] => {
    if (holder === player) return []
    if (holder < places) return [literal(location(player, holder))]
    const closed = rules.closed.get(holder)
    return [reached(holder), ...(closed === undefined ? [] : [{ atom: numberOf(flagOf(closed)), holds: false }])]
  }
  const flagOf = (flag: number): Fact => ({ thing: rules.flags[flag]!.thing, holder: -1, flag, positive: true })
  const ofThings = facts.filter(({ flag, thing }) => flag === -1 && thing !== player)
  const derived = ofThings.map((fact) => {
    return { condition: [literal(fact), ...openingOf(fact.holder)], atom: reach(fact.thing) }
  })
  const nested = new Set(ofThings.flatMap(({ thing, holder }) => (holder >= places && holder < player ? [thing] : [])))

  const operators = actions.map(({ preconditions, named, effects }): Operator => {
    const [adds, deletes] = [new Set<number>(), new Set<number>()]
    for (const effect of effects) {
      const atom = numberOf(effect)
      if (!effect.positive) {
        deletes.add(atom)
        continue
      }
      for (const rival of effect.flag === -1 ? rivals.get(effect.thing)! : []) {
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
      atomCount: facts.length + names.length,
      operators,
      goal,
      derivation: {
        atoms: names.map((_, thing) => reach(thing)),
        rules: derived,
        derive(holding) {
          const state: State = { locations: start.locations.map(() => nowhere), flags: rules.flags.map(() => 0) }
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
