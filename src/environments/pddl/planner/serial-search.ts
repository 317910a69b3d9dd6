import type { Quest, Space } from './space.js'
import { starSearch } from './star-search.js'
import { States } from './states.js'

/**
 * Looks for a plan that meets the parts of a goal in a given order, each kept while the next is met: a short way to the first, a short way on
 * from there, and so on. It finds good plans where parts have little to do with each other but get into each other's way.
 */
export function serialSearch(
  space: Space,
  { start, parts }: Quest,
  order: readonly number[],
  work: number,
): readonly number[] | undefined {
  const states = new States(space.ground.atoms.length)
  let state = states.add(start)
  const plan: number[] = []
  for (let count = 1; count <= order.length; count++) {
    const stage = { start: states.atoms(state), parts: order.slice(0, count).map((place) => parts[place]!) }
    const search = starSearch(space, stage, { weight: 1, bound: Infinity })
    const { plan: way } = search(space.estimate.work + work)
    if (way === undefined) return undefined
    for (const operator of way) {
      state = states.after(state, space.ground.operators[operator]!)
      plan.push(operator)
    }
  }
  return plan
}

/** Orders of so many parts that are worth trying: all of them for few, some for more. */
export function ordersOf(count: number): readonly (readonly number[])[] {
  const given = [...Array(count).keys()]
  if (count < 2) return []
  if (count === 2) return [given, [1, 0]]
  if (count > 3) return [given, [...given].reverse()]
  return given.flatMap((first) => {
    const [second, third] = given.filter((place) => place !== first) as [number, number]
    return [
      [first, second, third],
      [first, third, second],
    ]
  })
}
