import type { Condition } from './ground-task.js'
import { holdsIn } from './ground-task.js'
import type { Part, SearchGoal, Space } from './search.js'
import { conditionOf, starSearch } from './search.js'
import { States } from './states.js'

/** The number of actions replaced at once, and the maximum work of each attempt. */
const windows = [
  { size: 6, work: 40_000 },
  { size: 10, work: 120_000 },
  { size: 16, work: 400_000 },
  { size: 24, work: 800_000 },
]

/**
 * Shortens a plan: removes unnecessary actions (Nakhost and Müller 2010), and replaces windows of it by shorter plans
 * to the preconditions of the rest. The result is never longer than the given plan, and usually near the shortest.
 */
export function shorten(space: Space, target: SearchGoal, plan: readonly number[], until: number): readonly number[] {
  let best = withoutNeedless(space, target, plan)
  for (let at = 0; at < windows.length && space.estimate.work < until;) {
    const shorter = replaceOnce(space, target, best, windows[at]!, until)
    if (shorter === undefined) at++
    else {
      best = withoutNeedless(space, target, shorter)
      at = 0
    }
  }
  return best
}

/** A plan with one part replaced by a shorter one. */
function replaceOnce(
  space: Space,
  target: SearchGoal,
  plan: readonly number[],
  { size, work }: (typeof windows)[number],
  until: number,
): readonly number[] | undefined {
  const states = new States(space.ground.atoms.length)
  statesOf(space, target, plan, states)
  const stride = size >> 1
  for (let from = 0; from < plan.length; from += stride) {
    const to = Math.min(from + size, plan.length)
    if (space.estimate.work > until) return undefined
    const part = { start: states.atoms(from), parts: neededAfter(space, target, plan, to, states) }
    const { plan: shorter } = starSearch(space, part, { weight: 1, bound: to - from })(space.estimate.work + work)
    if (shorter === undefined) continue
    const whole = [...plan.slice(0, from), ...shorter, ...plan.slice(to)]
    if (reaches(space, target, whole)) return whole
  }
  return undefined
}

/** The conditions after the first `count` actions under which the remaining ones are applicable and reach the goal. */
function neededAfter(space: Space, target: SearchGoal, plan: readonly number[], count: number, states: States): Part[] {
  const { operators } = space.ground
  const needed = new Map<number, boolean>()
  const want = (condition: Condition, state: number): void => {
    if (typeof condition === 'boolean') return
    if (condition.kind === 'literal') needed.set(condition.atom, condition.holds)
    else if (condition.kind === 'all') for (const part of condition.parts) want(part, state)
    else
      want(
        condition.parts.find((part) => holdsIn(part, (atom) => states.has(state, atom)))!,
        state,
      )
  }
  want(conditionOf(target), plan.length)
  for (let step = plan.length - 1; step >= count; step--) {
    const { condition, effects } = operators[plan[step]!]!
    const taking = effects.filter((effect) => holdsIn(effect.condition, (atom) => states.has(step, atom)))
    const useful = taking.filter(
      ({ adds, deletes }) =>
        adds.some((atom) => needed.get(atom) === true) || deletes.some((atom) => needed.get(atom) === false),
    )
    for (const { adds, deletes } of taking) for (const atom of [...adds, ...deletes]) needed.delete(atom)
    for (const effect of useful) want(effect.condition, step)
    want(condition, step)
  }
  return [...needed].map(([atom, holds]): Part => {
    const proposition = space.literal(atom, holds)
    return { condition: { kind: 'literal', atom, holds }, propositions: proposition === undefined ? [] : [proposition] }
  })
}

/** A plan without unnecessary actions, each removed together with those that depend on it. */
function withoutNeedless(space: Space, target: SearchGoal, plan: readonly number[]): readonly number[] {
  let best = plan
  for (let step = 0; step < best.length;) {
    const shorter = without(space, target, best, step)
    if (shorter === undefined) step++
    else best = shorter
  }
  return best
}

function without(
  space: Space,
  target: SearchGoal,
  plan: readonly number[],
  step: number,
): readonly number[] | undefined {
  const { operators } = space.ground
  const states = new States(space.ground.atoms.length)
  let state = states.add(target.start)
  const kept: number[] = []
  plan.forEach((operator, index) => {
    if (index === step || !holdsIn(operators[operator]!.condition, (atom) => states.has(state, atom))) return
    state = states.after(state, operators[operator]!)
    kept.push(operator)
  })
  return holdsIn(conditionOf(target), (atom) => states.has(state, atom)) ? kept : undefined
}

/** Adds the states that a plan goes through, from the first to the last. */
function statesOf(space: Space, target: SearchGoal, plan: readonly number[], states: States): void {
  let state = states.add(target.start)
  for (const operator of plan) state = states.after(state, space.ground.operators[operator]!)
}

function reaches(space: Space, target: SearchGoal, plan: readonly number[]): boolean {
  const { operators } = space.ground
  const states = new States(space.ground.atoms.length)
  let state = states.add(target.start)
  for (const operator of plan) {
    if (!holdsIn(operators[operator]!.condition, (atom) => states.has(state, atom))) return false
    state = states.after(state, operators[operator]!)
  }
  return holdsIn(conditionOf(target), (atom) => states.has(state, atom))
}
