import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileGame } from '../../../src/environments/household/engine/engine.js'
import type { GameFile, GameSource } from '../../../src/environments/household/engine/game-file.js'
import { solveHousehold } from '../../../src/environments/household/oracle.js'
import type { Split } from '../../../src/environments/household/scenes/tasks.js'
import { householdTasks, splits } from '../../../src/environments/household/scenes/tasks.js'
import type { Generation } from '../../../src/environments/household/text/domain.js'

interface GamesToWrite {
  readonly folder: string
  readonly generation: Generation
  readonly split: Split
  readonly count: number
  /** How many of the split's tasks are left out before these. Default: none. */
  readonly from?: number
}

/**
 * Writes household tasks as ALFWorld's own files, `json_2.1.1/<split>/<task>/<trial>/game.tw-pddl`. @returns the folder
 * of the split
 */
export function writeGames({ folder, generation, split, count, from = 0 }: GamesToWrite): string {
  const path = join(folder, 'json_2.1.1', splits()[split].folder)
  for (const task of householdTasks(split).slice(from, from + count)) {
    const trial = join(path, ...task.id.split('/').slice(1))
    mkdirSync(trial, { recursive: true })
    const game = task.game(generation)
    const walkthrough = solveHousehold(compileGame(game, task.id).start())!
    writeFileSync(
      join(trial, 'game.tw-pddl'),
      JSON.stringify({ ...(JSON.parse(gameFileText(gameFileOf(game))) as object), walkthrough }),
    )
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
