import type { Formula } from '../../pddl/formula.js'
import type { Task } from '../../pddl/task.js'
import type { Spot, View } from './view.js'

/** The goal of a game, as read from PDDL. Names are those of the problem, in lower case. */
type Aim =
  | {
      readonly kind: 'place'
      readonly objectType: string
      readonly receptacleType: string
      /** How many objects have to be in the same receptacle. */
      readonly count: 1 | 2
      /** The state that the object has to be in: `isclean`. */
      readonly state: string | undefined
      /** The constant properties that the object must have: `cleanable`. */
      readonly nature: readonly string[]
    }
  | { readonly kind: 'light'; readonly objectType: string; readonly lampType: string }

/** Facts about an object that an action can bring about. */
const states = ['isclean', 'ishot', 'iscool']

type Atom = Extract<Formula, { kind: 'atom' }>

/**
 * Reads a goal: one or two objects of a type, in a given state or any, in one receptacle of a type; or an object in
 * hand at a lamp of a type that was used. Undefined for any other goal.
 */
export function readAim(goal: Formula): Aim | undefined {
  const atoms: Atom[] = []
  if (!flatten(goal, atoms)) return undefined
  const of = (predicate: string): readonly Atom[] => atoms.filter((atom) => atom.predicate === predicate)
  const typeOf = (predicate: string, variable: string | undefined): string | undefined =>
    of(predicate).find(({ terms }) => terms[0] === variable)?.terms[1]

  const used = of('istoggled')[0]?.terms[0]
  const held = of('holds')[0]?.terms[1]
  if (used !== undefined && held !== undefined) {
    const [objectType, lampType] = [typeOf('objecttype', held), typeOf('objecttype', used)]
    return objectType === undefined || lampType === undefined ? undefined : { kind: 'light', objectType, lampType }
  }

  const placed = of('inreceptacle')
  const [object, receptacle] = placed[0]?.terms ?? []
  const [objectType, receptacleType] = [typeOf('objecttype', object), typeOf('receptacletype', receptacle)]
  if (objectType === undefined || receptacleType === undefined || placed.length > 2) return undefined
  const alike = ({ terms }: Atom): boolean => terms[1] === receptacle && typeOf('objecttype', terms[0]) === objectType
  if (!placed.every(alike)) return undefined
  const unary = atoms.filter(({ terms }) => terms.length === 1).map(({ predicate }) => predicate)
  return {
    kind: 'place',
    objectType,
    receptacleType,
    count: placed.length === 2 ? 2 : 1,
    state: unary.find((predicate) => states.includes(predicate)),
    nature: unary.filter((predicate) => !states.includes(predicate)),
  }
}

/** Collects the atoms of nested `and` and `exists`; false where there is anything else but `(not (= …))`. */
function flatten(formula: Formula, into: Atom[]): boolean {
  switch (formula.kind) {
    case 'atom':
      into.push(formula)
      return true
    case 'and':
      return formula.parts.every((part) => flatten(part, into))
    case 'exists':
      return flatten(formula.part, into)
    case 'not':
      return formula.part.kind === 'equal'
    default:
      return false
  }
}

interface Hold {
  readonly path: Path
  readonly object: number
  /** The other receptacles that still hold the object. */
  readonly still: readonly Spot[]
}

/** The affordance that each state needs, and the receptacle types at which it is brought about. */
const changes: ReadonlyMap<string, { readonly able: string; readonly at: readonly string[] }> = new Map([
  ['isclean', { able: 'cleanable', at: ['sinktype', 'sinkbasintype'] }],
  ['ishot', { able: 'heatable', at: ['microwavetype'] }],
  ['iscool', { able: 'coolable', at: ['fridgetype'] }],
])

/**
 * The steps of a plan with the fewest commands; undefined where there is no plan. It compares every way to hold an
 * object (the one in hand, or any other after putting that down anywhere), every appliance and every final receptacle.
 * Other plans only add commands to one of these: every receptacle is one `go to` away from every other, and objects
 * that the aim does not name are never in the way.
 */
