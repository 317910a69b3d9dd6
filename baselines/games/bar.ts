import type { Doing } from './game.js'
import { best } from './game.js'
import type { View } from './view.js'

/** What stands where at the bar, asked in plain words. */
export interface Bar {
  readonly view: View
  readonly shakers: readonly string[]
  /** Shots, those first that are clean and empty. */
  readonly shots: readonly string[]
  /** What a container holds. */
  inside(container: string): readonly string[]
  /** Both parts of a cocktail. */
  parts(cocktail: string): readonly string[]
  isCocktail(beverage: string): boolean
  /** The hand that holds a container. */
  handOf(container: string): string | undefined
  held(): readonly string[]
  freeHands(): readonly string[]
}

/** Looks over the bar. */
export function lookOver(view: View): Bar {
  const shakers = view.all('shaker-level').map(([shaker = '']) => shaker)
  const freeHands = view.all('handempty').map(([hand = '']) => hand)
  const holding = view.all('holding')
  const containers = ['ontable', 'clean', 'empty', 'contains', 'used'].flatMap((name) => view.all(name))
  const held = holding.map(([, container = '']) => container)
  const shots = [...new Set([...containers.map(([one = '']) => one), ...held])].filter((one) => !shakers.includes(one))
  const isReady = (shot: string): boolean => view.has(`clean ${shot}`) && view.has(`empty ${shot}`)
  const partsOf = (cocktail: string): readonly string[] =>
    ['part1', 'part2']
      .flatMap((part) => view.all(part).filter(([one]) => one === cocktail))
      .map(([, what = '']) => what)
  return {
    view,
    shakers,
    shots: [...shots.filter(isReady), ...shots.filter((shot) => !isReady(shot))],
    inside: (container) => view.all('contains').flatMap(([one, what = '']) => (one === container ? [what] : [])),
    parts: partsOf,
    isCocktail: (beverage) => partsOf(beverage).length > 0,
    handOf: (container) => holding.find(([, one]) => one === container)?.[0],
    held: () => held,
    freeHands: () => freeHands,
  }
}

/** Takes a container into a hand; undefined where it is there. */
export function hold(bar: Bar, container: string): Doing | undefined {
  if (bar.handOf(container) !== undefined) return undefined
  const [hand] = bar.freeHands()
  if (hand !== undefined) return best('grasp', hand, container)
  const other = bar.held()[0]
  return other === undefined ? undefined : best('leave', bar.handOf(other)!, other)
}

/** Takes a container into one hand and has the other empty; undefined where it is so. */
export function holdAlone(bar: Bar, container: string): Doing | undefined {
  const other = bar.held().find((one) => one !== container)
  return other === undefined ? hold(bar, container) : best('leave', bar.handOf(other)!, other)
}

/** Makes a shot clean and empty; undefined where it is, or can't be. */
export function makeReady(bar: Bar, shot: string): Doing | undefined {
  const [drink] = bar.inside(shot)
  if (drink !== undefined) return hold(bar, shot) ?? best('empty-shot', bar.handOf(shot)!, shot, drink)
  if (bar.view.has(`clean ${shot}`)) return undefined
  const before = bar.view.all('used').find(([one]) => one === shot)?.[1]
  if (before === undefined) return undefined
  const [other = ''] = bar.freeHands()
  return holdAlone(bar, shot) ?? best('clean-shot', shot, before, bar.handOf(shot)!, other)
}

/** Fills a shot with an ingredient; undefined where it holds that, or there is none. */
export function fill(bar: Bar, shot: string, ingredient: string): Doing | undefined {
  if (bar.inside(shot).includes(ingredient)) return undefined
  const dispenser = bar.view.all('dispenses').find(([, what]) => what === ingredient)?.[0]
  if (dispenser === undefined) return undefined
  const refills = bar.view.has(`used ${shot} ${ingredient}`) && bar.inside(shot).length === 0
  const first = (refills ? undefined : makeReady(bar, shot)) ?? holdAlone(bar, shot)
  if (first !== undefined) return first
  const [other = ''] = bar.freeHands()
  return best(refills ? 'refill-shot' : 'fill-shot', shot, ingredient, bar.handOf(shot)!, other, dispenser)
}
