import type { Example } from '../../core/environment.js'
import { agentBoardWording } from './agentboard-wording.js'
import { compileGame } from './compile-game.js'
import { domainTexts } from './generator/own-games.js'
import { checkAction, gameNames } from './wording.js'
import { createTextGame } from './text-game.js'
import type { GameName } from './wording.js'

/** A small problem with a solution. */
interface ExampleGame {
  readonly problem: string
  readonly actions: readonly string[]
}

const exampleGames: Readonly<Record<GameName, ExampleGame>> = {
  gripper: {
    problem: `(:objects rooma roomb ball1 ball2 left right)
      (:init (room rooma) (room roomb) (ball ball1) (ball ball2) (gripper left) (gripper right) (free left) (free right)
        (at ball1 rooma) (at ball2 roomb) (at-robby rooma))
      (:goal (and (at ball1 roomb) (at ball2 rooma)))`,
    actions: [
      'Pick up ball1 at rooma with arm left',
      'Move from rooma to roomb',
      checkAction,
      'drop ball1 roomb left',
      'Pick up ball2 at roomb with arm right',
      'Move from roomb to rooma',
      'drop ball2 rooma right',
    ],
  },
  blockworld: {
    problem: `(:objects block1 block2 block3)
      (:init (on block1 block2) (on-table block2) (on-table block3) (clear block1) (clear block3) (arm-empty))
      (:goal (and (on block2 block3) (on block1 block2)))`,
    actions: [
      'Unstack block1 from block2',
      checkAction,
      'Putdown block1',
      'Pickup block2',
      'Stack block2 on block3',
      'Pickup block1',
      'Stack block1 on block2',
    ],
  },
  barman: {
    problem: `(:objects shaker1 - shaker left right - hand shot1 shot2 - shot ingredient1 ingredient2 - ingredient
        cocktail1 - cocktail dispenser1 dispenser2 - dispenser l0 l1 l2 - level)
      (:init (ontable shaker1) (ontable shot1) (ontable shot2) (clean shaker1) (clean shot1) (clean shot2)
        (empty shaker1) (empty shot1) (empty shot2) (handempty left) (handempty right)
        (dispenses dispenser1 ingredient1) (dispenses dispenser2 ingredient2)
        (shaker-empty-level shaker1 l0) (shaker-level shaker1 l0) (next l0 l1) (next l1 l2)
        (cocktail-part1 cocktail1 ingredient2) (cocktail-part2 cocktail1 ingredient1))
      (:goal (contains shot2 cocktail1))`,
    actions: [
      'left grasp shot1',
      'fill-shot glass shot1 with ingredient2 with left and right holding dispenser2',
      checkAction,
      'pour-shot-to-clean-shaker from a shot glass shot1 with ingredient2 to a clean shaker shaker1 with hand left from level l0 to level l1',
      'clean-shot glass shot1 with ingredient2 with hand left holding shot glass and right',
      'fill-shot glass shot1 with ingredient1 with left and right holding dispenser1',
      'pour-shot-to-used-shaker from a shot glass shot1 with ingredient1 to a used shaker shaker1 with hand left from level l1 to level l2',
      'left leave shot1',
      'right grasp shaker1',
      'shake a cocktail cocktail1 with ingredient ingredient2 and ingredient ingredient1 in a shaker shaker1 with hand right and hand left',
      'pour-shaker-to-shot to a shot glass cocktail1 the ingredient shot2 with hand right from shaker shaker1 from level l2 to level l1',
    ],
  },
  tyreworld: {
    problem: `(:objects boot - container hub1 - hub nut1 - nut flat1 spare1 - wheel)
      (:init (closed boot) (unlocked boot) (in wrench boot) (in jack boot) (in pump boot) (in spare1 boot) (intact spare1)
        (not-inflated spare1) (on flat1 hub1) (tight nut1 hub1) (fastened hub1) (on-ground hub1))
      (:goal (and (on spare1 hub1) (tight nut1 hub1) (in flat1 boot)))`,
    actions: [
      'Open boot',
      checkAction,
      'Fetch wrench from boot',
      'Fetch jack from boot',
      'Fetch spare1 from boot',
      'Loosen the nut nut1 on the hub hub1',
      'jack-up the hub hub1',
      'Undo the fastening of the nut nut1 on the hub hub1',
      'Remove-wheel flat1 from the hub hub1',
      'put-on-wheel spare1 on the hub hub1',
      'Do-up the nut nut1 on the hub hub1',
      'Jack-down the hub hub1',
      'Tighten the nut nut1 on the hub hub1',
      'Put-away flat1 in boot',
    ],
  },
}

const kept = new Map<string, readonly Example[]>()

/** Our own worked example of a game, recorded by playing it. A user's domain has none. */
export function ownExamples(game: string): readonly Example[] {
  const name = gameNames.find((one) => one === game)
  if (name === undefined) return []
  const examples = kept.get(name) ?? [play(name)]
  kept.set(name, examples)
  return examples
}

function play(name: GameName): Example {
  const { problem, actions } = exampleGames[name]
  const compiled = compileGame(
    {
      id: `${name}/example`,
      game: name,
      domain: { text: domainTexts[name], where: `domain of ${name}` },
      problem: { text: `(define (problem example) (:domain ${name}) ${problem})`, where: `example of ${name}` },
    },
    (domain) => agentBoardWording(name, domain),
  )
  const game = createTextGame(compiled)
  return {
    opening: [`${compiled.goalText}\n${game.opening}`],
    exchanges: actions.map((action) => ({ action, observation: game.step(action).text })),
    names: compiled.names,
  }
}
