import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledGame, compileGame } from '../../../src/environments/games/compile-game.js'
import { type GameName, gameNames } from '../../../src/environments/games/wording.js'

/** Small domains of the same names as AgentBoard's, with only the actions that tests need, and a problem for each. */
const read = (name: string): string =>
  readFileSync(new URL(`../../fixtures/small-games/${name}.pddl`, import.meta.url), 'utf8')

export function smallGame(game: GameName): CompiledGame {
  return compileGame({
    id: `${game}/0`,
    game,
    domain: { text: read(game), where: 'domain' },
    problem: { text: read(`${game}-problem`), where: 'problem' },
  })
}

/** Writes the small games in AgentBoard's layout, with these problems each, and returns the folder. */
export function writeFolder(folder: string, names: readonly string[] = ['problem1', 'problem10', 'problem2']): string {
  for (const game of gameNames) {
    mkdirSync(join(folder, game), { recursive: true })
    writeFileSync(join(folder, `${game}.pddl`), read(game))
    for (const name of names) {
      const text = read(`${game}-problem`).replace('problem one', `problem ${name}`)
      writeFileSync(join(folder, game, `${name}.pddl`), text)
    }
  }
  return folder
}
