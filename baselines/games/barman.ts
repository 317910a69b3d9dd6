import type { Bar } from './bar.js'
import { fill, hold, holdAlone, lookOver, makeReady } from './bar.js'
import { barRules, barTellings } from './barman-rules.js'
import { readRules } from './deed.js'
import { createFactReader } from './facts.js'
import type { Doing, Game } from './game.js'
import { best } from './game.js'

/** Drinks are filled into glasses and mixed in a shaker. */
export const barman: Game = {
  sign: / dispenses /i,
  mark: 'next',
  read: createFactReader(barTellings),
  deeds: readRules(barRules),
  decide(view, goal) {
    const bar = lookOver(view)
    const orders = goal.map((fact) => fact.split(' ')).filter(([name]) => name === 'contains')
    const open = orders
      .filter(([, shot = '', drink = '']) => !view.has(`contains ${shot} ${drink}`))
      .map(([, shot = '', drink = '']): Order => ({ shot, drink }))
    const served = orders.map(([, shot = '']) => shot).filter((shot) => open.every((order) => order.shot !== shot))
    const doing = serve(bar, { open, served })
    return doing === undefined ? [] : [doing]
  },
}

interface Order {
  readonly shot: string
  readonly drink: string
}

interface Orders {
  readonly open: readonly Order[]
  readonly served: readonly string[]
}

/** Cocktails first; on the way, an ingredient into the glass that is in the hand already. */
function serve(bar: Bar, orders: Orders): Doing | undefined {
  const mixed = orders.open.filter(({ drink }) => bar.isCocktail(drink))
  const plain = orders.open.filter(({ drink }) => !bar.isCocktail(drink))
  for (const shaker of mixed.length > 0 ? bar.shakers : []) {
    const doing = mix(bar, shaker, mixed, plain, orders.served)
    if (doing !== undefined) return doing
  }
  const inHand = plain.find(({ shot }) => bar.handOf(shot) !== undefined) ?? plain[0]
  return inHand && fill(bar, inHand.shot, inHand.drink)
}

function mix(
  bar: Bar,
  shaker: string,
  mixed: readonly Order[],
  plain: readonly Order[],
  served: readonly string[],
): Doing | undefined {
  const { view } = bar
  const inside = bar.inside(shaker)
  if (view.has(`shaked ${shaker}`)) return pourOut(bar, shaker, mixed)
  if (view.has(`empty ${shaker}`) && !view.has(`clean ${shaker}`)) {
    const [other = ''] = bar.freeHands()
    return holdAlone(bar, shaker) ?? best('clean-shaker', bar.handOf(shaker)!, other, shaker)
  }
  const cocktail = nextCocktail(bar, inside, mixed)
  if (cocktail === undefined) return undefined
  const missing = bar.parts(cocktail).filter((part) => !inside.includes(part))
  if (missing.length === 0) return finish(bar, shaker, cocktail, mixed, plain)
  return addPart(bar, shaker, missing, { mixed, plain, served })
}

/** The cocktail to be mixed: one that was ordered and fits what is in the shaker, or else any that fits, to be rid of it. */
function nextCocktail(bar: Bar, inside: readonly string[], mixed: readonly Order[]): string | undefined {
  const all = bar.view.all('part1').map(([cocktail = '']) => cocktail)
  return [...mixed.map(({ drink }) => drink), ...all].find((cocktail) =>
    inside.every((drink) => bar.parts(cocktail).includes(drink)),
  )
}

