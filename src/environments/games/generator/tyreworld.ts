import type { Random } from '../../../core/random.js'
import type { Situation } from './situation.js'
import { defineFamily, numbered, some } from './situation.js'

interface Size {
  readonly hubs: number
  /** The number of hubs whose spare wheel should be on the hub and inflated, and whose flat wheel in the boot. */
  readonly whole: number
  /** The numbers of other hubs for which the goal requires only one of these. */
  readonly on?: number
  readonly inflated?: number
  readonly stowed?: number
  /** Whether much of the work is done at the start, since all of it exceeds the step limit. */
  readonly begun?: true
}

const tools = ['wrench', 'jack', 'pump'] as const

/** The sizes of the benchmark's problems. */
const sizes: readonly Size[] = [
  { hubs: 1, whole: 1 },
  { hubs: 3, whole: 0, inflated: 3 },
  { hubs: 3, whole: 1, inflated: 2 },
  { hubs: 9, whole: 2 },
  { hubs: 3, whole: 3 },
  { hubs: 4, whole: 4, begun: true },
  { hubs: 1, whole: 0, on: 1, stowed: 1 },
  { hubs: 3, whole: 0, inflated: 1, stowed: 2 },
  { hubs: 3, whole: 0, stowed: 2 },
  { hubs: 4, whole: 0, stowed: 2 },
]

/** Flat wheels on hubs, spare ones in the boot, and a goal for both. */
export const tyreworld = defineFamily(6, sizes, draw)

function draw({ hubs: count, whole, on = 0, inflated = 0, stowed = 0, begun }: Size, random: Random): Situation {
  const hubs = Array.from({ length: count }, (_, index) => String(index + 1))
  const changed = some(hubs, whole, random)
  const left = hubs.filter((hub) => !changed.includes(hub))
  const mounted = [...changed, ...some(left, on, random)]
  const stowing = [...changed, ...some(left, stowed, random)]
  const pumped = [...changed, ...some(left, inflated, random)]
  const handled = hubs.filter((hub) => mounted.includes(hub) || stowing.includes(hub))

  const isDone = (): boolean => (begun ? random.int(4) > 0 : random.int(4) === 0)
  const open = isDone()
  const fetched = (things: readonly string[]): string[] => things.filter(() => open && isDone())
  const held = [...fetched(tools), ...fetched(hubs.map((hub) => `spare${hub}`))]
  const lifted = held.includes('jack') && isDone() ? random.pick(handled.length > 0 ? handled : hubs) : undefined
  const loose = hubs.filter(isDone)
  const full = hubs.filter((hub) => !pumped.includes(hub) && isDone())

  const needed = [
    ...(handled.length > 0 ? ['wrench', 'jack'] : []),
    ...(pumped.length > 0 ? ['pump'] : []),
    ...mounted.map((hub) => `spare${hub}`),
  ]
  const lifts = handled.filter((hub) => hub !== lifted).length
  return {
    objects: [
      'boot - container',
      `${numbered('hub', count).join(' ')} - hub`,
      `${numbered('nut', count).join(' ')} - nut`,
      `${[...numbered('flat', count), ...numbered('spare', count)].join(' ')} - wheel`,
    ],
    init: [
      'unlocked boot',
      `${open ? 'isopen' : 'closed'} boot`,
      ...[...tools, ...numbered('spare', count)]
        // A jack under a hub is neither held nor in the boot.
        .filter((thing) => thing !== 'jack' || lifted === undefined)
        .map((thing) => (held.includes(thing) ? `have ${thing}` : `in ${thing} boot`)),
      ...hubs.flatMap((hub) => [
        `intact spare${hub}`,
        `${full.includes(hub) ? 'inflated' : 'not-inflated'} spare${hub}`,
        `on flat${hub} hub${hub}`,
        `${loose.includes(hub) || hub === lifted ? 'loose' : 'tight'} nut${hub} hub${hub}`,
        `fastened hub${hub}`,
        `${hub === lifted ? 'not-on-ground' : 'on-ground'} hub${hub}`,
      ]),
    ],
    goal: [
      ...mounted.map((hub) => `on spare${hub} hub${hub}`),
      ...pumped.map((hub) => `inflated spare${hub}`),
      ...stowing.map((hub) => `in flat${hub} boot`),
    ],
    solutionLength:
      (open ? 0 : 1) +
      needed.filter((thing) => !held.includes(thing)).length +
      handled.filter((hub) => !loose.includes(hub) && hub !== lifted).length +
      // The only jack comes down before each lift except the first.
      lifts +
      (lifted === undefined ? Math.max(lifts - 1, 0) : lifts) +
      // Undo the nut and take the wheel off, put the other one on, put it away, pump it up.
      2 * handled.length +
      mounted.length +
      stowing.length +
      pumped.length,
  }
}

