import type { Game } from '../../../src/environments/household/engine/engine.js'
import type { GameSource } from '../../../src/environments/household/engine/game-file.js'
import { compileGame } from '../../../src/environments/household/engine/engine.js'

/**
 * A household small enough to be read at a glance, with the peculiarities of ALFWorld's files: the type name with a
 * comma in `examineObject`, the conditional switch, names that are only mentioned, duplicate facts.
 */
export const smallDomain = `; A small household
(define (domain Small)
  (:requirements :adl :action-costs :typing)
  (:types agent location receptacle object rtype otype)
  (:predicates (atLocation ?a - agent ?l - location) (receptacleAtLocation ?r - receptacle ?l - location)
    (objectAtLocation ?o - object ?l - location) (inReceptacle ?o - object ?r - receptacle)
    (openable ?r - receptacle) (opened ?r - receptacle) (checked ?r - receptacle)
    (receptacleType ?r - receptacle ?t - rtype) (objectType ?o - object ?t - otype) (canContain ?rt - rtype ?ot - otype)
    (holds ?a - agent ?o - object) (holdsAny ?a - agent) (isHot ?o - object) (isCool ?o - object)
    (toggleable ?o - object) (isOn ?o - object) (isToggled ?o - object))
  (:functions (distance ?from ?to) (total-cost) - number)
  (:action look :parameters (?a - agent ?l - location) :precondition (and (atLocation ?a ?l)) :effect (and (checked ?l)))
  (:action inventory :parameters (?a - agent) :precondition () :effect (and (checked ?a)))
  (:action examineReceptacle :parameters (?a - agent ?r - receptacle)
    :precondition (and (exists (?l - location) (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l))))
    :effect (and (checked ?r)))
  (:action examineObject :parameters (?a - agent ?o - object)
    :precondition (or
      (exists (?l - location, ?r - receptacle)
        (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r) (or (not (openable ?r)) (opened ?r))))
      (holds ?a ?o))
    :effect (and (checked ?o)))
  (:action GotoLocation :parameters (?a - agent ?lStart - location ?lEnd - location ?r - receptacle)
    :precondition (and (atLocation ?a ?lStart) (receptacleAtLocation ?r ?lEnd)) ; where to
    :effect (and (not (atLocation ?a ?lStart)) (atLocation ?a ?lEnd) (increase (total-cost) 1)))
  (:action OpenObject :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (openable ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (not (opened ?r)))
    :effect (and (opened ?r) (checked ?r) (increase (total-cost) 1)))
  (:action CloseObject :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (openable ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (opened ?r))
    :effect (and (not (opened ?r)) (increase (total-cost) 1)))
  (:action PickupObject :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r) (not (holdsAny ?a))
      (not (toggleable ?o)) (or (not (openable ?r)) (opened ?r)))
    :effect (and (not (inReceptacle ?o ?r)) (holds ?a ?o) (holdsAny ?a) (not (objectAtLocation ?o ?l))
      (increase (total-cost) 1)))
  (:action PutObject :parameters (?a - agent ?l - location ?o - object ?r - receptacle ?ot - otype ?rt - rtype)
    :precondition (and (holds ?a ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (or (not (openable ?r)) (opened ?r))
      (objectType ?o ?ot) (receptacleType ?r ?rt) (canContain ?rt ?ot))
    :effect (and (inReceptacle ?o ?r) (objectAtLocation ?o ?l) (not (holds ?a ?o)) (not (holdsAny ?a))
      (increase (total-cost) 1)))
  (:action CoolObject :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (or (receptacleType ?r FridgeType)) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o))
    :effect (and (isCool ?o) (not (isHot ?o)) (increase (total-cost) 5)))
  (:action HeatObject :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (or (receptacleType ?r MicrowaveType)) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o))
    :effect (and (isHot ?o) (not (isCool ?o)) (increase (total-cost) 5)))
  (:action ToggleObject :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (toggleable ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r))
    :effect (and (when (isOn ?o) (not (isOn ?o))) (when (not (isOn ?o)) (isOn ?o)) (isToggled ?o)
      (increase (total-cost) 5)))
)
`

