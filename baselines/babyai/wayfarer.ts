import type { Mapped } from './chart.js'
import { isWithinSight, outlookOn } from './chart.js'
import { findWanted, isKind } from './errands.js'
import { explore } from './explore.js'
import type { Choice, Scene } from './scene.js'
import type { Wanted } from './mission.js'
import type { Pose } from './place.js'
import { bearing, cellFrom, cellOf, strides } from './place.js'
import type { Stop, Walk } from './routes.js'
import { findStops } from './routes.js'
import { movesFrom } from './moves.js'
import type { Sighting } from './sight.js'
import type { Trip } from './trip.js'
import type { Intent } from './words.js'

/** Log odds of an idle turn or step against what is best: what makes a wayfarer at temperature 1 a little absent-minded. */
const idle: readonly Choice[] = [
  { intents: [{ verb: 'left' }, { verb: 'right' }], score: -2.5 },
  { intents: [{ verb: 'forward' }], score: -3 },
  { intents: [{ verb: 'list' }], score: -4 },
]

/** What a sensible person would do next, knowing no more than what was seen. */
export function choose(trip: Trip): readonly Choice[] {
  const outlook = outlookOn(trip.chart)
  const { chart, carrying } = trip
  const walk: Walk = {
    chart,
    outlook,
    key: carrying?.type === 'key' ? carrying.colour : undefined,
    stuck: new Set([...trip.blocked, ...keptShut(trip)]),
  }
  const scene: Scene = { trip, outlook, walk, stops: findStops(walk, movesFrom(trip, outlook, walk.stuck)) }
  const sensible = pursue(scene).map((choice) => ({ ...choice, score: choice.score - regret(choice, trip) }))
  const best = sensible.reduce((most, { score }) => Math.max(most, score), -Infinity)
  return [...sensible.map(({ intents, score }) => ({ intents, score: score - best })), ...idle]
}

/** Log odds of turning back at once, and of each turn in a row after the third, against going on: what is hoped for differs a little from side to side. */
const turningBack = 2.5
const spinning = 1

function regret({ intents: [intent] }: Choice, { last, turns }: Trip): number {
  if (intent?.verb !== 'left' && intent?.verb !== 'right') return 0
  const isBack = (last === 'left' || last === 'right') && last !== intent.verb
  return (isBack ? turningBack : 0) + Math.max(0, turns - 2) * spinning
}

/** Doors that are to be opened at their time, and not by the way. */
function keptShut({ chart, mission, round }: Trip): readonly number[] {
  if (round > 0) return []
  const doors = mission.filter(({ deed }) => deed === 'open').flatMap(({ thing }) => findWanted(chart, thing))
  return doors.filter(({ kind }) => kind.state !== 'open').map(({ cell }) => cell)
}

function pursue(scene: Scene): readonly Choice[] {
  const { trip } = scene
  const errand = trip.mission[trip.done]
  if (errand === undefined) return explore(scene, { follow, fetchKey })
  const { deed, thing, beside } = errand
  const choices =
    deed === 'go'
      ? goTo(scene, thing)
      : deed === 'take'
        ? take(scene, thing)
        : deed === 'open'
          ? open(scene, thing)
          : put(scene, thing, beside!)
  return choices.length > 0 ? choices : explore(scene, { follow, fetchKey })
}

/** The wanted things; those that were tried in vain only where there is no other. */
function candidates({ trip }: Scene, wanted: Wanted): readonly Mapped[] {
  const all = findWanted(trip.chart, wanted)
  const fresh = all.filter(({ cell }) => !trip.tried.has(cell))
  return fresh.length > 0 || trip.round === 0 ? fresh : all
}

function goTo(scene: Scene, wanted: Wanted): readonly Choice[] {
  return candidates(scene, wanted).flatMap(({ cell }) => {
    if (isFacing(scene.trip.chart.pose, cell)) return [{ intents: [{ verb: 'left' }, { verb: 'right' }], score: -1 }]
    return approach(scene, cell, 'go')
  })
}

function take(scene: Scene, wanted: Wanted): readonly Choice[] {
  const { trip } = scene
  const things = candidates(scene, wanted)
  if (trip.carrying !== undefined) {
    const isRight = isKind(trip.carrying, wanted)
    return things.length > 0 || isRight ? putAway(scene, things[0]?.cell) : []
  }
  return things.flatMap(({ cell }) => approach(scene, cell, 'take'))
}

function open(scene: Scene, wanted: Wanted): readonly Choice[] {
  const { chart, carrying } = scene.trip
  return candidates(scene, wanted).flatMap(({ cell, kind }) => {
    if (kind.state === 'open') return []
    const hasKey = carrying?.type === 'key' && carrying.colour === kind.colour
    if (kind.state === 'locked' && !hasKey) return fetchKey(scene, cell, kind.colour)
    if (isFacing(chart.pose, cell)) return [{ intents: [{ verb: 'toggle' }], score: 0 }]
    return approach(scene, cell, 'go')
  })
}

