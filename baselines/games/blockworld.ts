import { readRules } from './deed.js'
import { createFactReader } from './facts.js'
import type { Doing, Game } from './game.js'
import { best } from './game.js'
import type { View } from './view.js'

/** Blocks are stacked into towers. */
export const blockworld: Game = {
  sign: /^(?=[^]*is on the table)(?=[^]*\bthe .{1,60}? is clear)/i,
  mark: 'on-table',
  read: createFactReader([
    ['clear', 'the X is clear', 'block'],
    ['on-table', 'X is on the table', 'block'],
    ['on', 'X is on Y', 'block', 'block'],
    ['holding', 'you are holding X', 'block'],
    ['arm-empty', '(?:your|robot|the) arm is empty'],
    ['clear', 'X is clear', 'block'],
  ]),
  deeds: readRules({
    pickup: {
      roles: 'block',
      needs: 'arm-empty, on-table block, clear block',
      adds: 'holding block',
      ends: 'arm-empty, on-table block, clear block',
      words: 'pick pickup take lift grab get raise off',
    },
    putdown: {
      roles: 'block',
      needs: 'holding block',
      adds: 'arm-empty, on-table block, clear block',
      ends: 'holding block',
      words: 'put putdown down lay lower drop set release hold',
    },
    stack: {
      roles: 'block under:block',
      needs: 'holding block, clear under',
      adds: 'arm-empty, on block under, clear block',
      ends: 'holding block, clear under',
      words: 'stack put lay pile place set cover hold',
    },
    unstack: {
      roles: 'block under:block',
      needs: 'arm-empty, on block under, clear block',
      adds: 'holding block, clear under',
      ends: 'arm-empty, on block under, clear block',
      words: 'unstack take lift remove off strip empty',
    },
  }),
  decide,
}

function decide(view: View, goal: readonly string[]): readonly Doing[] {
  const pairs = goal.map((fact) => fact.split(' '))
  const wanted = new Map(pairs.filter(([name]) => name === 'on').map(([, block = '', under = '']) => [block, under]))
  const wantedOn = new Map([...wanted].map(([block, under]) => [under, block]))
  const below = new Map(view.all('on').map(([block = '', under = '']) => [block, under]))
  const above = new Map([...below].map(([block, under]) => [under, block]))
  const grounded = new Set(pairs.filter(([name]) => name === 'on-table').map(([, block]) => block))
  const bare = new Set(pairs.filter(([name]) => name === 'clear').map(([, block]) => block))

  const isSettled = (block: string, seen: readonly string[] = []): boolean => {
    if (seen.includes(block)) return false
    const under = below.get(block)
    const goalUnder = wanted.get(block)
    if (goalUnder !== undefined && goalUnder !== under) return false
    if (under === undefined) return true
    if (grounded.has(block) || bare.has(under)) return false
    const rival = wantedOn.get(under)
    return (rival === undefined || rival === block) && isSettled(under, [...seen, block])
  }
  /** The top of a block's tower. */
  const topOf = (block: string): string => {
    let top = block
    for (let left = above.size; left > 0 && above.has(top); left--) top = above.get(top)!
    return top
  }
  const take = (block: string): Doing => {
    const under = below.get(block)
    return under === undefined ? best('pickup', block) : best('unstack', block, under)
  }

  const held = view.all('holding')[0]?.[0]
  if (held !== undefined) {
    const under = wanted.get(held)
    const canStack = under !== undefined && view.has(`clear ${under}`) && isSettled(under)
    return [canStack ? best('stack', held, under) : best('putdown', held)]
  }
  const unmet = [...wanted].filter(([block, under]) => below.get(block) !== under || !isSettled(block))
  const ready = unmet.filter(
    ([block, under]) => view.has(`clear ${block}`) && view.has(`clear ${under}`) && isSettled(under),
  )
  if (ready.length > 0) return ready.map(([block]) => take(block))
  const next = unmet.filter(([, under]) => isSettled(under))
  for (const [block, under] of next) {
    const obstacle = above.has(block) ? topOf(block) : above.has(under) ? topOf(under) : undefined
    if (obstacle !== undefined) return [take(obstacle)]
  }
  const astray = [...unmet.map(([, under]) => under), ...bare, ...grounded].filter((block) => block !== undefined)
  const stuck = astray.find((block) => (bare.has(block) ? above.has(block) : !isSettled(block)))
  return stuck === undefined ? [] : [take(topOf(stuck))]
}