export function shortestSteps(view: View, aim: Aim, task: Task): readonly PlanStep[] | undefined {
  let best: Path | undefined
  const consider = (path: Path | undefined): void => {
    if (path !== undefined && (best === undefined || path.length < best.length)) best = path
  }
  const worthwhile = (path: Path): boolean => best === undefined || path.length < best.length
  const start: Path = { length: 0, location: view.location, last: undefined }
  const spots = [...view.spots.values()]
  const spotsOf = (types: readonly string[]): readonly Spot[] => {
    const numbers = types.map((type) => task.object(type))
    return spots.filter(({ type }) => numbers.includes(type))
  }

  /** Every way to hold one of the objects, and where it then still is. */
  function* waysToHold(from: Path, held: number | undefined, objects: readonly number[]): Generator<Hold> {
    if (held !== undefined && objects.includes(held)) {
      yield { path: from, object: held, still: view.inside(held) }
    }
    const emptied =
      held === undefined
        ? [from]
        : spots
            .filter((spot) => view.canContain(spot, held))
            .map((spot) => extend(from, { kind: 'put', object: held, spot }))
            .sort((left, right) => left.length - right.length)
    for (const path of emptied.filter(worthwhile)) {
      for (const object of objects) {
        if (object === held || !view.is('pickupable', object)) continue
        const inside = view.inside(object)
        for (const spot of inside) {
          const still = inside.filter((other) => other !== spot)
          yield { path: extend(path, { kind: 'take', object, spot }), object, still }
        }
      }
    }
  }

  if (aim.kind === 'light') {
    const lamps = view.objectsOf(aim.lampType).filter((lamp) => view.is('toggleable', lamp))
    for (const { path } of waysToHold(start, view.held, view.objectsOf(aim.objectType))) {
      for (const object of lamps) {
        const kind = view.is('istoggled', object) ? 'arrive' : 'use'
        for (const spot of view.inside(object)) consider(extend(path, { kind, object, spot }))
      }
    }
    return best && stepsOf(best)
  }

  const objects = view
    .objectsOf(aim.objectType)
    .filter((object) => aim.nature.every((predicate) => view.is(predicate, object)))
  const targets = spotsOf([aim.receptacleType]).filter(
    (spot) => objects[0] !== undefined && view.canContain(spot, objects[0]),
  )
  const targetType = task.object(aim.receptacleType)
  const change = aim.state === undefined ? undefined : changes.get(aim.state)
  const appliances = spotsOf(change?.at ?? [])

  if (aim.count === 1) {
    for (const { path, object, still } of waysToHold(start, view.held, objects)) {
      if (!worthwhile(path)) continue
      const ready = aim.state === undefined || view.is(aim.state, object)
      if (!ready && !(change !== undefined && view.is(change.able, object))) continue
      const there = still.some(({ type }) => type === targetType)
      for (const changed of ready ? [path] : appliances.map((spot) => extend(path, { kind: 'change', object, spot }))) {
        if (there) consider(changed)
        else for (const spot of targets) consider(extend(changed, { kind: 'put', object, spot }))
      }
    }
    return best && stepsOf(best)
  }

  for (const target of targets) {
    const absent = objects.filter((object) => !view.inside(object).includes(target))
    for (const first of waysToHold(start, view.held, absent)) {
      const one = extend(first.path, { kind: 'put', object: first.object, spot: target })
      if (absent.length < objects.length) consider(one)
      else if (worthwhile(one)) {
        const others = absent.filter((object) => object !== first.object)
        for (const { path, object } of waysToHold(one, undefined, others)) {
          consider(extend(path, { kind: 'put', object, spot: target }))
        }
      }
    }
  }
  return best && stepsOf(best)
}

/** One action at a receptacle. Going there, and opening it where necessary, is implied. */
export interface PlanStep {
  readonly kind: 'take' | 'put' | 'change' | 'use' | 'arrive'
  readonly object: number
  readonly spot: Spot
}

/** A sequence of steps with its number of commands. Paths share common beginnings. */
interface Path {
  readonly length: number
  readonly location: number
  readonly last: { readonly step: PlanStep; readonly before: Path } | undefined
}

/** A path with one more step at its end. */
function extend(before: Path, step: PlanStep): Path {
  const { spot, kind } = step
  const going = before.location === spot.location ? 0 : 1
  const opening = needsOpen(step) && spot.closed && !openedOn(before, spot) ? 1 : 0
  const doing = kind === 'arrive' ? 0 : 1
  return { length: before.length + going + opening + doing, location: spot.location, last: { step, before } }
}

/** Whether a receptacle has to be open for a step. */
export function needsOpen({ kind }: PlanStep): boolean {
  return kind === 'take' || kind === 'put'
}

function openedOn(path: Path, spot: Spot): boolean {
  for (let at: Path = path; at.last !== undefined; at = at.last.before) {
    if (at.last.step.spot === spot && needsOpen(at.last.step)) return true
  }
  return false
}

/** The steps of a path, in order. */
function stepsOf(path: Path): readonly PlanStep[] {
  const steps: PlanStep[] = []
  for (let at: Path = path; at.last !== undefined; at = at.last.before) steps.push(at.last.step)
  return steps.reverse()
}
