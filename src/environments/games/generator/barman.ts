import type { Random } from '../../../core/random.js'
import type { Situation } from './situation.js'
import { defineFamily, numbered, some } from './situation.js'

interface Size {
  readonly shots: number
  readonly cocktails: number
  /** The numbers of different ingredients and cocktails that the goal requires in glasses. */
  readonly plain: number
  readonly mixed: number
}

const hands = ['left', 'right'] as const
const levels = ['l0', 'l1', 'l2'] as const

/** The sizes of the benchmark's problems. */
const sizes: readonly Size[] = [
  { shots: 4, cocktails: 3, plain: 1, mixed: 0 },
  { shots: 4, cocktails: 3, plain: 2, mixed: 0 },
  { shots: 5, cocktails: 4, plain: 3, mixed: 0 },
  { shots: 9, cocktails: 7, plain: 3, mixed: 0 },
  { shots: 5, cocktails: 4, plain: 1, mixed: 1 },
  { shots: 4, cocktails: 3, plain: 1, mixed: 1 },
  { shots: 5, cocktails: 4, plain: 1, mixed: 1 },
  { shots: 8, cocktails: 6, plain: 1, mixed: 1 },
  { shots: 4, cocktails: 3, plain: 0, mixed: 1 },
  { shots: 4, cocktails: 3, plain: 0, mixed: 1 },
  { shots: 4, cocktails: 3, plain: 0, mixed: 1 },
  { shots: 5, cocktails: 4, plain: 0, mixed: 1 },
  { shots: 6, cocktails: 5, plain: 0, mixed: 1 },
  { shots: 6, cocktails: 5, plain: 0, mixed: 1 },
  { shots: 9, cocktails: 7, plain: 0, mixed: 1 },
  { shots: 5, cocktails: 4, plain: 0, mixed: 2 },
  { shots: 5, cocktails: 4, plain: 0, mixed: 2 },
  { shots: 5, cocktails: 4, plain: 0, mixed: 2 },
  { shots: 6, cocktails: 5, plain: 0, mixed: 2 },
  { shots: 6, cocktails: 5, plain: 0, mixed: 2 },
]

/**
 * Glasses that should hold an ingredient or a cocktail of two. One glass more than the goal fills is free to carry
 * ingredients to the shaker.
 */
export const barman = defineFamily(5, sizes, draw)

function draw(size: Size, random: Random): Situation | undefined {
  const shots = numbered('shot', size.shots)
  const ingredients = numbered('ingredient', 3)
  const dispensers = numbered('dispenser', 3)
  const recipes = drawRecipes(numbered('cocktail', size.cocktails), ingredients, random)
  const containers = ['shaker1', ...shots]
  const drinks = random.shuffle([
    ...some(ingredients, size.plain, random),
    ...some(recipes, size.mixed, random).map(({ cocktail }) => cocktail),
  ])
  const glasses = random.shuffle(shots)
  return {
    objects: [
      'shaker1 - shaker',
      `${hands.join(' ')} - hand`,
      `${shots.join(' ')} - shot`,
      `${ingredients.join(' ')} - ingredient`,
      `${recipes.map(({ cocktail }) => cocktail).join(' ')} - cocktail`,
      `${dispensers.join(' ')} - dispenser`,
      `${levels.join(' ')} - level`,
    ],
    init: [
      ...hands.map((hand) => `handempty ${hand}`),
      ...['ontable', 'clean', 'empty'].flatMap((fact) => containers.map((container) => `${fact} ${container}`)),
      ...random.shuffle(ingredients).map((ingredient, index) => `dispenses ${dispensers[index]!} ${ingredient}`),
      `shaker-empty-level shaker1 ${levels[0]}`,
      `shaker-level shaker1 ${levels[0]}`,
      ...levels.slice(1).map((level, index) => `next ${levels[index]!} ${level}`),
      ...recipes.flatMap(({ cocktail, first, second }) => [
        `cocktail-part1 ${cocktail} ${first}`,
        `cocktail-part2 ${cocktail} ${second}`,
      ]),
    ],
    goal: drinks.map((drink, index) => `contains ${glasses[index]!} ${drink}`).sort(),
    solutionLength: actionsFor(size),
  }
}

interface Recipe {
  readonly cocktail: string
  readonly first: string
  readonly second: string
}

/** An ordered pair of ingredients for each cocktail; pairs repeat only where there are more cocktails than pairs. */
function drawRecipes(cocktails: readonly string[], ingredients: readonly string[], random: Random): Recipe[] {
  const pairs = ingredients.flatMap((first) =>
    ingredients.filter((second) => second !== first).map((second) => ({ first, second })),
  )
  const drawn = random.shuffle(pairs)
  return cocktails.map((cocktail, index) => ({ cocktail, ...drawn[index % drawn.length]! }))
}

/**
 * A cocktail: grasp a free glass, fill, pour into the shaker, clean, fill, pour, leave; grasp the shaker, shake, pour
 * out. Before another one: empty and clean the shaker, leave it, and clean the glass once more. An ingredient: grasp,
 * fill, leave; at the end the hands need not be emptied, and between drinks the shaker has to be put down.
 */
function actionsFor({ plain, mixed }: Size): number {
  return 3 * plain + 14 * mixed - (mixed > 0 ? 4 : 0)
}

/** Drinks are filled into glasses and mixed in a shaker. Facts and actions have the names of AgentBoard's game. */
export const barmanDomain = `; Two hands, glasses, a shaker, and a dispenser for each ingredient.
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
`
