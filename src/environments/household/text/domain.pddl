; A household for one agent. What stands where is the problem's business; this file says what can be done.
; Every action has an effect, if only `checked`: a planner throws away actions that change nothing.
(define (domain alfred)
  (:requirements :adl :typing)
  (:types agent location receptacle object rtype otype)

  (:predicates
    ; the agent
    (atLocation ?a - agent ?l - location)
    (holds ?a - agent ?o - object)
    (holdsAny ?a - agent)
    ; the room
    (receptacleAtLocation ?r - receptacle ?l - location)
    (objectAtLocation ?o - object ?l - location)
    (inReceptacle ?o - object ?r - receptacle)
    (inReceptacleObject ?inner - object ?outer - object)
    (opened ?r - receptacle)
    (checked ?x - object)
    ; what things are
    (receptacleType ?r - receptacle ?t - rtype)
    (objectType ?o - object ?t - otype)
    (canContain ?rt - rtype ?ot - otype)
    (openable ?r - receptacle)
    (isReceptacleObject ?o - object)
    (pickupable ?o - object)
    (cleanable ?o - object)
    (heatable ?o - object)
    (coolable ?o - object)
    (toggleable ?o - object)
    (sliceable ?o - object)
    ; what became of them
    (isClean ?o - object)
    (isHot ?o - object)
    (isCool ?o - object)
    (isToggled ?o - object)
    (isSliced ?o - object))

  (:action look
    :parameters (?a - agent ?l - location)
    :precondition (atLocation ?a ?l)
    :effect (checked ?l))

  (:action inventory
    :parameters (?a - agent)
    :precondition ()
    :effect (checked ?a))

  (:action examineReceptacle
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (checked ?r))

  ; Only what is in hand. ALFWorld's own text also means to allow what lies in view, but a comma glued to a type name makes that
  ; branch impossible, and its games were always played without it.
  (:action examineObject
    :parameters (?a - agent ?o - object)
    :precondition (holds ?a ?o)
    :effect (checked ?o))

  ; Going where one already is changes nothing, so no receptacle at the current location can be gone to.
  (:action GotoLocation
    :parameters (?a - agent ?lStart - location ?lEnd - location ?r - receptacle)
    :precondition (and (atLocation ?a ?lStart) (receptacleAtLocation ?r ?lEnd))
    :effect (and (not (atLocation ?a ?lStart)) (atLocation ?a ?lEnd)))

  (:action OpenObject
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (openable ?r) (not (opened ?r)) (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (opened ?r))

  (:action CloseObject
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (openable ?r) (opened ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (not (opened ?r)))

  ; An object that stands in two receptacles at once leaves only the one it is taken from.
  (:action PickupObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (pickupable ?o) (not (holdsAny ?a)) (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
                       (inReceptacle ?o ?r) (or (not (openable ?r)) (opened ?r)))
    :effect (and (not (inReceptacle ?o ?r)) (not (objectAtLocation ?o ?l)) (holds ?a ?o) (holdsAny ?a)))

  (:action PutObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle ?ot - otype ?rt - rtype)
    :precondition (and (holds ?a ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (or (not (openable ?r)) (opened ?r))
                       (objectType ?o ?ot) (receptacleType ?r ?rt) (canContain ?rt ?ot))
    :effect (and (inReceptacle ?o ?r) (objectAtLocation ?o ?l) (not (holds ?a ?o)) (not (holdsAny ?a))))

  (:action CleanObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (cleanable ?o) (holds ?a ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
                       (or (receptacleType ?r SinkType) (receptacleType ?r SinkBasinType)))
    :effect (isClean ?o))

  ; Open or closed makes no difference to a microwave or a fridge.
  (:action HeatObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (heatable ?o) (holds ?a ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
                       (receptacleType ?r MicrowaveType))
    :effect (and (isHot ?o) (not (isCool ?o))))

  (:action CoolObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (coolable ?o) (holds ?a ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
                       (receptacleType ?r FridgeType))
    :effect (and (isCool ?o) (not (isHot ?o))))

  ; A lamp counts as used for good, whether it is lit at the moment or not.
  (:action ToggleObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (toggleable ?o) (inReceptacle ?o ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (isToggled ?o))

  ; What is to be sliced only has to be at the location, even inside something closed.
  (:action SliceObject
    :parameters (?a - agent ?l - location ?co - object ?ko - object)
    :precondition (and (sliceable ?co) (holds ?a ?ko) (atLocation ?a ?l) (objectAtLocation ?co ?l)
                       (or (objectType ?ko KnifeType) (objectType ?ko ButterKnifeType)))
    :effect (isSliced ?co))
)
