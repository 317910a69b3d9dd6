import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/core/text.js'
import { createTextGame } from '../../../src/environments/babyai/game.js'
import type { Labels } from '../../../src/environments/babyai/progress.js'
import { createLabelledProgress } from '../../../src/environments/babyai/progress.js'
import type { Moves } from '../../../src/environments/babyai/moves.js'
import { findMoves } from '../../../src/environments/babyai/moves.js'
import { heldName, readView, wordSight } from '../../../src/environments/babyai/sight.js'
import { levelNumbers } from '../../../src/environments/babyai/simulator/levels.js'
import { makeLevel } from '../../../src/environments/babyai/simulator/simulation.js'
import { sharedData, sharedRows } from '../../shared-data.js'

interface RecordedEpisode {
  readonly task_id: number
  readonly level: number
  readonly seed: number
  readonly subgoals: Labels
  readonly init: { readonly observation: string }
  readonly steps: readonly {
    readonly action: string
    readonly observation: string
    readonly available_actions: Readonly<Record<string, readonly number[]>>
    readonly error_messages: Readonly<Record<string, string>>
    readonly progress: number
    readonly done: boolean
    readonly action_is_valid: boolean
    readonly agent: readonly number[]
  }[]
}

interface RecordedOpening {
  readonly level: number
  readonly seed: number
  readonly init_obs: string
  readonly actions: Readonly<Record<string, readonly number[]>>
  readonly errors: Readonly<Record<string, string>>
}

/** As a list, since `toEqual` on objects ignores the order. */
function listed(moves: Moves): [string, readonly number[]][] {
  return [...moves.possible]
}

function refused(moves: Moves): Record<string, string> {
  return Object.fromEntries([...moves.refusals].map(([action, why]) => [action, textOf(why)]))
}

describe.skipIf(sharedData === undefined)('recordings of AgentBoard’s BabyAI', () => {
  it('equal the openings of all levels: observation, ordered actions with their paths, refusals', () => {
    const rows = sharedRows<RecordedOpening>('babyai/levels.jsonl').filter(({ level }) => levelNumbers.includes(level))
    expect(rows.length).toBeGreaterThan(100)
    for (const row of rows) {
      const simulation = makeLevel(row.level, row.seed).start()
      const sight = readView(simulation.board, simulation.view())
      const moves = findMoves(simulation.board, sight)
      const name = `level ${String(row.level)}, seed ${String(row.seed)}`
      expect(wordSight(sight, heldName(simulation.board)), name).toBe(row.init_obs)
      expect(listed(moves), name).toEqual(Object.entries(row.actions))
      expect(refused(moves), name).toEqual(row.errors)
    }
  })

  it('equal every step', () => {
    const rows = sharedRows<RecordedEpisode>('babyai/transcripts.jsonl')
    expect(rows.length).toBeGreaterThan(50)
    for (const row of rows) {
      const game = createTextGame(makeLevel(row.level, row.seed), () => createLabelledProgress(row.subgoals))
      expect(game.opening).toBe(row.init.observation)
      row.steps.forEach((step, index) => {
        const answer = game.step(step.action)
        const { agent, direction } = game.simulation.board
        const found = {
          observation: textOf(answer.observation),
          progress: answer.progress,
          done: answer.ended !== false,
          action_is_valid: answer.understood,
          agent: [agent.x, agent.y, direction],
          error_messages: refused(game.moves()),
        }
        expect(step, `task ${String(row.task_id)}, step ${String(index)}: ${step.action}`).toMatchObject(found)
        expect(listed(game.moves())).toEqual(Object.entries(step.available_actions))
      })
    }
  })
})
