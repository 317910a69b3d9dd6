import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../src/core/random.js'
import type { Game } from '../src/environments/household/engine/engine.js'
import { compileGame } from '../src/environments/household/engine/engine.js'
import { parseGameFile, sourceOf } from '../src/environments/household/engine/game-file.js'
import { size } from './_size.js'

/** Speed of the household engine on one core. Times are medians over games, after a warm-up. */
export interface HouseholdEngineFigures {
  readonly games: number
  /** From the text of a game file to the first observation and the first list of admissible commands. */
  readonly loadMedianMs: number
  readonly loadWorstMs: number
  /** Random accepted commands, with the whole admissible list computed at every step. */
  readonly stepsPerSecondWithList: number
  /** The same commands on freshly loaded games, without lists. */
  readonly stepsPerSecond: number
  /** Refused commands, each in a new state. */
  readonly refusalsPerSecond: number
}

const episodeSteps = 50

/** Measures the household engine on ALFWorld's own games. If they are absent, prints that and returns undefined. */
export async function householdEngine(): Promise<HouseholdEngineFigures | undefined> {
  const texts = gameTexts(size(60, 2))
  if (texts === undefined) {
    console.log("household engine: skipped, ALFWorld's games are not beside this checkout")
    return undefined
  }
  measure(texts)
  const figures = measure(texts)
  console.log(
    `household engine: load ${figures.loadMedianMs.toFixed(2)} ms (worst ${figures.loadWorstMs.toFixed(2)}), ` +
      `${thousands(figures.stepsPerSecondWithList)} steps/s with the admissible list, ${thousands(figures.stepsPerSecond)} without, ` +
      `${thousands(figures.refusalsPerSecond)} refusals/s, over ${figures.games} games`,
  )
  return Promise.resolve(figures)
}

const thousands = (number: number): string => Math.round(number).toLocaleString('en')

function measure(texts: readonly string[]): HouseholdEngineFigures {
  const loads: number[] = []
  const listed = { steps: 0, ms: 0 }
  const plain = { steps: 0, ms: 0 }
  const refused = { steps: 0, ms: 0 }
  texts.forEach((text, index) => {
    const begun = performance.now()
    const game = compile(text)
    game.start().admissible()
    loads.push(performance.now() - begun)

    const commands = playListed(game, index, listed)
    const fresh = compile(text).start()
    time(plain, () => {
      for (const command of commands) fresh.step(command)
      return commands.length
    })
    const engine = compile(text).start()
    for (const command of commands) {
      time(refused, () => {
        engine.step(`please ${command}`)
        return 1
      })
      engine.step(command)
    }
  })
  loads.sort((left, right) => left - right)
  return {
    games: texts.length,
    loadMedianMs: loads[loads.length >> 1]!,
    loadWorstMs: loads.at(-1)!,
    stepsPerSecondWithList: (listed.steps / listed.ms) * 1000,
    stepsPerSecond: (plain.steps / plain.ms) * 1000,
    refusalsPerSecond: (refused.steps / refused.ms) * 1000,
  }
}

const compile = (text: string): Game => compileGame(sourceOf(parseGameFile(text, 'game'), 'game'), 'game')

interface Clock {
  steps: number
  ms: number
}

function playListed(game: Game, seed: number, clock: Clock): readonly string[] {
  const random = createRandom(`bench ${seed}`)
  const choices = Array.from({ length: episodeSteps }, () => random.next())
  const engine = game.start()
  const commands: string[] = []
  time(clock, () => {
    for (const choice of choices) {
      const admissible = engine.admissible()
      const command = admissible[Math.floor(choice * admissible.length)]!
      commands.push(command)
      engine.step(command)
    }
    engine.admissible()
    return choices.length
  })
  return commands
}

function time(clock: Clock, work: () => number): void {
  const begun = performance.now()
  clock.steps += work()
  clock.ms += performance.now() - begun
}

function gameTexts(maxTexts: number): string[] | undefined {
  // From bench/ in a checkout or dist/bench/ in a build.
  const folder = ['../../shared/data', '../../../shared/data']
    .map((path) => fileURLToPath(new URL(`${path}/alfworld/json_2.1.1/valid_unseen`, import.meta.url)))
    .find((path) => existsSync(path))
  if (folder === undefined) return undefined
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tw-pddl'))
  return paths
    .sort()
    .filter((_, index) => index % Math.ceil(paths.length / maxTexts) === 0)
    .map((path) => readFileSync(join(folder, path), 'utf8'))
}
