import type { Random } from '../../../core/random.js'
import type { Identifiers, Item, Overlap, Receptacle, Scene } from './scene.js'
import { anywhere, identifiers, placeItem, placesFor, standingBy, upon } from './scene.js'
import { type Room, isFixed, isOpenable, sceneData } from './rooms.js'

/** The range of receptacles per room in ALFWorld's validation games. */
const minReceptacles = 7
const maxReceptacles = 54

/** Furnishes a room; the same random stream gives the same scene. */
export function furnish(room: Room, number: number, random: Random): Scene {
  const drawn = drawKinds(room, random)
  const ids = identifiers()
  // In half the rooms every cabinet and drawer can be opened; in the others some are always open.
  const doorless = random.pick([0, 0, 0, 0.15, 0.3, 0.5])
  const receptacles: Receptacle[] = []
  for (const kind of drawn) receptacles.push(setUp(kind, receptacles, doorless, random, ids))
  const furnished = { receptacles, kinds: new Set(drawn), overlaps: findOverlaps(receptacles, random) }
  const companionItems = receptacles.flatMap(({ kind, point }): Item[] => {
    const companion = sceneData().companions[kind]
    if (companion === undefined) return []
    const beside = upon(point, random)
    return [
      { id: ids.thing(companion, beside), kind: companion, location: standingBy(beside, random, ids), inside: [] },
    ]
  })
  const fixtures = Object.entries(room.stock).flatMap(([kind, stock]): Item[] => {
    if (!isFixed(kind) || random.next() >= stock.share) return []
    const places = placesFor(kind, stock, furnished)
    return Array.from({ length: 1 + random.int(stock.most) }, () => placeItem(kind, places, furnished, ids, random))
  })
  return { room, number, ...furnished, fixtures: [...companionItems, ...fixtures] }
}

function drawKinds(room: Room, random: Random): readonly string[] {
  for (;;) {
    const kinds = Object.entries(room.furniture).flatMap(([kind, numbers]) =>
      Array<string>(random.pick(numbers)).fill(kind),
    )
    if (kinds.length >= minReceptacles && kinds.length <= maxReceptacles) return kinds
  }
}

function setUp(
  kind: string,
  before: readonly Receptacle[],
  doorless: number,
  random: Random,
  ids: Identifiers,
): Receptacle {
  const point = anywhere(random, random.pick(sceneData().heights[kind] ?? [0]))
  const alwaysOpen = (kind === 'Cabinet' || kind === 'Drawer') && random.next() < doorless
  const location = mateOf(kind, before, random)?.location ?? standingBy(point, random, ids)
  return { id: ids.thing(kind, point), kind, location, openable: isOpenable(kind) && !alwaysOpen, point }
}

function mateOf(kind: string, before: readonly Receptacle[], random: Random): Receptacle | undefined {
  const last = before.at(-1)
  // Burners come in pairs that are used from one place.
  if (kind === 'StoveBurner') {
    const burners = before.filter((receptacle) => receptacle.kind === kind).length
    return burners % 2 === 1 && random.next() < 0.8 ? last : undefined
  }
  const sharing = sceneData().shared.find((entry) => entry.kind === kind)
  if (sharing === undefined) return undefined
  const mates = before.filter((receptacle) => receptacle.kind === sharing.mate)
  if (mates.length === 0 || random.next() >= sharing.share) return undefined
  return sharing.mate === kind ? mates.at(-1) : random.pick(mates)
}

function findOverlaps(receptacles: readonly Receptacle[], random: Random): readonly Overlap[] {
  const all = (kind: string): readonly Receptacle[] => receptacles.filter((receptacle) => receptacle.kind === kind)
  const burners = all('StoveBurner').flatMap((of) =>
    all('StoveBurner')
      .filter((also) => also !== of && also.location === of.location)
      .map((also) => ({ of, also, share: 0.8 })),
  )
  const counters = all('CounterTop')
  const machines = all('CoffeeMachine').map((of) => ({
    of,
    also: counters.find(({ location }) => location === of.location) ?? random.pick(counters),
    share: 0.9,
  }))
  const [desk, shelf] = [all('Desk')[0], all('Shelf')[0]]
  const above = desk && shelf && random.next() < 0.7 ? [{ of: desk, also: shelf, share: 0.4 }] : []
  return [...burners, ...machines, ...above]
}
