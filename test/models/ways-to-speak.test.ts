import { afterAll, describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { agents } from '../../src/agents/index.js'
import type { Model } from '../../src/index.js'
import { createRandom, perturb, play } from '../../src/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { createEndpoint } from '../../src/models/index.js'
import { serve } from '../../src/proxy/served.js'
import { byText, control } from '../baselines/_play.js'

const serving = await serve({ models: [control('reader'), control('parrot')], port: 0, host: '127.0.0.1' })
afterAll(() => serving.close())

/** Plays one task under a perturbation and returns the actions and the outcome. */
async function playBy(model: Model, agentName: string) {
  const household = await openEnvironment('household')
  const applied = [{ perturbation: perturbations.find(({ name }) => name === 'agentrefine-3')! }]
  const environment = perturb(household, applied)
  const world = await environment.begin(environment.tasks[0]!, createRandom('1'))
  const agent = agents.find(({ name }) => name === agentName)!
  const limits = { temperature: 0, seed: 1, stepLimit: 30, maxTokens: 200 }
  const { result, trajectory } = await play({ world, agent, model, ...limits })
  const { outcome, measures } = result
  const { memorised, formatErrors } = measures
  return { outcome, memorised, formatErrors, actions: trajectory.steps.map(({ action }) => action) }
}

describe.each(agents.map(({ name }) => name))('%s over a socket', (agent) => {
  it.each(['reader', 'parrot'])('behaves for %s as it does without one', async (name) => {
    const remote = createEndpoint({ model: name, baseUrl: serving.baseUrl, apiKey: 'none' })
    const played = await playBy(remote, agent)
    expect(played).toEqual(await playBy(byText(name), agent))
    expect(played.formatErrors).toBe(0)
    expect(played.memorised! > 0).toBe(name === 'parrot')
  })
})
