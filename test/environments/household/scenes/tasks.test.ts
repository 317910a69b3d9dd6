import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../../src/environments/household/engine/engine.js'
import { compileGame } from '../../../../src/environments/household/engine/engine.js'
import { solveHousehold } from '../../../../src/environments/household/oracle/solve.js'
import type { GeneratedTask } from '../../../../src/environments/household/scenes/tasks.js'
import { householdTasks, splits } from '../../../../src/environments/household/scenes/tasks.js'
import { taskKinds } from '../../../../src/environments/household/scenes/goal.js'
import type { Generation } from '../../../../src/environments/household/text/domain.js'

const start = (task: GeneratedTask, generation: Generation): Engine =>
  compileGame(task.game(generation), task.id).start()

const unseen = householdTasks({ split: 'valid-unseen' })
const train = householdTasks({ split: 'train' })
const everyTenth = train.filter((_, index) => index % 10 === 0)

/** The count of each value. */
function census<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

describe('householdTasks', () => {
  it('has as many tasks of each kind as ALFWorld’s valid_unseen', () => {
    expect(unseen).toHaveLength(134)
    const counts = census(unseen.map(({ kind }) => kind))
    expect(taskKinds.map((kind) => counts.get(kind))).toEqual([24, 18, 31, 23, 21, 17])
    expect(train).toHaveLength(600)
  })

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

  it('has the sizes found in ALFWorld, with shared places and objects in two receptacles', () => {
    const sizes = [...unseen, ...everyTenth].map((task) => {
      const facts = task.game('new').pddlProblem.split('(:init')[1]!.split('(:goal')[0]!
      const all = (pattern: RegExp): string[] => [...facts.matchAll(pattern)].map((match) => match[1]!)
      const places = census(all(/\(receptacleAtLocation \S+ (\S+)\)/g))
      return {
        receptacles: all(/\(receptacleType (\S+)/g).length,
        objects: all(/\(objectType (\S+)/g).length,
        places: new Set(all(/(loc_bar_[^ )]+)/g)).size,
        shared: [...places.values()].some((count) => count > 1),
        doubled: [...census(all(/\(inReceptacle (\S+)/g)).values()].some((count) => count > 1),
        hosted: places.has(/\(atLocation agent1 (\S+)\)/.exec(facts)![1]!),
      }
    })
    const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
    const share = (flags: readonly boolean[]): number => mean(flags.map(Number))
    const receptacles = sizes.map((size) => size.receptacles)
    expect(Math.min(...receptacles)).toBeGreaterThanOrEqual(7)
    expect(Math.max(...receptacles)).toBeLessThanOrEqual(54)
    expect(mean(receptacles)).toBeGreaterThan(20)
    expect(mean(receptacles)).toBeLessThan(27)
    expect(mean(sizes.map((size) => size.objects))).toBeGreaterThan(38)
    expect(mean(sizes.map((size) => size.places))).toBeGreaterThan(26)
    expect(share(sizes.map((size) => size.shared))).toBeGreaterThan(0.6)
    expect(share(sizes.map((size) => size.doubled))).toBeGreaterThan(0.35)
    expect(sizes.some((size) => size.hosted)).toBe(false)
  })

  it('has no scene in both splits, and a few dozen in each', () => {
    const [trained, measured] = [new Set(train.map(({ scene }) => scene)), new Set(unseen.map(({ scene }) => scene))]
    expect([...measured].filter((scene) => trained.has(scene))).toEqual([])
    expect(measured.size).toBeGreaterThan(24)
    expect(trained.size).toBeGreaterThan(80)
  })

  it("names tasks like ALFWorld's folders, so that its loader skips none", () => {
    for (const { id, kind, parameters, scene } of [...unseen, ...train]) {
      const { object, target } = parameters
      expect(id).toMatch(/^(train|valid_unseen)\/[a-z_]+-[A-Za-z]+-None-[A-Za-z]+-1\d{3}\/trial_\d{4}$/)
      expect(id.split('/')[1]).toBe(`${kind}-${object}-None-${target}-${scene}`)
      expect(id).not.toMatch(/movable|Sliced/)
    }
    expect(new Set([...unseen, ...train].map(({ id }) => id)).size).toBe(734)
  })

  it('depends only on the seed', () => {
    const again = householdTasks({ split: 'valid-unseen' })
    const few = householdTasks({ split: 'valid-unseen', count: 5 })
    const other = householdTasks({ split: 'valid-unseen', seed: 'other', count: 5 })
    expect(again[4]!.game('new')).toEqual(unseen[4]!.game('new'))
    expect(few.map(({ id }) => id)).toEqual(unseen.slice(0, 5).map(({ id }) => id))
    expect(few[4]!.game('old').pddlProblem).toBe(unseen[4]!.game('old').pddlProblem)
    expect(other[4]!.game('old').pddlProblem).not.toBe(unseen[4]!.game('old').pddlProblem)
    expect(other[4]!.recipe).not.toBe(unseen[4]!.recipe)
  })

  it('is stable: a change of these values needs a new scenesVersion', () => {
    const hash = createHash('sha256')
    for (const task of [...unseen, ...everyTenth])
      hash.update(`${task.id}\n${task.goal}\n${task.game('old').pddlProblem}`)
    expect(unseen[0]!.id).toMatchInlineSnapshot(`"valid_unseen/look_at_obj_in_light-Pen-None-DeskLamp-1354/trial_0001"`)
    expect(hash.digest('hex').slice(0, 16)).toMatchInlineSnapshot(`"a85628f852eef50f"`)
  })

  it('draws the requested number of tasks and refuses an invalid number', () => {
    expect(householdTasks({ split: 'valid-unseen', count: 300 })).toHaveLength(300)
    expect(() => householdTasks({ split: 'train', count: 0 })).toThrow('a whole number from 1 to 9999, got 0')
  })

  it('can generate all of valid-unseen from any seed', () => {
    for (const seed of ['a', 'b', 'c']) {
      for (const task of householdTasks({ split: 'valid-unseen', seed })) {
        expect(task.game('new').pddlProblem).toContain('(:goal')
      }
    }
    expect(splits['valid-unseen'].folder).toBe('valid_unseen')
  })
})