/** Both parts are in: what is in the hand is put to use, then the shaker is shaken. */
function finish(
  bar: Bar,
  shaker: string,
  cocktail: string,
  mixed: readonly Order[],
  plain: readonly Order[],
): Doing | undefined {
  const inHand = plain.find(({ shot }) => bar.handOf(shot) !== undefined)
  if (inHand !== undefined) return fill(bar, inHand.shot, inHand.drink)
  const target = mixed.find(({ drink }) => drink === cocktail)
  const ready = target && makeReady(bar, target.shot)
  if (ready !== undefined) return ready
  const [first = ''] =
    bar.view
      .all('part1')
      .find(([one]) => one === cocktail)
      ?.slice(1) ?? []
  const [second = ''] =
    bar.view
      .all('part2')
      .find(([one]) => one === cocktail)
      ?.slice(1) ?? []
  const [other = ''] = bar.freeHands()
  return holdAlone(bar, shaker) ?? best('shake', cocktail, first, second, shaker, bar.handOf(shaker)!, other)
}

/** Brings one missing part in a glass that is not needed otherwise. */
function addPart(
  bar: Bar,
  shaker: string,
  missing: readonly string[],
  { mixed, plain, served }: { mixed: readonly Order[]; plain: readonly Order[]; served: readonly string[] },
): Doing | undefined {
  const { view } = bar
  const [level = ''] =
    view
      .all('shaker-level')
      .find(([one]) => one === shaker)
      ?.slice(1) ?? []
  const next = view.all('next').find(([lower]) => lower === level)?.[1]
  if (next === undefined) return undefined
  const free = bar.shots.filter((shot) => !served.includes(shot))
  const worth = (shot: string): number => {
    const drink = bar.inside(shot)[0]
    if (drink !== undefined && missing.includes(drink)) return 9 + (bar.handOf(shot) === undefined ? 0 : 1)
    const isTarget = mixed.some((order) => order.shot === shot)
    const order = plain.find((one) => one.shot === shot)
    const clean = view.has(`clean ${shot}`) || missing.some((part) => view.has(`used ${shot} ${part}`))
    return (
      (bar.handOf(shot) === undefined ? 0 : 4) + (clean ? 2 : 0) + (order === undefined ? 0 : 1) - (isTarget ? 3 : 0)
    )
  }
  const shot = free.reduce<string | undefined>(
    (most, one) => (most !== undefined && worth(most) >= worth(one) ? most : one),
    undefined,
  )
  if (shot === undefined) return undefined
  const inside = bar.inside(shot).find((drink) => missing.includes(drink))
  if (inside === undefined) return fill(bar, shot, choosePart(bar, shot, missing, plain))
  const deed = bar.inside(shaker).length === 0 ? 'pour-shot-to-clean-shaker' : 'pour-shot-to-used-shaker'
  return hold(bar, shot) ?? best(deed, shot, inside, shaker, bar.handOf(shot)!, level, next)
}

/** What the glass held before needs no cleaning; what is wanted in it afterwards comes last. */
function choosePart(bar: Bar, shot: string, missing: readonly string[], plain: readonly Order[]): string {
  const before = missing.find((part) => bar.view.has(`used ${shot} ${part}`))
  const after = plain.find((order) => order.shot === shot)?.drink
  return before ?? missing.find((part) => part !== after) ?? missing[0]!
}

/** Serves what is shaken where it was ordered, or pours it away. */
function pourOut(bar: Bar, shaker: string, mixed: readonly Order[]): Doing | undefined {
  const [drink = ''] = bar.inside(shaker)
  const levelOf = (name: string): string => bar.view.all(name).find(([one]) => one === shaker)?.[1] ?? ''
  const level = levelOf('shaker-level')
  const lower = bar.view.all('next').find(([, higher]) => higher === level)?.[0]
  const order = mixed.find((one) => one.drink === drink)
  if (order !== undefined && lower !== undefined) {
    const ready = makeReady(bar, order.shot) ?? hold(bar, shaker)
    return ready ?? best('pour-shaker-to-shot', drink, order.shot, bar.handOf(shaker)!, shaker, level, lower)
  }
  const empty = levelOf('shaker-empty-level')
  return hold(bar, shaker) ?? best('empty-shaker', bar.handOf(shaker)!, shaker, drink, level, empty)
}
