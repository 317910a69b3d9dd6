import { PriorityQueue } from '../priority-queue.js'
import type { PlayableScript } from './read-playable.js'
import type { Estimate } from './relaxed.js'
import { createEstimate } from './relaxed.js'
import type { GroundAction, Rules, State } from './rules.js'
import { after, holds, isApplicable, reachable } from './rules.js'

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

/** A search: the weight of the estimate, its maximum work, and whether it only takes actions of relaxed plans. */
interface Effort {
  readonly weight: number
  readonly work: number
  readonly onlyHelpful: boolean
}

/** The first finds short plans, the others any; each takes about a second at most. */
const efforts: readonly Effort[] = [
  { weight: 1, work: 20_000_000, onlyHelpful: false },
  { weight: 4, work: 60_000_000, onlyHelpful: true },
  { weight: 4, work: 20_000_000, onlyHelpful: false },
]
const maxNodes = 100_000

const estimates = new WeakMap<Rules, Estimate>()

/** Looks for actions from a state that can be reached from the start. */
export function solveFrom(rules: Rules, state: State): Solution {
  let estimate = estimates.get(rules)
  if (estimate === undefined) estimates.set(rules, (estimate = createEstimate(rules)))
  for (const effort of efforts) {
    const found = search(rules, estimate, state, effort)
    if (found === 'exhausted' && !effort.onlyHelpful) return { kind: 'unsolvable' }
    if (found === 'exhausted' || found === undefined) continue
    return { kind: 'solved', actions: withoutNeedless(rules, state, found).map(({ text }) => text) }
  }
  return { kind: 'not-found' }
}

interface Node {
  readonly state: State
  readonly parent: number
  readonly via: GroundAction | undefined
  readonly cost: number
  readonly helpful: ReadonlySet<number>
}

/**
 * Searches a plan by weighted A* (Pohl 1970).
 * @returns undefined where the work is used up, `exhausted` where there is nothing left to try
 */
function search(
  rules: Rules,
  estimate: Estimate,
  start: State,
  { weight, work: maxWork, onlyHelpful }: Effort,
): readonly GroundAction[] | 'exhausted' | undefined {
  const nodes: Node[] = []
  const costs = new Map<string, number>()
  const queue = new PriorityQueue()
  const upkeep = rules.names.length + (rules.flags.length >> 2)
  let work = estimate.actions.length
  const enter = (
    state: State,
    parent: number,
    via: GroundAction | undefined,
    cost: number,
    isHelpful: boolean,
  ): void => {
    const key = keyOf(state)
    work += upkeep
    if ((costs.get(key) ?? Infinity) <= cost) return
    costs.set(key, cost)
    work += estimate.work
    const { left, helpful } = estimate.of(state)
    if (left === -1) return
    const node = nodes.push({ state, parent, via, cost, helpful }) - 1
    queue.add(node, ((cost + weight * left) * 2 ** 16 + left) * 2 + (isHelpful ? 0 : 1))
  }
  enter(start, -1, undefined, 0, true)
  for (;;) {
    const number = queue.take()
    if (number === undefined) return 'exhausted'
    const { state, cost, helpful } = nodes[number]!
    if (rules.completion.every((one) => holds(one, state))) return planTo(nodes, number)
    if (costs.get(keyOf(state))! < cost) continue
    const reach = reachable(rules, state)
    work += upkeep + estimate.actions.length
    for (const [index, action] of estimate.actions.entries()) {
      if (onlyHelpful && !helpful.has(index)) continue
      if (!isApplicable(action, state, reach)) continue
      const next = after(rules, action, state)
      if (next === undefined) continue
      if (work > maxWork || nodes.length >= maxNodes) return undefined
      enter(next, number, action, cost + 1, helpful.has(index))
    }
  }
}

function planTo(nodes: readonly Node[], number: number): readonly GroundAction[] {
  const plan: GroundAction[] = []
  for (let at = nodes[number]!; at.via !== undefined; at = nodes[at.parent]!) plan.push(at.via)
  return plan.reverse()
}

/** A text that two states of one script share exactly if they are equal. */
function keyOf({ player, locations, flags }: State): string {
  let key = String.fromCharCode(player)
  for (const holder of locations) key += String.fromCharCode(holder + 2)
  for (let from = 0; from < flags.length; from += 16) {
    let bits = 0
    for (let bit = 0; bit < 16; bit++) bits |= (flags[from + bit] ?? 0) << bit
    key += String.fromCharCode(bits)
  }
  return key
}

/** A plan without unnecessary actions, each removed together with those that depend on it. */
function withoutNeedless(rules: Rules, start: State, plan: readonly GroundAction[]): readonly GroundAction[] {
  let best = plan
  for (let step = 0; step < best.length;) {
    const shorter = without(rules, start, best, step)
    if (shorter === undefined) step++
    else best = shorter
  }
  return best
}

function without(
  rules: Rules,
  start: State,
  plan: readonly GroundAction[],
  step: number,
): readonly GroundAction[] | undefined {
  let state = start
  const kept = plan.filter((action, index) => {
    if (index === step || !isApplicable(action, state, reachable(rules, state))) return false
    const next = after(rules, action, state)
    if (next !== undefined) state = next
    return next !== undefined
  })
  return rules.completion.every((one) => holds(one, state)) ? kept : undefined
}
