import type { Atom, Deed } from './deed.js'
import { ground, readRules } from './deed.js'
import { createFactReader } from './facts.js'
import type { Doing, Game } from './game.js'
import type { View } from './view.js'

/** Wheels are changed at the roadside. What a deed needs is written in the order in which it is best brought about. */
export const tyreworld: Game = {
  sign: /\bhub .{1,60}? is (?:not )?(?:on the ground|fastened|unfastened)/i,
  mark: 'unlocked',
  read: createFactReader([
    ['loose', 'the nut X on the hub Y is loose', 'nut', 'hub'],
    ['tight', 'the nut X on the hub Y is tight', 'nut', 'hub'],
    ['on-ground', 'hub X is on the ground', 'hub'],
    ['not-on-ground', 'hub X is not on the ground', 'hub'],
    ['fastened', 'hub X is fastened', 'hub'],
    ['unfastened', 'hub X is unfastened', 'hub'],
    ['intact', 'wheel X is intact', 'wheel'],
    ['not-inflated', 'wheel X is not inflated', 'wheel'],
    ['inflated', 'wheel X is inflated', 'wheel'],
    ['have', 'you have X', 'obj'],
    ['isopen', 'X is open', 'container'],
    ['closed', 'X is closed', 'container'],
    ['unlocked', 'X is unlocked', 'container'],
    ['free', 'X is free', 'hub'],
    ['on', 'wheel X is on (?:the )?hub Y', 'wheel', 'hub'],
    ['on', 'X is on Y', 'wheel', 'hub'],
    ['in', 'X is in Y', 'obj', 'container'],
  ]),
  deeds: readRules({
    open: {
      roles: 'container',
      needs: 'unlocked container, closed container',
      adds: 'isopen container',
      ends: 'closed container',
      words: 'open unlock',
    },
    close: {
      roles: 'container',
      needs: 'isopen container',
      adds: 'closed container',
      ends: 'isopen container',
      words: 'close lock',
    },
    fetch: {
      roles: 'obj container',
      needs: 'in obj container, isopen container',
      adds: 'have obj',
      ends: 'in obj container',
      words: 'fetch take get grab pick remove out',
    },
    'put-away': {
      roles: 'obj container',
      needs: 'have obj, isopen container',
      adds: 'in obj container',
      ends: 'have obj',
      words: 'put away store lay place back return',
    },
    loosen: {
      roles: 'nut hub',
      needs: 'have wrench, tight nut hub, on-ground hub',
      adds: 'loose nut hub',
      ends: 'tight nut hub',
      words: 'loosen loose unscrew',
    },
    tighten: {
      roles: 'nut hub',
      needs: 'have wrench, loose nut hub, on-ground hub',
      adds: 'tight nut hub',
      ends: 'loose nut hub',
      words: 'tighten tight screw secure',
    },
    undo: {
      roles: 'nut hub',
      needs: 'have wrench, loose nut hub, fastened hub, not-on-ground hub',
      adds: 'have nut, unfastened hub',
      ends: 'loose nut hub, fastened hub',
      words: 'undo unfasten remove take off',
    },
    'do-up': {
      roles: 'nut hub',
      needs: 'have wrench, have nut, unfastened hub, not-on-ground hub',
      adds: 'loose nut hub, fastened hub',
      ends: 'have nut, unfastened hub',
      words: 'do put back up attach reattach',
    },
    'jack-up': {
      roles: 'hub',
      needs: 'have jack, on-ground hub',
      adds: 'not-on-ground hub',
      ends: 'have jack, on-ground hub',
      words: 'up lift raise elevate off',
    },
    'jack-down': {
      roles: 'hub',
      needs: 'not-on-ground hub',
      adds: 'on-ground hub, have jack',
      ends: 'not-on-ground hub',
      words: 'down let lower back again',
    },
    'remove-wheel': {
      roles: 'wheel hub',
      needs: 'on wheel hub, unfastened hub, not-on-ground hub',
      adds: 'free hub, have wheel',
      ends: 'on wheel hub',
      words: 'remove take off detach without',
    },
    'put-on-wheel': {
      roles: 'wheel hub',
      needs: 'have wheel, free hub, unfastened hub, not-on-ground hub',
      adds: 'on wheel hub',
      ends: 'have wheel, free hub',
      words: 'put mount attach place have install',
    },
    inflate: {
      roles: 'wheel',
      needs: 'have pump, intact wheel, not-inflated wheel',
      adds: 'inflated wheel',
      ends: 'not-inflated wheel',
      words: 'inflate blow pump air',
    },
  }),
  decide,
}

