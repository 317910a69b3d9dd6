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
