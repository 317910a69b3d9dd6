import type { Random } from '../../../core/random.js'
import { placesFor, weighted } from './scene.js'
import { floor } from './rooms.js'
import type { Scene } from './scene.js'
import { affordances, fixed, holds } from './vocabulary.js'

/** The six kinds of task, in ALFWorld's order and by its names. */
export const taskKinds = [
  'pick_and_place_simple',
  'look_at_obj_in_light',
  'pick_clean_then_place_in_recep',
  'pick_heat_then_place_in_recep',
  'pick_cool_then_place_in_recep',
  'pick_two_obj_and_place',
] as const
/** One of {@link taskKinds}. */
export type TaskKind = (typeof taskKinds)[number]

/**
 * What is to be done: with which class of object, and at which class of receptacle (of lamp, for
 * `look_at_obj_in_light`).
 */
export interface Goal {
  readonly kind: TaskKind
  readonly object: string
  readonly target: string
}

interface Manner {
  readonly sentences: readonly [(object: string, target: string) => string, (object: string, target: string) => string]
  /** What has to be done to the object first: the affordance it takes, the fact it makes, and the appliance. */
  readonly change?: { readonly affordance: string; readonly fact: string; readonly appliance: string }
}

const manners: Readonly<Record<TaskKind, Manner>> = {
  pick_and_place_simple: {
    sentences: [
      (object, target) => `put a ${object} in ${target}`,
      (object, target) => `put some ${object} on ${target}`,
    ],
  },
  look_at_obj_in_light: {
    sentences: [
      (object, target) => `look at ${object} under the ${target}`,
      (object, target) => `examine the ${object} with the ${target}`,
    ],
  },
  pick_clean_then_place_in_recep: {
    sentences: changed('clean', 'clean'),
    change: { affordance: 'cleanable', fact: 'isClean', appliance: 'SinkBasin' },
  },
  pick_heat_then_place_in_recep: {
    sentences: changed('hot', 'heat'),
    change: { affordance: 'heatable', fact: 'isHot', appliance: 'Microwave' },
  },
  pick_cool_then_place_in_recep: {
    sentences: changed('cool', 'cool'),
    change: { affordance: 'coolable', fact: 'isCool', appliance: 'Fridge' },
  },
  pick_two_obj_and_place: {
    sentences: [
      (object, target) => `put two ${object} in ${target}`,
      (object, target) => `find two ${object} and put them in ${target}`,
    ],
  },
}

function changed(adjective: string, verb: string): Manner['sentences'] {
  return [
    (object, target) => `put a ${adjective} ${object} in ${target}`,
    (object, target) => `${verb} some ${object} and put it in ${target}`,
  ]
}

/** The lamp of a `look_at_obj_in_light` task; floor lamps stand in no receptacle, where nobody can switch them on. */
const lamp = 'DeskLamp'

/**
 * Draws a goal that can be reached in a scene and is not reached at the start; undefined where a kind has none there.
 */
export function drawGoal(kind: TaskKind, scene: Scene, random: Random): Goal | undefined {
  const choices = Object.entries(scene.room.stock).flatMap(([object, stock]) => {
    if (fixed.has(object) || stock.places.every(([place]) => place === floor)) return []
    const targets = targetsOf(kind, object, scene)
    return targets.length === 0 ? [] : [[{ object, targets }, stock.share] as const]
  })
  if (choices.length === 0) return undefined
  const { object, targets } = weighted(choices, random)
  return { kind, object, target: random.pick(targets) }
}

function targetsOf(kind: TaskKind, object: string, scene: Scene): readonly string[] {
  const stock = scene.room.stock[object]!
  const standsReady = (avoid?: string): boolean =>
    placesFor(object, stock, scene, { reachable: true, ...(avoid === undefined ? {} : { avoid }) }).length > 0
  if (kind === 'look_at_obj_in_light') {
    const lit = scene.fixtures.some((fixture) => fixture.kind === lamp && fixture.inside.length > 0)
    return lit && standsReady() ? [lamp] : []
  }
  const { change } = manners[kind]
  if (change !== undefined && !(scene.kinds.has(change.appliance) && affordances[change.affordance]!(object))) return []
  return [...scene.kinds].filter(
    (target) =>
      target !== change?.appliance &&
      !target.endsWith('Basin') &&
      holds(target, object) &&
      standsReady(change ? undefined : target),
  )
}

/** The goal in words, without a full stop, in one of the two sentences ALFWorld has for each kind. */
export function goalSentence({ kind, object, target }: Goal, random: Random): string {
  return random.pick(manners[kind].sentences)(object.toLowerCase(), target.toLowerCase())
}

/** The goal as a PDDL condition. */
export function goalCondition({ kind, object, target }: Goal): string {
  if (kind === 'look_at_obj_in_light') {
    return `(and
    (exists (?lamp - object ?r - receptacle ?a - agent ?l - location)
      (and (objectType ?lamp ${target}Type) (toggleable ?lamp) (isToggled ?lamp)
           (receptacleAtLocation ?r ?l) (atLocation ?a ?l) (inReceptacle ?lamp ?r)))
    (exists (?o - object ?a - agent)
      (and (objectType ?o ${object}Type) (holds ?a ?o))))`
  }
  const one = (variable: string): string =>
    `(objectType ${variable} ${object}Type) (receptacleType ?r ${target}Type) (inReceptacle ${variable} ?r)`
  if (kind === 'pick_two_obj_and_place') {
    return `(exists (?r - receptacle)
    (exists (?o1 - object)
      (and ${one('?o1')}
           (exists (?o2 - object)
             (and (not (= ?o1 ?o2)) ${one('?o2')})))))`
  }
  const { change } = manners[kind]
  const state = change === undefined ? '' : ` (${change.affordance} ?o) (${change.fact} ?o)`
  return `(exists (?r - receptacle)
    (exists (?o - object)
      (and ${one('?o')}${state})))`
}