/** Shelves 1 and 2 stand at one place; the mug is on both; the fridge is closed; the lamp stands on the desk. */
export const smallProblem = problem(
  '(exists (?r - receptacle ?o - object) (and (inReceptacle ?o ?r) (receptacleType ?r FridgeType) (objectType ?o MugType) (isCool ?o)))',
)

/** The small household with another goal. */
export function problem(goal: string): string {
  return `
(define (problem small_1)
  (:domain small)
  (:objects agent1 - agent  Mug Apple - object
    Mug_bar__plus_01 Mug_bar__minus_02 - object
    Apple_bar_1 Apple_bar_2 - object Lamp_bar_1 - object Window_bar_1 - object
    Shelf_bar_1 Shelf_bar_2 - receptacle Desk_bar_1 - receptacle Fridge_bar_1 - receptacle
    Sink_bar_1_bar_SinkBasin - receptacle
    loc_bar_1 loc_bar_2 loc_bar_3 loc_bar_4 loc_bar_5 - location
    FridgeType ShelfType DeskType SinkBasinType - rtype MugType AppleType LampType - otype)
  (:init (= (total-cost) 0)
    (canContain FridgeType MugType) (canContain ShelfType MugType) (canContain ShelfType MugType)
    (canContain DeskType MugType) (canContain FridgeType AppleType)
    (receptacleType Shelf_bar_1 ShelfType) (receptacleType Shelf_bar_2 ShelfType) (receptacleType Desk_bar_1 DeskType)
    (receptacleType Fridge_bar_1 FridgeType) (receptacleType Sink_bar_1_bar_SinkBasin SinkBasinType)
    (openable Fridge_bar_1)
    (objectType Mug_bar__plus_01 MugType) (objectType Mug_bar__minus_02 MugType)
    (objectType Apple_bar_1 AppleType) (objectType Apple_bar_2 AppleType) (objectType Lamp_bar_1 LampType)
    (toggleable Lamp_bar_1)
    (receptacleAtLocation Shelf_bar_1 loc_bar_1) (receptacleAtLocation Shelf_bar_2 loc_bar_1)
    (receptacleAtLocation Desk_bar_1 loc_bar_2) (receptacleAtLocation Fridge_bar_1 loc_bar_3)
    (receptacleAtLocation Sink_bar_1_bar_SinkBasin loc_bar_4)
    (inReceptacle Mug_bar__plus_01 Shelf_bar_1) (inReceptacle Mug_bar__plus_01 Shelf_bar_2)
    (objectAtLocation Mug_bar__plus_01 loc_bar_1) (objectAtLocation Window_bar_1 loc_bar_5)
    (inReceptacle Mug_bar__minus_02 Desk_bar_1) (objectAtLocation Mug_bar__minus_02 loc_bar_2)
    (inReceptacle Lamp_bar_1 Desk_bar_1) (objectAtLocation Lamp_bar_1 loc_bar_2)
    (inReceptacle Apple_bar_1 Fridge_bar_1) (inReceptacle Apple_bar_2 Fridge_bar_1)
    (objectAtLocation Apple_bar_1 loc_bar_3) (objectAtLocation Apple_bar_2 loc_bar_3)
    (atLocation agent1 loc_bar_5))
  (:goal (and ${goal})))
`
}

/** What the small household is compiled from. */
export function smallSource(generation: 'old' | 'new' = 'new', changes: Partial<GameSource> = {}): GameSource {
  const pddlDomain =
    generation === 'new'
      ? smallDomain.replace(/\)\s*$/, '(:action help :parameters (?a - agent) :precondition () :effect (checked ?a)))')
      : smallDomain
  const goalSentence = 'cool some mug and put it in fridge.'
  return { pddlDomain, pddlProblem: smallProblem, generation, goalSentence, ...changes }
}

/** The small household, ready to play. */
export function smallGame(generation: 'old' | 'new' = 'new', changes: Partial<GameSource> = {}): Game {
  return compileGame(smallSource(generation, changes), 'small')
}
