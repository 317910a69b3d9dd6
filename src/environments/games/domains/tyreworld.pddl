; A boot full of tools and spare wheels, and hubs with flat ones.
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
