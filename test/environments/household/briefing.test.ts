import { describe, expect, it } from 'vitest'
import type { Environment, Task, Turn, World } from '../../../src/core/environment.js'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { examplesOf, recordedExamples } from '../../../src/environments/household/examples.js'
import { taskKinds } from '../../../src/environments/household/scenes/rooms.js'
import type { Generation } from '../../../src/environments/household/text/domain.js'
import { generations } from '../../../src/environments/household/text/domain.js'
import { openEnvironment } from '../../../src/environments/index.js'

const random = createRandom('briefing')

const opened = new Map<string, Promise<Environment & { find(id: string): Task }>>()
/** Opens each environment once for all tests. */
const open = (generation: Generation, split = 'valid-unseen') => {
  const key = `${generation} ${split}`
  const environment = opened.get(key) ?? openEnvironment('household', { generation, split })
  opened.set(key, environment)
  return environment
}

describe.each(generations)('our own briefing, in the %s generation', (generation) => {
  it.each(taskKinds)('shows for %s an episode that plays exactly so in the engine', async (kind) => {
    const environment = await open(generation, 'train')
    const task = environment.find(recordedExamples()[kind].task)
    const world = (await environment.begin(task, random)) as World
    const [example] = examplesOf(kind, generation)
    expect(textOf(example!.opening)).toBe(`Your task is to: ${task.goal}\n${textOf(world.opening)}`)
    const played = example!.exchanges.map(({ action }) => {
      const turn = world.step(action) as Turn
      expect(turn.understood).toBe(true)
      return { action, observation: turn.observation, ended: turn.ended }
    })
    expect(played.map(({ action, observation }) => ({ action, observation }))).toEqual(example!.exchanges)
    expect(played.map(({ ended }) => ended).filter((ended) => ended !== false)).toEqual(['success'])
    expect(played.at(-1)!.ended).toBe('success')
  })
})