function put(scene: Scene, wanted: Wanted, beside: Wanted): readonly Choice[] {
  const { trip, stops } = scene
  if (trip.carrying === undefined || !isKind(trip.carrying, wanted)) return take(scene, wanted)
  const goals = new Set(findWanted(trip.chart, beside).map(({ cell }) => cell))
  const isBeside = (pose: Pose): boolean => {
    const cell = cellFrom(pose, 1, 0)
    return isFree(scene, cell) && strides.some((stride) => goals.has(cell + stride))
  }
  if (isBeside(trip.chart.pose)) return [{ intents: [{ verb: 'drop' }], score: 0 }]
  const stop = stops.find(({ pose }) => isBeside(pose))
  return stop === undefined ? [] : [follow(scene, stop)]
}

/** Fetches a key for a locked door; what stands before the door is carried off first. Nothing where no key is known. */
function fetchKey(scene: Scene, door: number, colour: string): readonly Choice[] {
  const keys = findWanted(scene.trip.chart, { type: 'key', colour, side: '' })
  if (keys.length === 0) return []
  const before = scene.stops.find(({ pose }) => isFacing(pose, door))
  if (before !== undefined && before.blocker !== -1) return obtain(scene, before.blocker)
  return keys.flatMap(({ cell }) => obtain(scene, cell))
}

/** Takes a thing, whatever is in one's hands. */
function obtain(scene: Scene, cell: number): readonly Choice[] {
  return scene.trip.carrying === undefined ? approach(scene, cell, 'take') : putAway(scene, cell)
}

/** Does something at a thing in sight, or goes where it is in sight. */
function approach(scene: Scene, cell: number, verb: 'go' | 'take'): readonly Choice[] {
  const { trip, outlook, stops } = scene
  const { pose } = trip.chart
  if (verb === 'go' && trip.barred.has(cell)) return []
  const isBlocked = trip.blocked.has(cell)
  const shown = thingOn(trip, cell)
  if (shown !== undefined && !isBlocked) return [{ intents: [{ verb, name: shown.name }], score: 0 }]
  if (shown !== undefined && verb === 'take' && isFacing(pose, cell)) {
    return [{ intents: [{ verb, name: shown.name }], score: 0 }]
  }
  const isNear = (one: Pose): boolean => isWithinSight(one, cell) && outlook.from(one).includes(cell)
  const stop = stops.find(({ pose: one }) => (isBlocked ? isFacing(one, cell) : isNear(one)))
  return stop === undefined ? [] : [follow(scene, stop)]
}

/** The first action on a way; something in the way is taken first. */
function follow(scene: Scene, { label, cost, blocker }: Stop<Intent>): Choice {
  const score = -0.3 * cost
  if (blocker !== -1) {
    const [first] = scene.trip.carrying === undefined ? takeAway(scene, blocker) : putAway(scene, blocker)
    if (first !== undefined) return { ...first, score }
  }
  return { intents: [label], score }
}

function takeAway({ trip, outlook, stops }: Scene, cell: number): readonly Choice[] {
  const shown = thingOn(trip, cell)
  if (shown !== undefined) return [{ intents: [{ verb: 'take', name: shown.name }], score: 0 }]
  const stop = stops.find(
    ({ pose, blocker }) => blocker === -1 && isWithinSight(pose, cell) && outlook.from(pose).includes(cell),
  )
  return stop === undefined ? [] : [{ intents: [stop.label], score: 0 }]
}

const mostTrials = 6

/** Lays down what one carries where it is in nobody's way: best where it leaves a way to what is wanted next. */
function putAway(scene: Scene, next: number | undefined): readonly Choice[] {
  const { trip, stops, walk } = scene
  const isGood = (pose: Pose): boolean => {
    const cell = cellFrom(pose, 1, 0)
    const isInDoor = trip.chart.things.get(cellOf(pose.x, pose.y))?.kind.type === 'door'
    const isBeforeDoor = strides.some((stride) => trip.chart.things.get(cell + stride)?.kind.type === 'door')
    return !isInDoor && !isBeforeDoor && isFree(scene, cell)
  }
  const leavesWay = (pose: Pose): boolean => {
    if (next === undefined) return true
    const cell = cellFrom(pose, 1, 0)
    const kind = { type: 'ball', colour: '', state: '' }
    const things = new Map(trip.chart.things).set(cell, { cell, kind })
    const after = findStops({ ...walk, chart: { ...trip.chart, things } }, [{ label: 0, pose, cost: 0 }])
    return after.some((stop) => stop.blocker === -1 && isFacing(stop.pose, next))
  }
  const here: Stop<Intent> = { pose: trip.chart.pose, cost: 0, label: { verb: 'drop' }, blocker: -1 }
  const good = [here, ...stops].filter(({ pose, blocker }) => blocker === -1 && isGood(pose))
  const best = good.slice(0, mostTrials).find(({ pose }) => leavesWay(pose)) ?? good[0] ?? here
  return [{ intents: [best.label], score: -0.3 * best.cost }]
}

function isFree({ trip, outlook }: Scene, cell: number): boolean {
  return !outlook.isWall(cell) && !trip.chart.things.has(cell) && outlook.isSeen(cell)
}

/** Whether a cell is right in front. */
function isFacing(pose: Pose, cell: number): boolean {
  return cellFrom(pose, 1, 0) === cell
}

/** What is in sight on a cell. */
function thingOn({ chart, sight }: Trip, cell: number): Sighting | undefined {
  const { ahead, aside } = bearing(chart.pose, cell)
  return sight.things.find((thing) => thing.ahead === ahead && thing.aside === aside)
}
