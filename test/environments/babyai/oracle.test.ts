import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { syncWorld } from '../../sync-world.js'

async function solveAll(split: string, pick: (index: number) => boolean) {
  const environment = await openEnvironment('babyai', { split })
  const unsolved: string[] = []
  const lengths: number[] = []
  for (const task of environment.tasks.filter((_, index) => pick(index))) {
    const world = await environment.begin(task, createRandom('oracle'))
    const solution = syncWorld(world).solve()
    if (solution === undefined) {
      unsolved.push(task.id)
      continue
    }
    lengths.push(solution.length)
    for (const [index, action] of solution.entries()) {
      const { understood, ended } = await world.step(action)
      const name = `task ${task.id} (${task.kind!}), step ${String(index + 1)}: ${action}`
      expect({ name, understood, ended }).toEqual({
        name,
        understood: true,
        ended: index === solution.length - 1 && 'success',
      })
    }
  }
  return { unsolved, longest: Math.max(...lengths) }
}

describe('the oracle', () => {
  it('solves every task of the benchmark well within its 30 steps', async () => {
    const { unsolved, longest } = await solveAll('test', () => true)
    expect(unsolved).toEqual([])
    expect(longest).toBeLessThanOrEqual(30)
  })

  it('finds levels that cannot be solved: a key behind the door that it opens', async () => {
    const { unsolved } = await solveAll('train', (index) => index >= 150 && index < 177)
    expect(unsolved).toEqual(['train/156', 'train/164'])
  })

  it('continues from any state, even if the agent holds the object that it has to go to', async () => {
    const environment = await openEnvironment('babyai', { split: 'train' })
    const world = await environment.begin(environment.find('train/176'), createRandom('oracle'))
    expect(textOf(world.opening)).not.toContain('red ball')
    for (const action of ['turn left', 'pickup red ball 1']) {
      expect(await world.step(action)).toMatchObject({ understood: true, ended: false })
    }
    const solution = syncWorld(world).solve()!
    expect(solution).toContain('drop')
    let ended: unknown = false
    for (const action of solution) ({ ended } = await world.step(action))
    expect(ended).toBe('success')
  })
})
