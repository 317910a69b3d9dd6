import { beforeAll, describe, expect, it } from 'vitest'
import { baselines } from '../../baselines/index.js'
import { readBabyai } from '../../baselines/babyai/read.js'
import { perturbations } from '../../perturbations/index.js'
import { agents } from '../../src/agents/index.js'
import { act } from '../../src/agents/act.js'
import type { Agent } from '../../src/core/agent.js'
import type { Environment } from '../../src/core/environment.js'
import type { Model } from '../../src/core/model.js'
import type { AppliedPerturbation } from '../../src/core/perturbation.js'
import { definePerturbation, renameItems } from '../../src/core/perturbation.js'
import { perturb } from '../../src/core/perturb.js'
import type { Played } from '../../src/core/play.js'
import { play } from '../../src/core/play.js'
import { createRandom } from '../../src/core/random.js'
import { openEnvironment } from '../../src/environments/index.js'

let babyai: Environment

beforeAll(async () => {
  babyai = await openEnvironment('babyai')
})

const control = (name: string): Model => baselines.find((one) => one.name === name)!.create()
const column = (name: string): AppliedPerturbation => ({
  perturbation: perturbations.find((perturbation) => perturbation.name === name)!,
})

interface Setting {
  readonly columns?: readonly AppliedPerturbation[]
  readonly agent?: Agent
  readonly temperature?: number
}

/** One task of each level. */
async function playAll(model: Model, setting: Setting = {}): Promise<readonly Played[]> {
  const { columns = [], agent = act, temperature = 0 } = setting
  const seen = perturb(babyai, columns)
  const played: Played[] = []
  for (const task of seen.tasks.filter((_, index) => index % 4 === 0)) {
    const world = await seen.begin(task, createRandom(`${task.id} 1`))
    played.push(await play({ world, agent, model, temperature, seed: 1, stepLimit: 30, maxTokens: 100 }))
  }
  return played
}

const successes = (played: readonly Played[]): number =>
  played.filter(({ result }) => result.outcome === 'success').length
const actions = (played: readonly Played[]): readonly string[] =>
  played.flatMap(({ trajectory }) => trajectory.steps.map(({ action }) => action))

const numbered = definePerturbation({
  name: 'numbered',
  summary: 'red ball 1 → Red ball no. 1',
  source: 'this test',
  promise: 'invariant',
  open: () => renameItems((name) => (name.charAt(0).toUpperCase() + name.slice(1)).replace(/ (\d+)$/, ' no. $1')),
})

describe('reader', () => {
  it.each([
    ['nothing', []],
    ['babyai-1', [column('babyai-1')]],
    ['babyai-2', [column('babyai-2')]],
    ['babyai-3', [column('babyai-3')]],
    ['babyai-4', [column('babyai-4')]],
    ['babyai-5', [column('babyai-5')]],
    ['all at once', [1, 2, 3, 4, 5].map((number) => column(`babyai-${String(number)}`))],
    ['names in another spelling', [{ perturbation: numbered }]],
  ])('solves most of the 28 levels under %s', async (_, columns) => {
    expect(successes(await playAll(control('reader'), { columns }))).toBeGreaterThanOrEqual(22)
  })

  it.each(agents.map((agent) => [agent.name, agent] as const))('speaks as %s asks', async (_, agent) => {
    const played = await playAll(control('reader'), { agent })
    expect(successes(played)).toBeGreaterThanOrEqual(22)
    for (const { result } of played) expect(result.measures.formatErrors).toBe(0)
  })

  it('asks for the possible actions where the prompt is no help, and learns from them', async () => {
    const columns = [{ ...column('babyai-5'), scope: ['admissible'] as const }]
    const played = await playAll(control('reader'), { columns })
    expect(successes(played)).toBeGreaterThanOrEqual(18)
    expect(actions(played).some((action) => action.includes('check'))).toBe(true)
  })
})

describe('parrot', () => {
  it('has the same skill where its wording is understood', async () => {
    expect(actions(await playAll(control('parrot')))).toEqual(actions(await playAll(control('reader'))))
  })

  it.each([
    ['babyai-1', 16],
    ['babyai-2', 20],
    ['babyai-3', 20],
    ['babyai-4', 18],
    ['babyai-5', 20],
  ])('does worse under %s, in its old words', async (name, most) => {
    const played = await playAll(control('parrot'), { columns: [column(name)] })
    expect(successes(played)).toBeLessThanOrEqual(most)
    expect(played.some(({ result }) => result.measures.memorised! > 0)).toBe(true)
  })
})

it('random says what the forms and the names seen allow', async () => {
  for (const action of actions((await playAll(control('random'))).slice(0, 5))) {
    expect(action).toMatch(
      /^(?:turn left|turn right|move forward|drop|toggle|check (?:available|valid) actions|(?:go to|pickup|go through|toggle and go through)(?: \w+ (?:\w+ )?\w+ \d+)?)$/,
    )
  }
})

it.each(['reader', 'parrot', 'random'])('%s says the same for the same seed', async (name) => {
  const once = actions(await playAll(control(name), { temperature: 1 }))
  expect(actions(await playAll(control(name), { temperature: 1 }))).toEqual(once)
})

it('goes on after any observation', () => {
  const odd = [
    '',
    'nothing',
    'x'.repeat(100_000),
    'There is a red ball 1 right in front of you 99999999999999999999 steps away. You are not carrying anything.',
    'There is a red ball 1 0 steps in front of you and 0 steps to your left. You are carrying a .',
    'There is a key 1 right in front of you 1 steps away. '.repeat(2000) + 'You are not carrying anything.',
    'You are facing a wall 0 steps away. You are not carrying anything.',
    'You can take the following actions: , , red ball 1, {t}, {',
    'The action is not recognized.',
    'No change in state.',
  ]
  const skill = readBabyai()
  const prompt = { goal: 'put the red ball next to a box', forms: [], examples: [], help: [], scene: '' }
  const started = performance.now()
  for (const opening of odd) {
    let position = skill.begin(prompt, opening)
    for (let round = 0; round < 3; round++) {
      for (const observation of odd) {
        for (const action of ['move forward', 'go to red ball 1', 'frob', '']) {
          position = position.after({ action, observation })
          expect(position.options().length).toBeGreaterThan(0)
          for (const { ways } of position.options()) for (const way of ways) way()
        }
      }
    }
  }
  expect(performance.now() - started).toBeLessThan(20_000)
})
