import type { Enlargement } from '../../../core/environment.js'
import { type Random, createRandom } from '../../../core/random.js'
import { type Goal, goalCondition } from './goal.js'
import type { Identifiers, Item, Scene } from './scene.js'
import { anywhere, identifiers, placeItem, placesFor, standingBy, weighted } from './scene.js'
import { affords, holds, isFixed, vocabulary } from './rooms.js'

/** Types that the domain mentions; they are declared even where a room has nothing of them. */
const namedByDomain = { otype: ['Knife', 'ButterKnife'], rtype: ['SinkBasin', 'Microwave', 'Fridge'] }

/** A situation as a PDDL problem of the household domain, with the names and facts of ALFWorld's own problems. */
export function problemText(name: string, { scene, goal, items, cool, nested, start }: Situation): string {
  const objects = [...scene.fixtures, ...items]
  const objectKinds = [...new Set(objects.map(({ kind }) => kind))]
  const receptacleKinds = [...scene.kinds]
  const locations = new Set([...scene.receptacles, ...objects].map(({ location }) => location)).add(start)

  const declarations = [
    declare(['agent1'], 'agent'),
    // ALFWorld's domain also cleans at a `SinkType`, which is a class of object and never of a receptacle.
    declare(new Set([...objectKinds, ...namedByDomain.otype, 'Sink'].map(typeName)), 'otype'),
    declare(new Set([...receptacleKinds, ...namedByDomain.rtype].map(typeName)), 'rtype'),
    declare(
      objects.map(({ id }) => id),
      'object',
    ),
    declare(
      scene.receptacles.map(({ id }) => id),
      'receptacle',
    ),
    declare(locations, 'location'),
  ]
  const facts = [
    ...scene.receptacles.map(({ id, kind }) => `(receptacleType ${id} ${typeName(kind)})`),
    ...objects.map(({ id, kind }) => `(objectType ${id} ${typeName(kind)})`),
    ...receptacleKinds.flatMap((kind) =>
      objectKinds
        .filter((object) => holds(kind, object))
        .map((object) => `(canContain ${typeName(kind)} ${typeName(object)})`),
    ),
    ...objects.filter(({ kind }) => !isFixed(kind)).map(({ id }) => `(pickupable ${id})`),
    ...Object.keys(vocabulary().affordances).flatMap((predicate) =>
      objects.filter(({ kind }) => affords(predicate, kind)).map(({ id }) => `(${predicate} ${id})`),
    ),
    ...scene.receptacles.filter(({ openable }) => openable).map(({ id }) => `(openable ${id})`),
    ...cool.map((id) => `(isCool ${id})`),
    `(atLocation agent1 ${start})`,
    ...objects.flatMap(({ id, inside }) => inside.map((receptacle) => `(inReceptacle ${id} ${receptacle})`)),
    ...nested.map(({ inner, outer }) => `(inReceptacleObject ${inner} ${outer})`),
    ...scene.receptacles.map(({ id, location }) => `(receptacleAtLocation ${id} ${location})`),
    ...objects.map(({ id, location }) => `(objectAtLocation ${id} ${location})`),
  ]
  return `(define (problem ${name})
  (:domain alfred)
  (:objects
${declarations.join('\n')}
  )
  (:init
${facts.map((fact) => `    ${fact}`).join('\n')}
  )
  (:goal
    ${goalCondition(goal)}
  )
)
`
}

const typeName = (kind: string): string => `${kind}Type`

function declare(names: Iterable<string>, type: string): string {
  return [...names].map((name) => `    ${name} - ${type}`).join('\n')
}

/** A scene with its objects at the start of a task. */
interface Situation {
  readonly scene: Scene
  readonly goal: Goal
  readonly items: readonly Item[]
  /** Ids of objects that are cold at the start. */
  readonly cool: readonly string[]
  /** A smaller object lying in a larger one, as in ALFWorld's `inReceptacleObject`; both are in the same receptacle. */
  readonly nested: readonly { readonly inner: string; readonly outer: string }[]
  /** The agent's location at the start, without a receptacle. */
  readonly start: string
}

/** Equally likely numbers of objects of the goal's class, so that there is often a choice. */
const goalObjectCounts = [1, 1, 1, 2, 2, 2, 3, 3, 4]

/** Puts a task's objects into its scene: enough of the goal's class, none of them where the goal wants it. */
export function populate(scene: Scene, goal: Goal, random: Random, more?: Enlargement): Situation {
  const ids = identifiers([...scene.receptacles, ...scene.fixtures].flatMap(({ id, location }) => [id, location]))
  const items = Object.entries(scene.room.stock).flatMap(([kind, stock]): Item[] => {
    if (isFixed(kind)) return []
    const required = kind !== goal.object ? 0 : goal.kind === 'pick_two_obj_and_place' ? 2 : 1
    const drawn =
      required > 0 ? random.pick(goalObjectCounts) : random.next() < stock.share ? 1 + random.int(stock.most) : 0
    const avoid = required > 0 ? keptClearOf(goal) : undefined
    return Array.from({ length: Math.max(required, drawn) }, (_, at) => {
      // One of two is sometimes already there.
      const there = required === 2 && at === 0 && random.next() < 0.05
      const constraints = {
        reachable: at < required,
        open: at < required && random.next() < 0.75,
        ...(avoid === undefined || there ? {} : { avoid }),
      }
      const places = there ? [[goal.target, 1] as const] : placesFor(kind, stock, scene, constraints)
      return placeItem(kind, places, scene, ids, random, there ? undefined : avoid)
    })
  })
  const inFridge = new Set(scene.receptacles.filter(({ kind }) => kind === 'Fridge').map(({ id }) => id))
  const cool = items
    .filter(({ kind, inside }) => affords('coolable', kind) && inside.some((id) => inFridge.has(id)))
    .filter(() => random.next() < 0.03)
    .map(({ id }) => id)
  const start = standingBy(anywhere(random, 90), random, ids)
  const nested = nest(items, random)
  return { scene, goal, items: [...items, ...furtherItems(scene, goal, items.length, ids, more)], cool, nested, start }
}

/**
 * Objects of classes that the goal does not name, where their stock has them; the other objects stay where they are.
 */
function furtherItems(scene: Scene, goal: Goal, count: number, ids: Identifiers, more?: Enlargement): Item[] {
  if (more === undefined) return []
  const random = createRandom(more.seed)
  const kinds = Object.entries(scene.room.stock)
    .filter(([kind]) => !isFixed(kind) && kind !== goal.object && kind !== goal.target)
    .map((entry) => [entry, entry[1].share] as const)
  return Array.from({ length: Math.round(more.share * count) }, () => {
    const [kind, stock] = weighted(kinds, random)
    return placeItem(kind, placesFor(kind, stock, scene), scene, ids, random)
  })
}

/** The receptacle class that no object of the goal may be in at the start; none if the object has to change first. */
function keptClearOf({ kind, target }: Goal): string | undefined {
  return kind === 'pick_and_place_simple' || kind === 'pick_two_obj_and_place' ? target : undefined
}

function nest(items: readonly Item[], random: Random): Situation['nested'] {
  if (random.next() >= 0.16) return []
  const pairs = items
    .filter(({ kind }) => affords('isReceptacleObject', kind))
    .flatMap((outer) =>
      items
        .filter((inner) => inner !== outer && inner.inside[0] !== undefined && inner.inside[0] === outer.inside[0])
        .filter((inner) => !affords('isReceptacleObject', inner.kind))
        .map((inner) => ({ inner: inner.id, outer: outer.id })),
    )
  return pairs.length === 0 ? [] : [random.pick(pairs)]
}
