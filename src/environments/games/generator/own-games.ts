import { ShaketableError } from '../../../core/errors.js'
import type { Random } from '../../../core/random.js'
import { createRandom } from '../../../core/random.js'
import { packagedText } from '../../../files/packaged.js'
import type { GameSource } from '../sources.js'
import { findAmong } from '../sources.js'
import type { GameName, GameText, Split } from '../wording.js'
import { gameNames } from '../wording.js'
import { barman } from './barman.js'
import { blockworld } from './blockworld.js'
import { gripper } from './gripper.js'
import type { Family, Situation } from './situation.js'
import { problemText } from './situation.js'
import { tyreworld } from './tyreworld.js'

/** A generated game. */
interface OwnGame extends GameText {
  readonly difficulty: 'easy' | 'hard'
  /** The length of a known solution. */
  readonly solutionLength: number
}

/** The benchmark's step limit, within which each generated game can be won. */
export const maxActions = 30

const families: Readonly<Record<GameName, Family>> = { gripper, blockworld, barman, tyreworld }

/** The number of games for tuning: more than three times the benchmark's, in the same proportions. */
const trainCounts: Readonly<Record<GameName, number>> = { gripper: 67, blockworld: 33, barman: 67, tyreworld: 33 }

/** Draws of one game before giving up. */
const maxDraws = 10_000

const kept = new Map<Split, readonly OwnGame[]>()

/**
 * The generated games, which never change: `test` has 60 with the benchmark's order, proportions, sizes and shares of
 * easy games; `train` has 200 others of the same kinds. Each can be won within the benchmark's 30 steps, and no goal
 * condition holds at the start.
 */
export function ownGames(split: Split): readonly OwnGame[] {
  let games = kept.get(split)
  if (games === undefined) {
    games = gameNames.flatMap((game) => make(split, game))
    kept.set(split, games)
  }
  return games
}

function make(split: Split, game: GameName): OwnGame[] {
  const family = families[game]
  const random = createRandom(`pddl games/${split}/${game}`)
  const taken = new Set(split === 'test' ? [] : ownGames('test').map(({ problem }) => body(problem.text)))
  const count = split === 'test' ? family.count : trainCounts[game]
  return Array.from({ length: count }, (_, index): OwnGame => {
    const place = index % family.count
    const name = `${game}-${split}-${String(index)}`
    const draw = (attempt: Random): Situation | undefined => {
      const situation = family.draw(place, attempt)
      if (situation === undefined || situation.solutionLength > maxActions) return undefined
      return taken.has(body(problemText(name, game, situation))) ? undefined : situation
    }
    const situation = drawUntil(draw, random.fork(String(index)), name)
    const text = problemText(name, game, situation)
    taken.add(body(text))
    return {
      id: split === 'test' ? `${game}/${String(index)}` : `${split}/${game}/${String(index)}`,
      game,
      domain: ownDomain(game),
      problem: { text, where: `problem ${name}` },
      difficulty: place < family.easy ? 'easy' : 'hard',
      solutionLength: situation.solutionLength,
    }
  })
}

function drawUntil(draw: (random: Random) => Situation | undefined, random: Random, name: string): Situation {
  for (let attempt = 0; attempt < maxDraws; attempt++) {
    const situation = draw(random)
    if (situation !== undefined) return situation
  }
  throw new ShaketableError('environment', `Expected a PDDL game for ${name}, found none. Report this.`)
}

/** A problem's text without the line with its name. */
function body(problem: string): string {
  return problem.slice(problem.indexOf('\n'))
}

const domains = new Map(gameNames.map((game) => [game, packagedText(`src/environments/games/domains/${game}.pddl`)]))

/**
 * The domain of a generated game: our own PDDL for AgentBoard's game, with the same preconditions, effects and argument
 * order of every action.
 */
export function ownDomain(game: GameName): GameText['domain'] {
  return { text: domains.get(game)!(), where: `domain of ${game}` }
}

interface OwnOptions {
  readonly split: Split | undefined
  readonly games: readonly GameName[] | undefined
}

/** The generated games, in AgentBoard's words. `find` also finds games outside the given split and games. */
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
