import type { Game } from '../../../src/environments/household/engine/engine.js'
import type { GameFile } from '../../../src/environments/household/engine/game-file.js'
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

const help = `
action help {
  template :: "help";
  feedback :: "
Ask nicely.
";
}`

/** The grammar of the small household, in the wording of either generation. */
export function smallGrammar(generation: 'old' | 'new', goal = 'cool some mug and put it in fridge.'): string {
  const isNew = generation === 'new'
  return `# how it speaks
grammar :: """
{
  "intro": [{ "rhs": "Welcome!\\n\\n#look.feedback#\\n\\n#task#" }],
  "task": [{ "rhs": "Your task is to: ${goal}" }],
  "contents": [
    { "condition": "openable(r:receptacle) & opened(r:receptacle)",
      "rhs": "The {r.name} is open. In it, you see [{o.indefinite + ' ' + o.name | inreceptacle(o:object, r:receptacle)}]." },
    { "condition": "openable(r:receptacle)", "rhs": "The {r.name} is closed." },
    { "rhs": "On the {r.name}, you see [{o.indefinite + ' ' + o.name | inreceptacle(o:object, r:receptacle)}]." }
  ],
  "list_empty": [{ "rhs": "nothing" }], "list_separator": [{ "rhs": ", " }], "list_last_separator": [{ "rhs": ", and " }]
}
""";
action look {
  template :: "look"; feedback :: "#look.feedback#";
  grammar :: """
    {
      # a remark
      "look.feedback": [
        { "condition": "atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)",
          "rhs": "You are facing the [{r.name | receptacleatlocation(r:receptacle, l:location)}]. Next to it, you see #floor#." },
        { "rhs": "Looking around, you see [{#overview(r)# | receptacleatlocation(r:receptacle, l:location)}]." }
      ],
      "floor": [
        { "condition": "objectatlocation(o:object, l:location) & receptacleatlocation(r:receptacle, l:location) & not_inreceptacle(o:object, r:receptacle)",
          "rhs": "[{#overview(o)# | objectatlocation(o:object, l:location) & receptacleatlocation(r:receptacle, l:location) & not_inreceptacle(o:object, r:receptacle)}]" },
        { "rhs": "nothing" }
      ],
      "overview(o)": [{ "rhs": "{o.indefinite} {o.name}" }],
      "overview(r)": [{ "rhs": "{r.indefinite} {r.name or r.id}" }]
    }
  """;
}
action inventory { template :: "inventory"; feedback :: "#carried#";
  grammar :: """{ "carried": [
    { "condition": "holdsany(a:agent)", "rhs": "You are carrying: [{o.indefinite + ' ' + o.name | holds(a:agent, o:object)}]." },
    { "rhs": "You are not carrying anything." }] }""";
}
action examineReceptacle { template :: "examine {r}"; feedback :: "#contents#"; }
action examineObject { template :: "examine {o}"; feedback :: "#closeup#";
  grammar :: """{ "closeup": [
    { "condition": "ishot(o:object) & iscool(o:object)", "rhs": "Impossible." },
    { "condition": "iscool(o:object)", "rhs": "This is a cold {o.name}." },
    { "rhs": "There's nothing special about {o.name}." }] }""";
}
action GotoLocation {
  template :: "go to [{r.name | receptacleatlocation(r:receptacle, lend:location)}]";
  feedback :: "You arrive at {${isNew ? 'r' : 'lend'}.name}. #contents#";
}
action OpenObject { template :: "open {r}"; feedback :: "You open the {r.name}. #contents#"; }
action CloseObject { template :: "close {r}"; feedback :: "You close the {r.name}."; }
action PickupObject { template :: "take {o} from {r}"; feedback :: "You pick up the {o.name} from the {r.name}."; }
action PutObject {
  template :: "${isNew ? 'move {o} to {r}' : 'put {o} in/on {r}'}";
  feedback :: "${isNew ? 'You move the {o.name} to the {r.name}.' : 'You put the {o.name} in/on the {r.name}.'}";
}
action CoolObject { template :: "cool {o} with {r}"; feedback :: "You cool the {o.name} using the {r.name}."; }
action HeatObject { template :: "heat {o} with {r}"; feedback :: "You heat the {o.name} using the {r.name}."; }
action ToggleObject { template :: "use {o}"; feedback :: "#switch#";
  grammar :: """{ "switch": [
    { "condition": "not_ison(o:object)", "rhs": "You turn the {o.name}, dark in words." },
    { "condition": "ison(o:object)", "rhs": "You turn the {o.name}, lit in words." }] }""";
}
action Unused { template :: "never {x}"; feedback :: "#nowhere#"; }
${isNew ? help : ''}`
}

/** The small household's game file. */
export function smallFile(generation: 'old' | 'new' = 'new', changes: Partial<GameFile> = {}): GameFile {
  const pddlDomain =
    generation === 'new'
      ? smallDomain.replace(/\)\s*$/, '(:action help :parameters (?a - agent) :precondition () :effect (checked ?a)))')
      : smallDomain
  return { pddlDomain, grammar: smallGrammar(generation), pddlProblem: smallProblem, solvable: true, ...changes }
}

/** The small household, ready to play. */
export function smallGame(generation: 'old' | 'new' = 'new', changes: Partial<GameFile> = {}): Game {
  return compileGame(smallFile(generation, changes), 'small')
}
