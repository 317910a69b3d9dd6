import { describe, expect, it } from 'vitest'
import { findAgent } from '../../src/agents/index.js'
import type { Message, Model, PlayTrialsOptions, Sampling, World } from '../../src/index.js'
import { createRandom, defineEnvironment, perturb, play, playTrials, trialSeed } from '../../src/index.js'
import { GivenUp, ShaketableError } from '../../src/core/errors.js'
import { CallError } from '../../src/models/call-error.js'
import { doors, unlock } from '../run/_fakes.js'

const corridor = doors(20)

function begin(door: number, perturbed = false) {
  const environment = perturbed ? perturb(corridor, [{ perturbation: unlock }]) : corridor
  return () => environment.begin(corridor.tasks[door]!, createRandom('seed'))
}

function playDoor(door: number, agent: string, model: Model, change: Partial<PlayTrialsOptions> = {}) {
  const limits = { temperature: 1, seed: 5, stepLimit: 2, maxTokens: 50 }
  return playTrials({ begin: begin(door), agent: findAgent(agent), model, ...limits, ...change })
}

type Received = Readonly<{ messages: readonly Message[]; sampling: Sampling }>

/**
 * Opens door 0 until it has a plan: in a reflection it plans to open the door after the one that it tried, and does so
 * when it is given its plan. Only its reflections improve it.
 */
function doorLearner(fail: (received: Received, call: number) => void = () => undefined, name = 'act') {
  const agent = findAgent(name)
  const received: Received[] = []
  const model: Model = {
    name: 'learner',
    settings: {},
    complete(messages, sampling) {
      received.push({ messages, sampling })
      fail(received.at(-1)!, received.length)
      const text = messages.map(({ content }) => content).join('\n')
      const usage = { promptTokens: 100, completionTokens: 7 }
      if (isReflection(messages)) {
        const tried = Number(/Action: (?:open|unlock) door (\d+)/.exec(text)![1])
        return { text: `Plan:\n  open  door ${String(tried + 1)}\n`, ...usage }
      }
      const plans = [...text.matchAll(/^Trial \d+: Plan: open door (\d+)$/gm)]
      const verb = text.includes('unlock {door}') ? 'unlock' : 'open'
      return { text: agent.phrase(`${verb} door ${plans.at(-1)?.[1] ?? '0'}`), ...usage }
    },
  }
  return { model, heard: received }
}

function isReflection(messages: readonly Message[]): boolean {
  return messages.at(-1)!.content.endsWith('\nNew plan: ')
}

describe('Reflexion', () => {
  it.each(['act', 'tools'])('improves %s by its own reflections, under a perturbation too', async (name) => {
    const { model, heard } = doorLearner(undefined, `reflexion:agent=${name}`)
    const { result, trajectory } = await playDoor(3, `reflexion:agent=${name}`, model, { begin: begin(3, true) })
    expect(result).toMatchObject({ outcome: 'success', progress: 1, trials: [0, 0, 0, 1] })
    expect(trajectory.trials!.map(({ reflection }) => reflection?.reply)).toEqual([
      ...[1, 2, 3].map((door) => `Plan:\n  open  door ${String(door)}\n`),
      undefined,
    ])
    expect(trajectory.steps.at(-1)!.action).toBe('unlock door 3')
    expect(result.dose).toMatchObject({ forms: 1, commandsSaid: 7 })
    const reflections = heard.filter(({ messages }) => isReflection(messages))
    expect(reflections).toHaveLength(3)
    for (const { sampling } of reflections) expect(sampling).toMatchObject({ stop: [], temperature: 1 })
    for (const { sampling } of reflections) expect(sampling.tools).toBeUndefined()
  })

  it('counts calls and tokens of all trials and reflections, and gives the progress of the last', async () => {
    const { model } = doorLearner()
    const { result } = await playDoor(2, 'reflexion', model)
    expect(result.measures).toEqual({
      ...{ steps: 5, understood: 5, formatErrors: 0, repeats: 0, memorised: 0 },
      ...{ modelCalls: 7, promptTokens: 700, completionTokens: 49, gains: [[1, 1]] },
    })
  })

  it('describes the failed trial in its request, and gives a trial the last three reflections on a line each', async () => {
    const { model, heard: received } = doorLearner()
    await playDoor(6, 'reflexion:trials=6', model)
    const asked = received.filter(({ messages }) => isReflection(messages)).at(-1)!.messages[1]!.content
    expect(asked).toMatchInlineSnapshot(`
      "Say open {door}.

      You tried to do this: open door 6
      You did not get it done. This is what happened:

      Observation: A corridor with 566 lamps. Your task: open door 6.
      Action: open door 4
      Observation: You open door 4.
      Action: open door 4
      Observation: You open door 4.

      Here is what you planned after earlier trials at this task:
      Trial 2: Plan: open door 2
      Trial 3: Plan: open door 3
      Trial 4: Plan: open door 4

      Do not describe the place again. Think about what you tried and where it went wrong, and write a short plan that names the actions to take instead. You will be given it before you try the same task again.
      New plan: "
    `)
    const last = received.at(-1)!.messages[1]!.content
    expect(last).toContain('Trial 3: Plan: open door 3\nTrial 4: Plan: open door 4\nTrial 5: Plan: open door 5\n')
    expect(last).not.toContain('Trial 2')
  })

  it('names the calls of each trial and reflection apart, those of the first as a plain agent would', async () => {
    const { model, heard: received } = doorLearner()
    await playDoor(1, 'reflexion', model, { episode: 'here' })
    expect(received.map(({ sampling }) => [sampling.call, sampling.seed])).toEqual([
      [{ episode: 'here', number: 0 }, 5],
      [{ episode: 'here', number: 1 }, 5],
      [{ episode: 'here · reflection 1', number: 0 }, 5],
      [{ episode: 'here · trial 2', number: 0 }, trialSeed(5, 2)],
    ])
  })

  it('leaves the oldest steps out of a request that does not fit', async () => {
    const { model } = doorLearner()
    const narrow = { ...model, contextTokens: 330 }
    const { result, trajectory } = await playDoor(1, 'reflexion', narrow, { stepLimit: 30 })
    expect(result.outcome).toBe('success')
    expect(trajectory.trials![0]!.reflection!.left).toBeGreaterThan(5)
    expect(trajectory.trials![0]!.reflection!.left).toBeLessThan(30)
  })
})

