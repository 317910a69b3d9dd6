import { describe, expect, it } from 'vitest'
import { baselines } from '../../../baselines/index.js'
import { perturbations } from '../../../perturbations/index.js'
import { agents } from '../../../src/agents/index.js'
import { act } from '../../../src/agents/act.js'
import { openEnvironment } from '../../../src/environments/index.js'
import type { Agent, Model, Task } from '../../../src/index.js'
import { createRandom, perturb, play } from '../../../src/index.js'
import { parseColumn } from '../../../src/run/columns.js'

const environment = await openEnvironment('hotpotqa')
const every = (nth: number) => environment.tasks.filter((_, place) => place % nth === 0)

const control = (name: string): Model => baselines.find((one) => one.name === name)!.create(undefined)

interface Setting {
  readonly agent?: Agent
  readonly tasks?: readonly Task[]
  readonly stepLimit?: number
}

async function playAll(model: Model, column: string, { agent = act, tasks = every(12), stepLimit = 30 }: Setting = {}) {
  const seen = perturb(environment, parseColumn(column, perturbations).applied)
  const played = []
  for (const task of tasks) {
    const world = await seen.begin(task, createRandom(task.id))
    played.push(await play({ world, agent, model, temperature: 0, seed: 1, stepLimit, maxTokens: 100 }))
  }
  return played.map(({ result, trajectory }) => ({ ...result, steps: trajectory.steps }))
}

describe('controls on HotpotQA', () => {
  it('the oracle answers every question', async () => {
    const played = await playAll(control('oracle'), 'none', { tasks: environment.tasks })
    for (const { outcome, progress, stepLimit } of played)
      expect([outcome, progress, stepLimit]).toEqual(['success', 1, 7])
  })

  it.each(agents.map((agent) => [agent.name, agent] as const))(
    'the reader succeeds and the parrot is refused with %s',
    async (_, agent) => {
      for (const column of ['none', 'synonyms', 'argument-order', 'call-syntax', 'symbols', 'goal-paraphrase']) {
        const outcomes = (await playAll(control('reader'), column, { agent })).map(({ outcome }) => outcome)
        expect([column, new Set(outcomes)]).toEqual([column, new Set(['success'])])
      }
      for (const { outcome, measures, steps } of await playAll(control('parrot'), 'synonyms', { agent })) {
        expect([outcome, measures.understood]).toEqual(['step-limit', 0])
        // The name of a function that is not offered has no brackets, so its words are no action.
        if (agent.name !== 'tools') expect(steps.every(({ memorised }) => memorised)).toBe(true)
      }
    },
  )

  it('an episode without an answer ends after seven steps, or fewer if the run says so', async () => {
    const thinker: Model = {
      name: 'thinker',
      settings: {},
      complete: () => ({ text: 'Action: think[hm]', finish: 'stop' }),
    }
    for (const [column, stepLimit, expected] of [
      ['none', 30, 7],
      ['none', 3, 3],
      ['step-budget:factor=2', 30, 14],
    ] as const) {
      for (const { outcome, progress, steps } of await playAll(thinker, column, { stepLimit, tasks: every(30) })) {
        expect([outcome, progress, steps.length]).toEqual(['step-limit', 0, expected])
      }
    }
  })

  it('searches that fail do not count where they are refunded', async () => {
    const played = await playAll(control('oracle'), 'action-failures:burst=3', { tasks: environment.tasks })
    expect(played.filter(({ outcome }) => outcome !== 'success')).toEqual([])
    expect(played.some(({ steps }) => steps.some(({ failed }) => failed === 'before'))).toBe(true)
  })
})