function decide(view: View, goal: readonly string[]): readonly Doing[] {
  const open = inOrder(goal).filter((fact) => !view.has(fact))
  const thought = { left: mostThought }
  for (const fact of open) {
    const doing = bringAbout(view, fact, [], thought)
    if (doing !== undefined) return [doing]
  }
  return []
}

/** Hub by hub, the wheel before its nut; what is put away comes after all work, and the lid last. */
function inOrder(goal: readonly string[]): readonly string[] {
  const hubs = [...new Set(goal.flatMap((fact) => (/^(?:on|tight|loose) /.test(fact) ? fact.split(' ')[2]! : [])))]
  const first = ['inflated', 'free', 'on', 'fastened', 'loose', 'on-ground', 'tight', 'have', 'in', 'closed']
  const rank = (fact: string): number => {
    const [predicate = '', ...terms] = fact.split(' ')
    const place = first.indexOf(predicate)
    const hub = hubs.indexOf(terms.at(-1) ?? '')
    return hub === -1 || place >= first.indexOf('have') ? (place <= 0 ? -1 : 1000 + place) : hub * first.length + place
  }
  return [...goal].sort((a, b) => rank(a) - rank(b))
}

/** Deeds that are thought of before one gives up. */
const mostThought = 2000

/** The next deed on the way to a fact; undefined where no way is seen. */
function bringAbout(view: View, fact: string, wanted: readonly string[], thought: { left: number }): Doing | undefined {
  if (wanted.includes(fact) || wanted.length > 10) return undefined
  for (const deed of tyreworld.deeds) {
    for (const objects of fillings(view, deed, fact)) {
      if (thought.left-- <= 0) return undefined
      const need = deed.needs.map((atom) => ground(atom, objects)).find((one) => !view.has(one))
      if (need === undefined) return { deed: deed.name, objects, score: 0 }
      const step = bringAbout(view, need, [...wanted, fact], thought)
      if (step !== undefined) return step
    }
  }
  return undefined
}

/** What a deed would have to be done with for a fact to come to hold; what the fact leaves open is filled by what holds, or by what could. */
function fillings(view: View, deed: Deed, fact: string): readonly (readonly string[])[] {
  const [predicate, ...terms] = fact.split(' ')
  return deed.adds.flatMap((atom) => {
    if (atom[0] !== predicate) return []
    const objects: (string | undefined)[] = deed.roles.map(() => undefined)
    const fits = atom.slice(1).every((place, index) => {
      if (typeof place === 'number') objects[place] = terms[index]
      return typeof place === 'number' || place === terms[index]
    })
    return fits ? complete(view, deed, objects) : []
  })
}

/** Fills what is open by needs that hold, or that name a nut on its hub. */
function complete(view: View, deed: Deed, objects: readonly (string | undefined)[]): readonly (readonly string[])[] {
  const open = objects.indexOf(undefined)
  if (open === -1) return [objects as readonly string[]]
  const candidates = deed.needs.flatMap((need) => candidatesFor(view, need, open, objects))
  return [...new Set(candidates)].flatMap((name) => complete(view, deed, objects.with(open, name)))
}

function candidatesFor(
  view: View,
  [predicate, ...places]: Atom,
  open: number,
  objects: readonly (string | undefined)[],
): readonly string[] {
  const at = places.indexOf(open)
  if (at === -1) return []
  const alike = predicate === 'loose' || predicate === 'tight' ? ['loose', 'tight'] : [predicate]
  return alike
    .flatMap((name) => view.all(name))
    .filter((terms) =>
      places.every((place, index) => index === at || (objects[place as number] ?? terms[index]) === terms[index]),
    )
    .map((terms) => terms[at]!)
}
