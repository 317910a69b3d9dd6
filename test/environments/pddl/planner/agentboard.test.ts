import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDomainOnce } from '../../../../src/environments/pddl/domain.js'
import { solveTask } from '../../../../src/environments/pddl/planner/index.js'
import { parseProblem } from '../../../../src/environments/pddl/problem.js'
import { compileTask } from '../../../../src/environments/pddl/task.js'
import { sharedData } from '../../../shared-data.js'
import { reaches } from './_every-state.js'

const folder = join(sharedData ?? '', 'pddl')

/**
 * How many actions the planner needs for each of AgentBoard's problems, in its order. For 34, 35, 35 and 36 in gripper
 * a search through all states found no shorter way, and 39 in tyreworld follows from counting (each of four wheels
 * takes eight actions that do nothing for the others, opening the boot and fetching three tools four, and the one jack
 * has to come down three times): these five problems cannot be solved within the benchmark's 30 steps.
 */
const lengths = {
  gripper: [11, 17, 23, 29, 35, 10, 16, 16, 26, 29, 30, 12, 11, 12, 36, 35, 34, 18, 16, 30],
  blockworld: [8, 18, 6, 6, 12, 8, 12, 8, 14, 14],
  barman: [12, 10, 10, 10, 10, 24, 24, 25, 24, 11, 10, 25, 13, 2, 5, 12, 8, 13, 8, 10],
  tyreworld: [12, 21, 30, 39, 8, 5, 16, 14, 14, 14],
}

describe.skipIf(sharedData === undefined)("AgentBoard's problems (skipped without the shared data)", () => {
  it.each(Object.entries(lengths))('of %s are solved', (game, expected) => {
    const domain = parseDomainOnce(readFileSync(join(folder, `${game}.pddl`), 'utf8'), game)
    const files = readdirSync(join(folder, game)).sort()
    const found = files.map((file) => {
      const task = compileTask(parseProblem(readFileSync(join(folder, game, file), 'utf8'), domain, file))
      const actions = solveTask(task, task.init)
      expect(actions !== undefined && reaches(task, actions), file).toBe(true)
      return actions?.length
    })
    expect(found).toEqual(expected)
  })
})
