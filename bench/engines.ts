import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '../src/core/random.js'
import { listLevels } from '../src/environments/babyai/environment.js'
import { createTextGame as createBabyai } from '../src/environments/babyai/game.js'
import { createMilestones } from '../src/environments/babyai/progress.js'
import { levelNumbers } from '../src/environments/babyai/simulator/levels.js'
import { makeLevel } from '../src/environments/babyai/simulator/simulation.js'
import { compileGame as compilePddl } from '../src/environments/games/compile-game.js'
import { ownSource } from '../src/environments/games/own-games.js'
import { folderSource } from '../src/environments/games/sources.js'
import { createTextGame } from '../src/environments/games/text-game.js'
import { gameNames } from '../src/environments/games/wording.js'
import { compileGame } from '../src/environments/household/engine/engine.js'
import { parseGameFile, sourceOf } from '../src/environments/household/engine/game-file.js'
import { Machine } from '../src/environments/jericho/machine/machine.js'
import { openStory } from '../src/environments/jericho/story.js'
import { knownGames, readHeronLight } from '../src/environments/jericho/tasks.js'
import { createActionFinder } from '../src/environments/jericho/valid-actions.js'
import { roomsCommands, story, versions } from '../test/environments/jericho/stories.js'
import { dataBeside, medianMs, perSecond, size, thousands, timeText } from './_measure.js'

const episodeSteps = size(50, 2)

/** A game as the benches play it: its list of actions, and a step. */
interface Playable {
  admissible(): readonly string[]
  step(action: string): unknown
}

/** Prints the speed of games: loading, and random actions of the list with and without computing it at every step. */
async function measureGames(name: string, games: readonly (() => Playable)[]): Promise<void> {
  let next = 0
  const load = await medianMs(games.length, () => games[next++ % games.length]!().admissible())
  const scripts = games.map((open, place) => {
    const [random, game] = [createRandom(`bench ${String(place)}`), open()]
    return Array.from({ length: episodeSteps }, () => {
      const action = random.pick(game.admissible())
      game.step(action)
      return action
    })
  })
  const rate = (withList: boolean): string => {
    const opened = games.map((open) => open())
    return thousands(
      perSecond(() => {
        for (const [place, script] of scripts.entries())
          for (const action of script) {
            if (withList) opened[place]!.admissible()
            opened[place]!.step(action)
          }
        return games.length * episodeSteps
      }),
    )
  }
  const [withList, without] = [rate(true), rate(false)]
  console.log(
    `${name}: load ${timeText(load)}, ${withList} steps/s with the list of actions, ${without} without, over ${String(games.length)} games`,
  )
}

/** The household engine on ALFWorld's own games, where they are beside this checkout. */
async function household(): Promise<void> {
  const folder = dataBeside('alfworld/json_2.1.1/valid_unseen')
  if (folder === undefined) {
    console.log("household: ALFWorld's games are not beside this checkout")
    return
  }
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tw-pddl'))
  const texts = paths
    .sort()
    .slice(0, size(60, 2))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
  const open = (text: string) => () => compileGame(sourceOf(parseGameFile(text, 'game'), 'game'), 'game').start()
  await measureGames('household', texts.map(open))
}

/** The largest problem of each PDDL game, AgentBoard's where they are beside this checkout. */
async function pddl(): Promise<void> {
  const folder = dataBeside('pddl')
  const all = { games: undefined, split: undefined, difficulties: undefined }
  const source = folder === undefined ? ownSource(all) : folderSource({ ...all, folder })
  for (const name of gameNames) {
    const texts = source.list().filter(({ game }) => game === name)
    const largest = texts.reduce((best, text) => (text.problem.text.length > best.problem.text.length ? text : best))
    const open = () => createTextGame(compilePddl(largest))
    await measureGames(
      `${name} (${source.name})`,
      Array.from({ length: size(40, 2) }, () => open),
    )
  }
}

/** The 112 levels of BabyAI as text, and levels made from seeds without a cache. */
async function babyai(): Promise<void> {
  await measureGames(
    'babyai',
    listLevels('test').map(({ level, seed }) => () => {
      const game = createBabyai(makeLevel(level, seed), createMilestones)
      return { admissible: () => [...game.moves().possible.keys()], step: (action) => game.step(action) }
    }),
  )
  const seeds = size(15, 1)
  const resets = perSecond(() => {
    for (const number of levelNumbers)
      for (let seed = 0; seed < seeds; seed++) createBabyai(makeLevel(number, seed), createMilestones)
    return levelNumbers.length * seeds
  })
  console.log(`babyai: ${thousands(resets)} resets/s over ${String(levelNumbers.length)} levels`)
}

/** Lists of actions in the embedded story. */
async function jericho(): Promise<void> {
  const opened = openStory(readHeronLight(), 0)
  await measureGames(
    'jericho',
    knownGames().heronLight.map((task) => () => {
      const [machine, findActions] = [opened.createMachine(), createActionFinder(opened)]
      machine.start()
      for (const line of task.start) machine.step(line)
      return {
        admissible: () => (machine.finished ? ['look'] : findActions(machine)),
        step: (line) => (machine.finished ? undefined : machine.step(line)),
      }
    }),
  )
}

/** The interpreter of stories on a small one. */
function zMachine(): void {
  const inputs = size(100_000, 500)
  for (const version of versions) {
    const machine = new Machine(story('rooms', version), { seed: 1 })
    machine.start()
    const rate = perSecond(() => {
      for (let input = 0; input < inputs; input++) machine.step(roomsCommands[input % roomsCommands.length]!)
      return inputs
    })
    console.log(`Z-machine, version ${String(version)}: ${thousands(rate)} inputs/s`)
  }
}

/** Measures the engines of environments on one core. */
export function engines(): void {
  for (const measure of [household, pddl, babyai, jericho, zMachine]) measure()
}
