import { describe, expect, it } from 'vitest'
import type { AppliedPerturbation, Completion, Model, PlayOptions, World } from '../../src/index.js'
import { ShaketableError, createRandom, defineAgent, perturb, play } from '../../src/index.js'
import agentrefine2 from '../../perturbations/agentrefine-2.js'
import { createToy } from '../toy-environment.js'

/** Shows all texts; a reply that begins with `think` is a thought, one that begins with `?` is a format error. */
const plain = defineAgent({
  name: 'plain',
  stop: ['\n'],
  begin(briefing, opening) {
    const said = [briefing.goal, opening]
    return {
      messages: () => [{ role: 'user', content: said.join('\n') }],
      read: (reply) =>
        reply.startsWith('think')
          ? { action: undefined, thought: reply }
          : { action: reply.replace('?', ''), ...(reply.includes('?') && { formatError: 'a question' }) },
      observe: (action, observation) => void said.push(`> ${action}`, observation),
    }
  },
})

function saying(...replies: readonly (string | Completion | Error)[]): Model & { readonly received: string[] } {
  const received: string[] = []
  return {
    name: 'script',
    settings: {},
    received,
    complete(messages) {
      received.push(messages.map(({ content }) => content).join('\n'))
      const reply = replies[received.length - 1] ?? 'look'
      if (reply instanceof Error) throw reply
      return typeof reply === 'string' ? { text: reply } : Promise.resolve(reply)
    },
  }
}

async function playToy(model: Model, change: Partial<PlayOptions> = {}, applied: readonly AppliedPerturbation[] = []) {
  const toy = createToy()
  const world = await perturb(toy, applied).begin(toy.tasks[1]!, createRandom('seed'))
  return play({ world, agent: plain, model, temperature: 0, seed: 1, stepLimit: 6, maxTokens: 50, ...change })
}

const solution = ['go to drawer 1', 'take pen 1 from drawer 1', 'go to sinkbasin 1', 'put pen 1 in/on sinkbasin 1']

describe('play()', () => {
  it('plays until the environment reports success', async () => {
    const model = saying(...solution)
    const { result, trajectory } = await playToy(model)
    const measures = { steps: 4, understood: 4, modelCalls: 4 }
    expect(result).toMatchObject({ outcome: 'success', progress: 1, measures })
    expect(result).not.toHaveProperty('dose')
    const observation = 'You pick up the pen 1 from the drawer 1.'
    expect(trajectory.steps[1]).toEqual({ action: solution[1], observation, progress: 0, understood: true })
    expect(model.received[1]).toMatch(/10 turns\. You see .*\n> go to drawer 1\nYou arrive at drawer 1\./s)
  })

  it('keeps both wordings if they differ, and the amount of changes', async () => {
    const model = saying('go to drawer 1', 'go to drawer 1', 'move to drawer 1', 'look')
    const { result, trajectory } = await playToy(model, { stepLimit: 4 }, [{ perturbation: agentrefine2 }])
    expect(result.outcome).toBe('step-limit')
    expect(result.measures).toMatchObject({ understood: 2, memorised: 2, repeats: 1, adapted: 3 })
    expect(result.dose).toMatchObject({ forms: 1, commandsSaid: 1, leaks: 0 })
    expect(trajectory.steps.map(({ action, command, memorised }) => [action, command, memorised])).toEqual([
      ['go to drawer 1', null, true],
      ['go to drawer 1', null, true],
      ['move to drawer 1', 'go to drawer 1', undefined],
      ['look', undefined, undefined],
    ])
  })

  it('asks again after a thought, up to a limit', async () => {
    const { result, trajectory } = await playToy(saying('think a', 'think b', 'look?'), { stepLimit: 1 })
    const read = { reply: 'look?', action: 'look', formatError: 'a question' }
    expect(trajectory.steps[0]).toMatchObject({ thoughts: ['think a', 'think b'], ...read })
    expect(result.measures).toMatchObject({ steps: 1, modelCalls: 3, formatErrors: 1 })
    const thinker = saying(...Array.from({ length: 40 }, () => 'think'))
    const stuck = await playToy(thinker, { stepLimit: 2 })
    const empty = { action: '', formatError: 'no action in 9 replies' }
    expect(stuck.trajectory.steps).toMatchObject([empty, empty])
    expect(thinker.received).toHaveLength(18)
  })

  it('normalises an action once, in the wording of the agent', async () => {
    const { trajectory } = await playToy(saying('LOOK'), { stepLimit: 1, normalise: (action) => action.toLowerCase() })
    expect(trajectory.steps[0]).toMatchObject({ reply: 'LOOK', action: 'look', understood: true })
  })

  it.each([
    [new Error('server\nis gone'), 'model-error', 'server is gone'],
    [new ShaketableError('context-overflow', 'too long'), 'context-overflow', 'too long'],
  ] as const)('ends with the error of the model: %s', async (error, outcome, message) => {
    const { result, trajectory } = await playToy(saying('go to drawer 1', error))
    expect(result).toMatchObject({ outcome, error: message, measures: { steps: 1 } })
    expect(trajectory.steps).toHaveLength(1)
  })

  it('ends with the error of the environment', async () => {
    const toy = createToy()
    const world = await toy.begin(toy.tasks[0]!, createRandom('seed'))
    const broken: World = { ...world, step: () => Promise.reject(new Error('the floor gave way')) }
    const { result } = await playToy(saying(), { world: broken })
    expect(result).toMatchObject({ outcome: 'environment-error', error: 'the floor gave way', progress: 0 })
  })

  it('is abandoned between two steps on request, and nothing of it is kept', async () => {
    const stop = new AbortController()
    const model: Model = { ...saying(), complete: () => (stop.abort(new Error('stopped')), { text: 'look' }) }
    await expect(playToy(model, { signal: stop.signal })).rejects.toThrow('stopped')
  })

  it('lets a control read the environment directly, through the same perturbations', async () => {
    const withWorld: Model = {
      ...saying(),
      withWorld(world, phrase) {
        const plan = [...(world.solve!() as readonly string[])]
        return { name: 'withWorld', settings: {}, complete: () => ({ text: phrase(plan.shift()!) }) }
      },
    }
    const { result, trajectory } = await playToy(withWorld, {}, [{ perturbation: agentrefine2 }])
    expect(result.outcome).toBe('success')
    expect(trajectory.steps[0]!.action).toBe('move to drawer 1')
  })
})
