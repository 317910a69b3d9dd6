import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../src/core/random.js'
import type { CompiledGame } from '../src/environments/games/compile-game.js'
import { compileGame } from '../src/environments/games/compile-game.js'
import { folderSource } from '../src/environments/games/sources.js'
import { ownSource } from '../src/environments/games/generator/own-games.js'
import { createTextGame } from '../src/environments/games/text-game.js'
import type { GameName, GameText } from '../src/environments/games/wording.js'
import { gameNames } from '../src/environments/games/wording.js'
import { size } from './_size.js'

/** Speed of a PDDL game on one core: the largest problem of each, after a warm-up. */
export interface GamesFigures {
  readonly game: GameName
  readonly objects: number
  /** Median time from the texts of domain and problem to the first observation and list of actions. */
  readonly loadMs: number
  /**
   * Random actions of the list, as text, per second of processor time. Includes starting episodes, but not computing
   * the list.
   */
  readonly stepsPerSecond: number
  /** The same, with the list computed at every step. */
  readonly stepsPerSecondWithList: number
}

const episodes = size(40, 2)
const episodeSteps = 50
const times = size(5, 1)

/** Measures the four games on AgentBoard's problems if they are next to this checkout, else on our own. */
export function games(): readonly GamesFigures[] {
  const folder = ['../../shared/data', '../../../shared/data']
    .map((path) => fileURLToPath(new URL(`${path}/pddl`, import.meta.url)))
    .find((path) => existsSync(path))
  const all = { games: undefined, split: undefined, difficulties: undefined }
  const source = folder === undefined ? ownSource(all) : folderSource({ ...all, folder })
  return gameNames.map((game) => {
    const text = largest(source.list().filter((one) => one.game === game))
    measure(game, text)
    const figures = measure(game, text)
    console.log(
      `${game} (${source.name}, ${String(figures.objects)} objects): load ${figures.loadMs.toFixed(2)} ms, ${thousands(figures.stepsPerSecond)} steps/s, ` +
        `${thousands(figures.stepsPerSecondWithList)} with the list of actions`,
    )
    return figures
  })
}

const thousands = (number: number): string => Math.round(number).toLocaleString('en')

function largest(texts: readonly GameText[]): GameText {
  return texts.reduce((best, one) => (one.problem.text.length > best.problem.text.length ? one : best))
}

function measure(game: GameName, text: GameText): GamesFigures {
  const load = (): CompiledGame => compileGame(text)
  const loads = Array.from({ length: 15 }, () => {
    const begun = performance.now()
    createTextGame(load()).admissible()
    return performance.now() - begun
  })
  const compiled = load()
  const scripts = Array.from({ length: episodes }, (_, index) => walk(compiled, index))
  return {
    game,
    objects: compiled.names.length,
    loadMs: loads.sort((a, b) => a - b)[loads.length >> 1]!,
    stepsPerSecond: rate(compiled, scripts, false),
    stepsPerSecondWithList: rate(compiled, scripts, true),
  }
}

function walk(compiled: CompiledGame, seed: number): readonly string[] {
  const random = createRandom(`bench ${String(seed)}`)
  const game = createTextGame(compiled)
  return Array.from({ length: episodeSteps }, () => {
    const action = random.pick(game.admissible().filter((one) => !/check|look/.test(one)))
    game.step(action)
    return action
  })
}

/** Measures processor time, so that other work on the machine does not count. */
function rate(compiled: CompiledGame, scripts: readonly (readonly string[])[], withList: boolean): number {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time++) {
    for (const script of scripts) {
      const game = createTextGame(compiled)
      for (const action of script) {
        game.step(action)
        if (withList) game.admissible()
      }
    }
  }
  const { user, system } = process.cpuUsage(before)
  return ((times * scripts.length * episodeSteps) / (user + system)) * 1e6
}