/** Flat wheels are changed at the roadside. Facts and actions have the names of AgentBoard's game. */
export const tyreworldDomain = `; A boot full of tools and spare wheels, and hubs with flat ones.
(define (domain tyreworld)
  (:requirements :strips :typing)
  (:types
    container hub obj - object
    nut tool wheel - obj)
  (:constants jack pump wrench - tool)
  (:predicates
    (unlocked ?box - container) (closed ?box - container) (isopen ?box - container)
    (in ?thing - obj ?box - container)
    (have ?thing - obj)
    (tight ?nut - nut ?hub - hub) (loose ?nut - nut ?hub - hub)
    (on-ground ?hub - hub) (not-on-ground ?hub - hub)
    (fastened ?hub - hub) (unfastened ?hub - hub)
    (free ?hub - hub)
    (on ?wheel - wheel ?hub - hub)
    (intact ?wheel - wheel)
    (inflated ?wheel - wheel) (not-inflated ?wheel - wheel))

  ; --- the boot ------------------------------------------------------------
  (:action open
    :parameters (?box - container)
    :precondition (and (closed ?box) (unlocked ?box))
    :effect (and (not (closed ?box)) (isopen ?box)))

  (:action close
    :parameters (?box - container)
    :precondition (isopen ?box)
    :effect (and (not (isopen ?box)) (closed ?box)))

  (:action fetch
    :parameters (?thing - obj ?box - container)
    :precondition (and (isopen ?box) (in ?thing ?box))
    :effect (and (not (in ?thing ?box)) (have ?thing)))

  (:action put-away
    :parameters (?thing - obj ?box - container)
    :precondition (and (isopen ?box) (have ?thing))
    :effect (and (not (have ?thing)) (in ?thing ?box)))

  ; --- nuts and jack -------------------------------------------------------
  (:action loosen
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (on-ground ?hub) (tight ?nut ?hub))
    :effect (and (not (tight ?nut ?hub)) (loose ?nut ?hub)))

  (:action tighten
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (on-ground ?hub) (loose ?nut ?hub))
    :effect (and (not (loose ?nut ?hub)) (tight ?nut ?hub)))

  (:action jack-up
    :parameters (?hub - hub)
    :precondition (and (have jack) (on-ground ?hub))
    :effect (and (not (have jack)) (not (on-ground ?hub)) (not-on-ground ?hub)))

  (:action jack-down
    :parameters (?hub - hub)
    :precondition (not-on-ground ?hub)
    :effect (and (not (not-on-ground ?hub)) (on-ground ?hub) (have jack)))

  (:action undo
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (not-on-ground ?hub) (fastened ?hub) (loose ?nut ?hub))
    :effect (and
      (not (loose ?nut ?hub)) (have ?nut)
      (not (fastened ?hub)) (unfastened ?hub)))

  (:action do-up
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (not-on-ground ?hub) (unfastened ?hub) (have ?nut))
    :effect (and
      (not (have ?nut)) (loose ?nut ?hub)
      (not (unfastened ?hub)) (fastened ?hub)))

  ; --- wheels --------------------------------------------------------------
  (:action remove-wheel
    :parameters (?wheel - wheel ?hub - hub)
    :precondition (and (not-on-ground ?hub) (unfastened ?hub) (on ?wheel ?hub))
    :effect (and (not (on ?wheel ?hub)) (free ?hub) (have ?wheel)))

  (:action put-on-wheel
    :parameters (?wheel - wheel ?hub - hub)
    :precondition (and (not-on-ground ?hub) (unfastened ?hub) (free ?hub) (have ?wheel))
    :effect (and (not (have ?wheel)) (not (free ?hub)) (on ?wheel ?hub)))

  (:action inflate
    :parameters (?wheel - wheel)
    :precondition (and (have pump) (intact ?wheel) (not-inflated ?wheel))
    :effect (and (not (not-inflated ?wheel)) (inflated ?wheel))))
`
