import type { Random } from '../src/core/random.js'
import { createRandom } from '../src/core/random.js'
import { textOf } from '../src/core/text.js'
import type { TextGame } from '../src/environments/babyai/game.js'
import { createTextGame } from '../src/environments/babyai/game.js'
import { createMilestones } from '../src/environments/babyai/progress.js'
import { levelCount } from '../src/environments/babyai/simulator/levels.js'
import { makeLevel } from '../src/environments/babyai/simulator/simulation.js'
import { listLevels } from '../src/environments/babyai/environment.js'
import { size } from './_size.js'

/** Speed of BabyAI's text game per second of processor time, after a warm-up. */
export interface BabyaiFigures {
  /**
   * Random admissible actions in the 112 tasks, each with the observation, the progress and the whole list of
   * admissible actions.
   */
  readonly stepsPerSecond: number
  /** Levels made from seeds, without a cache, up to the first observation. */
  readonly resetsPerSecond: number
}

const episodeSteps = 60
const seedsPerLevel = size(15, 1)

/** Measures BabyAI's text game. */
export function babyai(): BabyaiFigures {
  measure()
  const figures = measure()
  console.log(
    `babyai: ${thousands(figures.stepsPerSecond)} text steps/s with the admissible list over the 112 tasks, ` +
      `${thousands(figures.resetsPerSecond)} resets/s over ${String(levelCount)} levels (processor time)`,
  )
  return figures
}

const thousands = (number: number): string => Math.round(number).toLocaleString('en')

function measure(): BabyaiFigures {
  const games = listLevels('test').map((task) => {
    const level = makeLevel(task.level, task.seed)
    return { game: createTextGame(level, createMilestones), random: createRandom(`bench ${task.id}`) }
  })
  return {
    stepsPerSecond: perSecond(() => games.reduce((steps, { game, random }) => steps + play(game, random), 0)),
    resetsPerSecond: perSecond(makeAll),
  }
}

function play(game: TextGame, random: Random): number {
  for (let step = 0; step < episodeSteps; step++) {
    const answer = game.step(random.pick([...game.moves().possible.keys()]))
    if (textOf(answer.text) === '') throw new Error('BabyAI answered nothing.')
  }
  return episodeSteps
}

function makeAll(): number {
  for (let number = 1; number <= levelCount; number++) {
    for (let seed = 0; seed < seedsPerLevel; seed++) {
      createTextGame(makeLevel(number, seed), createMilestones)
    }
  }
  return levelCount * seedsPerLevel
}

/** Measures processor time, so that other work on the machine does not count. */
function perSecond(work: () => number): number {
  const before = process.cpuUsage()
  const done = work()
  const { user, system } = process.cpuUsage(before)
  return (done / (user + system)) * 1e6
}