it('an episode of several trials that breaks in a trial counts as broken, with the progress until then', async () => {
  const attempts = [{ outcome: 'timeout' as const, waitMs: 0, milliseconds: 3 }]
  const { model } = doorLearner((_, call) => {
    if (call === 5) throw new CallError('model', 'gone', {}, attempts)
  })
  const { result, trajectory } = await playDoor(9, 'best-of-n', model)
  expect(result).toMatchObject({ outcome: 'model-error', error: 'trial 3: gone', trials: [0, 0, 0] })
  expect(result.measures).toMatchObject({ modelCalls: 4, attempts: 1, steps: 4 })
  expect(trajectory.failedCall).toEqual(attempts)
})

it('an episode of several trials ends if a reflection fails', async () => {
  const { model } = doorLearner(({ messages }) => {
    if (isReflection(messages)) throw new ShaketableError('context-overflow', 'too long')
  })
  const { result } = await playDoor(9, 'reflexion', model)
  const error = 'reflection on trial 1: too long'
  expect(result).toMatchObject({ outcome: 'context-overflow', error, trials: [0], progress: 0 })
})

it('an episode of several trials can be stopped between trials by a callback', async () => {
  const { model, heard: received } = doorLearner()
  let asked = 0
  const goOn = (): boolean => ++asked < 4
  await expect(playDoor(9, 'reflexion', model, { goOn })).rejects.toThrow(GivenUp)
  expect(received).toHaveLength(6)
})

/** The action `n` gives n tenths of progress, and 10 is success; so is `won`, which gives none. */
async function grades(): Promise<World> {
  let best = 0
  const step = (action: string) => {
    if (action !== 'won') best = Math.max(best, Number(action) / 10)
    const ended = (best === 1 || action === 'won') && ('success' as const)
    return { observation: `grade ${String(best)}`, understood: true, progress: best, ended }
  }
  const begin = () => ({ opening: 'begin', step })
  const environment = await defineEnvironment({ name: 'grades', tasks: [{ id: 'a', goal: 'be good' }], begin }).open()
  return environment.begin(environment.tasks[0]!, createRandom('0'))
}

it.each([
  [['8', 'won'], { outcome: 'success', progress: 0, trials: [0.8, 0], measures: { gains: [] } }],
  [['2', '8', '3', '4'], { outcome: 'step-limit', progress: 0.8, trials: [0.2, 0.8, 0.3, 0.4] }],
])('counts the best trial of %j, and a successful one before any other', async (replies, expected) => {
  const { result } = await playTrials({
    begin: grades,
    agent: findAgent('best-of-n:n=4'),
    model: { name: 'm', settings: {}, complete: () => ({ text: replies.shift()! }) },
    ...{ temperature: 1, seed: 1, stepLimit: 1, maxTokens: 9 },
  })
  expect(result).toMatchObject(expected)
})

it.each([1, 2, 3, 4])('has a first trial like an episode of the plain agent, to the byte: %s', async (stepLimit) => {
  const model: Model = {
    ...{ name: 'm', settings: {} },
    complete: (messages, { seed }) => ({
      text: String(createRandom(`${String(seed)} ${String(messages[1]!.content.length)}`).int(11)),
    }),
  }
  const options = { model, temperature: 1, seed: 7 * stepLimit, stepLimit, maxTokens: 9 }
  const alone = await play({ world: await grades(), agent: findAgent('act'), ...options })
  for (const name of ['reflexion', 'best-of-n']) {
    const { trajectory, result } = await playTrials({ begin: grades, agent: findAgent(name), ...options })
    const steps = trajectory.steps.slice(0, trajectory.trials![1]?.from)
    expect(JSON.stringify({ ...trajectory, steps, trials: undefined })).toBe(JSON.stringify(alone.trajectory))
    expect(result.trials![0]).toBe(alone.result.progress)
  }
})
