; A robot with two arms carries balls from room to room.
(define (domain gripper)
  (:requirements :strips)
  (:predicates
    (room ?place) (ball ?thing) (gripper ?arm)
    (at-robby ?place)
    (at ?ball ?place)
    (free ?arm)
    (carry ?ball ?arm))

  (:action move
    :parameters (?here ?there)
    :precondition (and (room ?here) (room ?there) (at-robby ?here))
    :effect (and (not (at-robby ?here)) (at-robby ?there)))

  (:action pick
    :parameters (?ball ?place ?arm)
    :precondition (and
      (ball ?ball) (room ?place) (gripper ?arm)
      (at-robby ?place) (at ?ball ?place) (free ?arm))
    :effect (and (not (at ?ball ?place)) (not (free ?arm)) (carry ?ball ?arm)))

  (:action drop
    :parameters (?ball ?place ?arm)
    :precondition (and
      (ball ?ball) (room ?place) (gripper ?arm)
      (at-robby ?place) (carry ?ball ?arm))
    :effect (and (not (carry ?ball ?arm)) (free ?arm) (at ?ball ?place))))
