import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Turn, World } from '../../../src/core/environment.js'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { sharedData, sharedRows } from '../../shared-data.js'

interface Recorded {
  readonly game: string
  readonly goal: string
  readonly init: { readonly observation: string }
  readonly steps: readonly {
    readonly action: string
    readonly parsed_action: string
    readonly observation: string
    readonly reward: number
    readonly done: boolean
    readonly grounded: boolean
  }[]
}

describe.skipIf(sharedData === undefined)("episodes of AgentBoard's own wrapper", () => {
  const folder = join(sharedData ?? '', 'alfworld')

  it('are replayed without a difference', async () => {
    const environment = await openEnvironment('household', { data: folder, generation: 'old' })
    const rows = sharedRows<Recorded>('alfworld/agentboard/transcripts.jsonl')
    let steps = 0
    for (const recorded of rows) {
      const world = (await environment.begin(environment.find(recorded.game), createRandom('0'))) as World
      const played = recorded.steps.map(({ action }) => {
        const parsed_action = environment.normalise!(action)
        const turn = world.step(parsed_action) as Turn
        expect(turn.original).toBe(textOf(turn.observation))
        return {
          action,
          parsed_action,
          observation: textOf(turn.observation),
          reward: turn.progress,
          done: turn.ended === 'success',
          grounded: turn.understood,
        }
      })
      expect(textOf(world.opening)).toBe(recorded.init.observation)
      expect(world.briefing.goal).toBe(recorded.goal)
      expect(played).toEqual(
        recorded.steps.map(({ action, parsed_action, observation, reward, done, grounded }) => {
          return { action, parsed_action, observation, reward, done, grounded }
        }),
      )
      steps += played.length
    }
    expect(rows).toHaveLength(90)
    expect(steps).toBe(2020)
  })

  it('are in the order in which AgentBoard plays the unseen games', async () => {
    const environment = await openEnvironment('household', { data: join(folder, 'json_2.1.1') })
    const rows = JSON.parse(readFileSync(join(folder, 'agentboard_order.json'), 'utf8')) as Record<
      'game' | 'goal' | 'difficulty' | 'task_type',
      string
    >[]
    expect(environment.tasks.map(({ id, goal, difficulty, kind }) => [id, goal, difficulty, kind])).toEqual(
      rows.map(({ game, goal, difficulty, task_type }) => [`valid_unseen/${game}`, goal, difficulty, task_type]),
    )
  })
})
