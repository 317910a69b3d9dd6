; Two hands, glasses, a shaker, and a dispenser for each ingredient.
(define (domain barman)
  (:requirements :strips :typing)
  (:types
    container hand dispenser level beverage - object
    shaker shot - container
    cocktail ingredient - beverage)
  (:predicates
    (handempty ?hand - hand)
    (holding ?hand - hand ?held - container)
    (ontable ?standing - container)
    (clean ?container - container)
    (empty ?container - container)
    (contains ?container - container ?drink - beverage)
    (used ?container - container ?drink - beverage)
    (dispenses ?from - dispenser ?what - ingredient)
    (cocktail-part1 ?mixed - cocktail ?part - ingredient)
    (cocktail-part2 ?mixed - cocktail ?part - ingredient)
    (unshaked ?shaker - shaker)
    (shaked ?shaker - shaker)
    (shaker-level ?shaker - shaker ?now - level)
    (shaker-empty-level ?shaker - shaker ?lowest - level)
    (next ?lower - level ?higher - level))

  (:action grasp
    :parameters (?hand - hand ?held - container)
    :precondition (and (handempty ?hand) (ontable ?held))
    :effect (and (not (handempty ?hand)) (not (ontable ?held)) (holding ?hand ?held)))

  (:action leave
    :parameters (?hand - hand ?held - container)
    :precondition (holding ?hand ?held)
    :effect (and (not (holding ?hand ?held)) (handempty ?hand) (ontable ?held)))

  ; --- glasses -------------------------------------------------------------
  (:action fill-shot
    :parameters (?glass - shot ?what - ingredient ?hand - hand ?other - hand ?from - dispenser)
    :precondition (and
      (dispenses ?from ?what)
      (holding ?hand ?glass) (handempty ?other)
      (clean ?glass) (empty ?glass))
    :effect (and
      (not (clean ?glass)) (not (empty ?glass))
      (used ?glass ?what) (contains ?glass ?what)))

  (:action refill-shot
    :parameters (?glass - shot ?what - ingredient ?hand - hand ?other - hand ?from - dispenser)
    :precondition (and
      (dispenses ?from ?what)
      (holding ?hand ?glass) (handempty ?other)
      (used ?glass ?what) (empty ?glass))
    :effect (and (not (empty ?glass)) (contains ?glass ?what)))

  (:action empty-shot
    :parameters (?hand - hand ?glass - shot ?drink - beverage)
    :precondition (and (holding ?hand ?glass) (contains ?glass ?drink))
    :effect (and (not (contains ?glass ?drink)) (empty ?glass)))

  (:action clean-shot
    :parameters (?glass - shot ?drink - beverage ?hand - hand ?other - hand)
    :precondition (and
      (holding ?hand ?glass) (handempty ?other)
      (empty ?glass) (used ?glass ?drink))
    :effect (and (not (used ?glass ?drink)) (clean ?glass)))

  ; --- from a glass into the shaker ----------------------------------------
  (:action pour-shot-to-clean-shaker
    :parameters (?glass - shot ?what - ingredient ?into - shaker ?hand - hand ?before - level ?after - level)
    :precondition (and
      (holding ?hand ?glass) (contains ?glass ?what)
      (clean ?into) (empty ?into)
      (shaker-level ?into ?before) (next ?before ?after))
    :effect (and
      (not (contains ?glass ?what)) (empty ?glass)
      (not (clean ?into)) (not (empty ?into))
      (contains ?into ?what) (unshaked ?into)
      (not (shaker-level ?into ?before)) (shaker-level ?into ?after)))

  (:action pour-shot-to-used-shaker
    :parameters (?glass - shot ?what - ingredient ?into - shaker ?hand - hand ?before - level ?after - level)
    :precondition (and
      (holding ?hand ?glass) (contains ?glass ?what)
      (unshaked ?into)
      (shaker-level ?into ?before) (next ?before ?after))
    :effect (and
      (not (contains ?glass ?what)) (empty ?glass)
      (contains ?into ?what)
      (not (shaker-level ?into ?before)) (shaker-level ?into ?after)))

  ; --- the shaker ----------------------------------------------------------
  (:action empty-shaker
    :parameters (?hand - hand ?held - shaker ?drink - cocktail ?now - level ?lowest - level)
    :precondition (and
      (holding ?hand ?held) (contains ?held ?drink) (shaked ?held)
      (shaker-level ?held ?now) (shaker-empty-level ?held ?lowest))
    :effect (and
      (not (contains ?held ?drink)) (not (shaked ?held)) (empty ?held)
      (not (shaker-level ?held ?now)) (shaker-level ?held ?lowest)))

  (:action clean-shaker
    :parameters (?hand - hand ?other - hand ?held - shaker)
    :precondition (and (holding ?hand ?held) (handempty ?other) (empty ?held))
    :effect (clean ?held))

  (:action shake
    :parameters (?mixed - cocktail ?one - ingredient ?two - ingredient ?held - shaker ?hand - hand ?other - hand)
    :precondition (and
      (cocktail-part1 ?mixed ?one) (cocktail-part2 ?mixed ?two)
      (holding ?hand ?held) (handempty ?other)
      (unshaked ?held) (contains ?held ?one) (contains ?held ?two))
    :effect (and
      (not (contains ?held ?one)) (not (contains ?held ?two)) (contains ?held ?mixed)
      (not (unshaked ?held)) (shaked ?held)))

  (:action pour-shaker-to-shot
    :parameters (?drink - beverage ?glass - shot ?hand - hand ?from - shaker ?now - level ?after - level)
    :precondition (and
      (holding ?hand ?from) (shaked ?from) (contains ?from ?drink)
      (clean ?glass) (empty ?glass)
      (shaker-level ?from ?now) (next ?after ?now))
    :effect (and
      (not (clean ?glass)) (not (empty ?glass)) (contains ?glass ?drink)
      (not (shaker-level ?from ?now)) (shaker-level ?from ?after))))
