import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileGame } from '../../../src/environments/household/engine/engine.js'
import type { GameFile, GameSource } from '../../../src/environments/household/engine/game-file.js'
import { solveHousehold } from '../../../src/environments/household/oracle.js'
import { householdTasks } from '../../../src/environments/household/scenes/tasks.js'
import type { Generation } from '../../../src/environments/household/text/domain.js'

/** The folder, and which of the unseen tasks: `count` of them from the place `from`. */
type GamesToWrite = Readonly<{ folder: string; generation: Generation; count: number; from: number }>

/**
 * Writes household tasks as ALFWorld's own files, `json_2.1.1/<split>/<task>/<trial>/game.tw-pddl`. @returns the folder
 * of the split
 */
export function writeGames({ folder, generation, count, from }: GamesToWrite): string {
  const path = join(folder, 'json_2.1.1', 'valid_unseen')
  for (const task of householdTasks('valid-unseen').slice(from, from + count)) {
    const trial = join(path, ...task.id.split('/').slice(1))
    mkdirSync(trial, { recursive: true })
    const game = task.game(generation)
    const file = { ...gameFileOf(game), walkthrough: solveHousehold(compileGame(game, task.id).start())! }
    writeFileSync(join(trial, 'game.tw-pddl'), gameFileText(file))
  }
  return path
}

/** The content of the file of a game, with the text grammar that TextWorld reads. */
export function gameFileOf({ generation, goalSentence, ...texts }: GameSource): GameFile {
  const path = fileURLToPath(new URL(`../../fixtures/household/${generation}.twl2`, import.meta.url))
  const grammar = readFileSync(path, 'utf8').replace('UNKNOWN GOAL.', () => goalSentence)
  return { ...texts, grammar, solvable: true }
}

export function gameFileText({ pddlDomain, grammar, pddlProblem, ...rest }: GameFile): string {
  return JSON.stringify({ pddl_domain: pddlDomain, grammar, pddl_problem: pddlProblem, ...rest })
}
