import * as z from 'zod'
import { packagedData, packagedText } from '../../files/packaged.js'
import { keepRecent } from '../keep-recent.js'
import { type GameSource, findAmong } from './sources.js'
import { type GameName, type GameText, type Split, gameNames } from './wording.js'

/** A game of our own. */
interface OwnGame extends GameText {
  readonly difficulty: 'easy' | 'hard'
  /** The length of a known solution; at most the benchmark's 30 steps. */
  readonly solutionLength: number
}

const words = z.array(z.string())

/** The problems, without the parentheses of PDDL. */
const problems = packagedData(
  'src/environments/games/own-games.jsonl',
  z.array(
    z.strictObject({
      id: z.string(),
      difficulty: z.enum(['easy', 'hard']),
      solution: z.number(),
      objects: words,
      init: words,
      goal: words,
    }),
  ),
)

const domains = new Map(gameNames.map((game) => [game, packagedText(`src/environments/games/domains/${game}.pddl`)]))

/**
 * The domain of a game of our own: our own PDDL for AgentBoard's game, with the same preconditions, effects and
 * argument order of every action.
 */
export function ownDomain(game: GameName): GameText['domain'] {
  return { text: domains.get(game)!(), where: `domain of ${game}` }
}

const lines = (items: readonly string[]): string => items.map((item) => `    ${item}`).join('\n')
const atoms = (items: readonly string[]): string => lines(items.map((item) => `(${item})`))

const keepGames = keepRecent<readonly OwnGame[]>(2)

/**
 * The games of our own, which never change: `test` has 60 with the benchmark's order, proportions, sizes and shares of
 * easy games; `train` has 200 others of the same kinds. No goal condition holds at the start.
 */
export function ownGames(split: Split): readonly OwnGame[] {
  const isOf = (id: string): boolean => id.startsWith('train/') === (split === 'train')
  return keepGames(split, () =>
    problems().flatMap(({ id, difficulty, solution, objects, init, goal }): OwnGame[] => {
      if (!isOf(id)) return []
      const [game, number] = id.split('/').slice(-2) as [GameName, string]
      const name = `${game}-${split}-${number}`
      const text = `(define (problem ${name})
  (:domain ${game})
  (:objects
${lines(objects)})
  (:init
${atoms(init)})
  (:goal (and
${atoms(goal)})))
`
      const problem = { text, where: `problem ${name}` }
      return [{ id, game, domain: ownDomain(game), problem, difficulty, solutionLength: solution }]
    }),
  )
}

interface OwnOptions {
  readonly split: Split | undefined
  readonly games: readonly GameName[] | undefined
}

/** The games of our own, in AgentBoard's words. `find` also finds games outside the given split and games. */
export function ownSource({ split = 'test', games = gameNames }: OwnOptions): GameSource {
  return {
    name: 'own',
    list: () => games.flatMap((name) => ownGames(split).filter(({ game }) => game === name)),
    find(id) {
      const advice =
        "Games of our own are called such as 'gripper/0' and 'train/gripper/0'; for AgentBoard's give 'data'."
      return findAmong(ownGames(id.startsWith('train/') ? 'train' : 'test'), id, advice)
    },
  }
}
