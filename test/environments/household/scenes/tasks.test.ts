import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../../src/environments/household/engine/engine.js'
import { compileGame } from '../../../../src/environments/household/engine/engine.js'
import { solveHousehold } from '../../../../src/environments/household/oracle.js'
import type { GeneratedTask } from '../../../../src/environments/household/scenes/tasks.js'
import { householdTasks } from '../../../../src/environments/household/scenes/tasks.js'
import type { Generation } from '../../../../src/environments/household/text/domain.js'

const start = (task: GeneratedTask, generation: Generation): Engine =>
  compileGame(task.game(generation), task.id).start()

const unseen = householdTasks('valid-unseen')
const train = householdTasks('train')
const everyTenth = train.filter((_, index) => index % 10 === 0)

describe('householdTasks', () => {
  it('can be won in every task, within the steps of the benchmark and in about as many as in ALFWorld', () => {
    const lengths = [...unseen, ...everyTenth].map((task) => {
      const engine = start(task, 'old')
      expect({ id: task.id, won: engine.won }).toEqual({ id: task.id, won: false })
      const plan = solveHousehold(engine)
      expect({ id: task.id, solved: plan !== undefined }).toEqual({ id: task.id, solved: true })
      for (const command of plan!) engine.step(command)
      expect({ id: task.id, won: engine.won }).toEqual({ id: task.id, won: true })
      return plan!.length
    })
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(2)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(12)
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
    // ALFWorld's 274 validation games take 5.96 commands on average.
    expect(mean).toBeGreaterThan(5.4)
    expect(mean).toBeLessThan(6.6)
  })

  it('is stable: a change of these values needs a new version of the scenes', () => {
    const hash = createHash('sha256')
    for (const task of [...unseen, ...everyTenth])
      hash.update(`${task.id}\n${task.goal}\n${task.game('old').pddlProblem}`)
    expect(unseen[0]!.id).toMatchInlineSnapshot(`"valid_unseen/look_at_obj_in_light-Pen-None-DeskLamp-1354/trial_0001"`)
    expect(hash.digest('hex').slice(0, 16)).toMatchInlineSnapshot(`"a85628f852eef50f"`)
  })
})
