; One arm moves one block at a time.
(define (domain blockworld)
  (:requirements :strips)
  (:predicates
    (arm-empty)
    (holding ?block)
    (on-table ?block)
    (on ?block ?under)
    (clear ?block))

  (:action pickup
    :parameters (?block)
    :precondition (and (arm-empty) (on-table ?block) (clear ?block))
    :effect (and
      (holding ?block)
      (not (arm-empty)) (not (on-table ?block)) (not (clear ?block))))

  (:action putdown
    :parameters (?block)
    :precondition (holding ?block)
    :effect (and (not (holding ?block)) (arm-empty) (on-table ?block) (clear ?block)))

  (:action stack
    :parameters (?block ?under)
    :precondition (and (holding ?block) (clear ?under))
    :effect (and
      (not (holding ?block)) (not (clear ?under))
      (arm-empty) (on ?block ?under) (clear ?block)))

  (:action unstack
    :parameters (?block ?under)
    :precondition (and (arm-empty) (on ?block ?under) (clear ?block))
    :effect (and
      (holding ?block) (clear ?under)
      (not (arm-empty)) (not (on ?block ?under)) (not (clear ?block)))))
