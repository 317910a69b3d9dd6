import { ShaketableError } from '../../../core/errors.js'
import type { Random } from '../../../core/random.js'
import { createRandom } from '../../../core/random.js'
import { agentBoardWording } from '../agentboard-wording.js'
import type { GameSource } from '../sources.js'
import { findAmong } from '../sources.js'
import type { GameName, GameText, Split } from '../wording.js'
import { gameNames } from '../wording.js'
import { barman, barmanDomain } from './barman.js'
import { blockworld, blockworldDomain } from './blockworld.js'
import { gripper, gripperDomain } from './gripper.js'
import type { Family, Situation } from './situation.js'
import { problemText } from './situation.js'
import { tyreworld, tyreworldDomain } from './tyreworld.js'

/** A game of our own. */
interface OwnGame extends GameText {
  readonly game: GameName
  readonly difficulty: 'easy' | 'hard'
  /** So many actions are enough. */
  readonly enough: number
}

/** The benchmark's limit: each of our games can be won within it. */
export const maxActions = 30

const families: Readonly<Record<GameName, Family>> = { gripper, blockworld, barman, tyreworld }

/** How many games there are for tuning: the benchmark's mix, more than three times over. */
const trainCounts: Readonly<Record<GameName, number>> = { gripper: 67, blockworld: 33, barman: 67, tyreworld: 33 }

/** How often a game is drawn anew before giving up. */
const maxDraws = 10_000

const made = new Map<Split, readonly OwnGame[]>()

/**
 * Games of our own, which never change: `test` has the benchmark's 60 in its order, mix, sizes and shares of easy ones;
 * `train` has 200 others of the same kinds. All of them can be won within the benchmark's 30 steps, and none of their
 * conditions holds at the start.
 */
export function ownGames(split: Split): readonly OwnGame[] {
  let games = made.get(split)
  if (games === undefined) {
    games = gameNames.flatMap((game) => make(split, game))
    made.set(split, games)
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
      if (situation === undefined || situation.enough > maxActions) return undefined
      return taken.has(body(problemText(name, game, situation))) ? undefined : situation
    }
    const situation = drawUntil(draw, random.fork(String(index)), name)
    const text = problemText(name, game, situation)
    taken.add(body(text))
    return {
      id: split === 'test' ? `${game}/${String(index)}` : `${split}/${game}/${String(index)}`,
      game,
      domain: { text: domainTexts[game], where: `domain of ${game}` },
      problem: { text, where: `problem ${name}` },
      difficulty: place < family.easy ? 'easy' : 'hard',
      enough: situation.enough,
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

/** What two problems share that are one but for their names. */
function body(problem: string): string {
  return problem.slice(problem.indexOf('\n'))
}

/**
 * The domains of our own games: PDDL of ours for the games that AgentBoard plays, equal to its domains in what every
 * action needs and does, down to the order of its arguments.
 */
export const domainTexts: Readonly<Record<GameName, string>> = {
  gripper: gripperDomain,
  blockworld: blockworldDomain,
  barman: barmanDomain,
  tyreworld: tyreworldDomain,
}

/** How games of our own are asked for. */
interface OwnOptions {
  readonly split: Split | undefined
  readonly games: readonly GameName[] | undefined
}

/** Games of our own, in AgentBoard's words. A game is found by its id whatever is asked for. */
export function ownSource({ split = 'test', games = gameNames }: OwnOptions): GameSource {
  return {
    name: 'own',
    list: () => games.flatMap((name) => ownGames(split).filter(({ game }) => game === name)),
    find(id) {
      const advice =
        "Games of our own are called such as 'gripper/0' and 'train/gripper/0'; for AgentBoard's give 'data'."
      return findAmong(ownGames(id.startsWith('train/') ? 'train' : 'test'), id, advice)
    },
    wordingOf:
      ({ game }) =>
      (domain) =>
        agentBoardWording(game as GameName, domain),
  }
}
