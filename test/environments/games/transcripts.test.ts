import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { sharedData } from '../../shared-data.js'
import { syncWorld } from '../../sync-world.js'

interface Recorded {
  readonly game: string
  readonly problem_index: number
  readonly difficulty: string
  readonly goal: string
  readonly init: { readonly observation: string; readonly available_actions_sorted: readonly string[] }
  readonly steps: readonly {
    readonly action: string
    readonly observation: string
    readonly available_actions_sorted: readonly string[]
    readonly progress: number
    readonly done: boolean
    readonly action_is_valid: boolean
    readonly order_arbitrary?: boolean
  }[]
}

const folder = join(sharedData ?? '', 'pddl')

/** The same in another layout: with NLTK's English model, while the others were recorded with a simple splitter. */
interface RecordedWithModel {
  readonly game: string
  readonly idx: number
  readonly goal: string
  readonly opening: string
  readonly actions0: readonly string[]
  readonly steps: readonly {
    readonly action: string
    readonly observation: string
    readonly actions: readonly string[]
    readonly progress: number
    readonly done: boolean
    readonly valid: boolean
    readonly arb: boolean
  }[]
}

/** The recording of an episode, in the layout that is compared. */
function readRecord(line: string): Omit<Recorded, 'difficulty'> & { readonly difficulty?: string } {
  const record = JSON.parse(line) as Recorded | RecordedWithModel
  if ('problem_index' in record) return record
  return {
    game: record.game,
    problem_index: record.idx,
    goal: record.goal,
    init: { observation: record.opening, available_actions_sorted: record.actions0 },
    steps: record.steps.map(({ action, observation, actions, progress, done, valid, arb }) => ({
      action,
      observation,
      available_actions_sorted: actions,
      progress,
      done,
      action_is_valid: valid,
      order_arbitrary: arb,
    })),
  }
}

/** Recorded from AgentBoard's environment. */
describe.skipIf(sharedData === undefined)('recordings of AgentBoard’s PDDL games', async () => {
  const labels = join(sharedData ?? '', 'agentboard_labels', 'pddl_test.jsonl')
  const environment = sharedData === undefined ? undefined : await openEnvironment('pddl', { data: folder, labels })

  it.each(['transcripts', 'solved', 'transcripts-punkt'])('%s', async (file) => {
    const lines = readFileSync(join(folder, `${file}.jsonl`), 'utf8')
      .trim()
      .split('\n')
    for (const recorded of lines.map(readRecord)) {
      const task = environment!.find(`${recorded.game}/${String(recorded.problem_index)}`)
      expect(task.goal).toBe(recorded.goal)
      if (recorded.difficulty !== undefined) expect(task.difficulty).toBe(recorded.difficulty)
      const world = await environment!.begin(task, createRandom('0'))
      const sorted = (): string[] => [...syncWorld(world).admissible()].sort()
      expect(textOf(world.opening)).toBe(recorded.init.observation)
      expect(sorted()).toEqual(recorded.init.available_actions_sorted)
      for (const step of recorded.steps) {
        const understands = syncWorld(world).understands(step.action)
        const turn = await world.step(step.action)
        const said = textOf(turn.observation)
        expect({
          action: step.action,
          observation: step.order_arbitrary ? inAnyOrder(said) : said,
          available_actions_sorted: sorted(),
          progress: turn.progress,
          done: turn.ended === 'success',
          action_is_valid: turn.understood,
        }).toEqual({
          action: step.action,
          observation: step.order_arbitrary ? inAnyOrder(step.observation) : step.observation,
          available_actions_sorted: step.available_actions_sorted,
          progress: step.progress,
          done: step.done,
          action_is_valid: step.action_is_valid,
        })
        if (step.action_is_valid) expect(understands).toBe(true)
      }
    }
  })

  it('have AgentBoard’s 60 tasks in its order', () => {
    const count = (game: string): number => environment!.tasks.filter(({ kind }) => kind === game).length
    expect(['gripper', 'blockworld', 'barman', 'tyreworld'].map(count)).toEqual([20, 10, 20, 10])
    expect(environment!.tasks[21]!.id).toBe('blockworld/1')
    expect(environment!.tasks.filter(({ difficulty }) => difficulty === 'easy')).toHaveLength(36)
  })
})

/** Sorts the items of lists of actions, and the words of other text whose order does not matter. */
function inAnyOrder(observation: string): readonly string[] {
  const lead = 'Valid actions are: '
  return observation.startsWith(lead)
    ? observation.slice(lead.length).split(', ').sort()
    : observation.split(' ').sort()
}
