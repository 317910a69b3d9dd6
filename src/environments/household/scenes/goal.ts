import { printForm } from '../../../core/form.js'
import type { Random } from '../../../core/random.js'
import { type Scene, placesFor, weighted } from './scene.js'
import { type TaskKind, affords, floor, holds, isFixed } from './rooms.js'

/** A kind of task with its class of object and its class of receptacle (of lamp, for `look_at_obj_in_light`). */
export interface Goal {
  readonly kind: TaskKind
  readonly object: string
  readonly target: string
}

/** How each kind of task is put and what it takes. */
export const goalsOfKind: Readonly<
  Record<
    TaskKind,
    {
      /** ALFWorld's two goal sentences, without a full stop, with class names in lower case in the slots. */
      readonly sentences: readonly [string, string]
      /** What has to be done to the object first: the affordance it needs, the resulting fact, and the appliance. */
      readonly change?: { readonly affordance: string; readonly fact: string; readonly appliance: string }
    }
  >
> = {
  pick_and_place_simple: { sentences: ['put a {object} in {target}', 'put some {object} on {target}'] },
  look_at_obj_in_light: {
    sentences: ['look at {object} under the {target}', 'examine the {object} with the {target}'],
  },
  pick_clean_then_place_in_recep: {
    sentences: ['put a clean {object} in {target}', 'clean some {object} and put it in {target}'],
    change: { affordance: 'cleanable', fact: 'isClean', appliance: 'SinkBasin' },
  },
  pick_heat_then_place_in_recep: {
    sentences: ['put a hot {object} in {target}', 'heat some {object} and put it in {target}'],
    change: { affordance: 'heatable', fact: 'isHot', appliance: 'Microwave' },
  },
  pick_cool_then_place_in_recep: {
    sentences: ['put a cool {object} in {target}', 'cool some {object} and put it in {target}'],
    change: { affordance: 'coolable', fact: 'isCool', appliance: 'Fridge' },
  },
  pick_two_obj_and_place: { sentences: ['put two {object} in {target}', 'find two {object} and put them in {target}'] },
}

/** The lamp of a `look_at_obj_in_light` task: floor lamps are in no receptacle, so they cannot be switched on. */
const lamp = 'DeskLamp'

/** Draws a goal that can be reached in a scene and does not hold at the start; undefined where the kind has none. */
export function drawGoal(kind: TaskKind, scene: Scene, random: Random): Goal | undefined {
  const choices = Object.entries(scene.room.stock).flatMap(([object, stock]) => {
    if (isFixed(object) || stock.places.every(([place]) => place === floor)) return []
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
  const { change } = goalsOfKind[kind]
  if (change !== undefined && !(scene.kinds.has(change.appliance) && affords(change.affordance, object))) return []
  return [...scene.kinds].filter(
    (target) =>
      target !== change?.appliance &&
      !target.endsWith('Basin') &&
      holds(target, object) &&
      standsReady(change ? undefined : target),
  )
}

/** The goal in words, without a full stop, in one of the two sentences of its kind. */
export function goalSentence({ kind, object, target }: Goal, random: Random): string {
  return printForm(random.pick(goalsOfKind[kind].sentences), {
    object: object.toLowerCase(),
    target: target.toLowerCase(),
  })
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
  const { change } = goalsOfKind[kind]
  const state = change === undefined ? '' : ` (${change.affordance} ?o) (${change.fact} ?o)`
  return `(exists (?r - receptacle)
    (exists (?o - object)
      (and ${one('?o')}${state})))`
}
