import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { sharedData, sharedRows } from '../../shared-data.js'
import { syncWorld } from '../../sync-world.js'

type Fields = Readonly<Record<string, unknown>>
type Recorded = Fields & { readonly steps: readonly Fields[]; readonly init?: Fields }

/** A recording, in either of two layouts: the one with NLTK's English model has shorter names. */
function readRecord(record: Recorded) {
  const of = (fields: Fields | undefined, ...names: readonly string[]): unknown =>
    names.map((name) => fields?.[name]).find((value) => value !== undefined)
  return {
    id: `${String(record['game'])}/${String(of(record, 'problem_index', 'idx'))}`,
    goal: record['goal'],
    difficulty: record['difficulty'],
    opening: of(record.init ?? record, 'observation', 'opening'),
    actions: of(record.init ?? record, 'available_actions_sorted', 'actions0'),
    steps: record.steps.map((step) => ({
      action: step['action'] as string,
      observation: step['observation'] as string,
      actions: of(step, 'available_actions_sorted', 'actions'),
      progress: step['progress'],
      done: step['done'],
      valid: of(step, 'action_is_valid', 'valid') as boolean,
      isUnordered: of(step, 'order_arbitrary', 'arb') === true,
    })),
  }
}

/** Recorded from AgentBoard's environment. */
describe.skipIf(sharedData === undefined)('recordings of AgentBoard’s PDDL games', async () => {
  const labels = join(sharedData ?? '', 'agentboard_labels', 'pddl_test.jsonl')
  const environment =
    sharedData === undefined ? undefined : await openEnvironment('pddl', { data: join(sharedData, 'pddl'), labels })

  it.each(['transcripts', 'solved', 'transcripts-punkt'])('%s', async (file) => {
    const records = sharedRows<Recorded>(`pddl/${file}.jsonl`).map(readRecord)
    for (const { id, goal, difficulty, opening, actions, steps } of records) {
      const task = environment!.find(id)
      expect(task.goal).toBe(goal)
      if (difficulty !== undefined) expect(task.difficulty).toBe(difficulty)
      const world = await environment!.begin(task, createRandom('0'))
      const sorted = (): string[] => [...syncWorld(world).admissible()].sort()
      expect(textOf(world.opening)).toBe(opening)
      expect(sorted()).toEqual(actions)
      for (const { isUnordered, ...step } of steps) {
        const understands = syncWorld(world).understands(step.action)
        const turn = await world.step(step.action)
        const shown = (text: string) => (isUnordered ? inAnyOrder(text) : text)
        expect({
          action: step.action,
          observation: shown(textOf(turn.observation)),
          actions: sorted(),
          progress: turn.progress,
          done: turn.ended === 'success',
          valid: turn.understood,
        }).toEqual({ ...step, observation: shown(step.observation) })
        if (step.valid) expect(understands).toBe(true)
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
