import { describe, expect, it } from 'vitest'
import { baselines } from '../../baselines/index.js'
import { perturbations } from '../../perturbations/index.js'
import { agents } from '../../src/agents/index.js'
import { tools } from '../../src/agents/tools.js'
import { openEnvironment } from '../../src/environments/index.js'
import type { AppliedPerturbation, Message, Model, Played, Sampling } from '../../src/index.js'
import { renameItems, rewordActions } from '../../src/index.js'
import { ownPerturbation } from '../own-perturbation.js'
import { byText, control, playAll as playTasks, successes, twoOfEach } from './_play.js'

const graded = ['believer', 'no-retry', 'skimmer', 'short-memory']
const household = await openEnvironment('household')
const modern = await openEnvironment('household', { generation: 'new' })
const tasks = twoOfEach(household)

type Setting = NonNullable<Parameters<typeof playTasks>[3]>
const playAll = (
  model: Model,
  { environment = household, ...setting }: Setting & { environment?: typeof household } = {},
) =>
  playTasks(
    model,
    environment,
    tasks.map(({ id }) => environment.find(id)),
    setting,
  )
const condition = (name: string): AppliedPerturbation => ({
  perturbation: perturbations.find((perturbation) => perturbation.name === name)!,
})
const actions = (played: readonly Played[]): readonly string[] =>
  played.flatMap(({ trajectory }) => trajectory.steps.map(({ action }) => action))

const nonsense = ownPerturbation('nonsense', () =>
  rewordActions({
    'go to {recep}': 'zorp {recep}',
    'take {obj} from {recep}': 'gleem {obj} off {recep}',
    'put {obj} in/on {recep}': 'frob {recep} <- {obj}',
    'open {recep}': 'krish {recep}',
    'use {obj}': 'blip {obj}',
    'clean {obj} with {recep}': 'wub {obj} {recep}',
    'heat {obj} with {recep}': 'wob {obj} {recep}',
    'cool {obj} with {recep}': 'wib {obj} {recep}',
  }),
)
const shouted = ownPerturbation('shouted', () => renameItems((name) => name.toUpperCase().replace(' ', '-')))

it.each([
  ['three at once', [condition('agentrefine-2'), condition('agentrefine-3'), condition('agentrefine-4')]],
  ['invented verbs', [{ perturbation: nonsense }]],
  ['names in another spelling', [{ perturbation: shouted }]],
])('reader with only its messages solves most tasks under %s', async (_, conditions) => {
  expect(successes(await playAll(byText('reader'), { conditions }))).toBeGreaterThanOrEqual(10)
})

it('reader with only its messages requests the possible actions where no prompt shows them', async () => {
  const conditions = [{ ...condition('agentrefine-3'), scope: ['admissible'] as const }]
  const played = await playAll(byText('reader'), { conditions })
  expect(successes(played)).toBeGreaterThanOrEqual(8)
  expect(actions(played)).toContain('check valid actions')
})

it('parrot has the same skill if its wording is understood', async () => {
  const parrot = await playAll(control('parrot'))
  expect(actions(parrot)).toEqual(actions(await playAll(control('reader'))))
  const learnedNew = await playAll(control('parrot', 'new'), { environment: modern })
  expect(successes(learnedNew)).toBeGreaterThanOrEqual(10)
  expect(successes(await playAll(control('parrot', 'old'), { environment: modern }))).toBeLessThan(4)
})

it('parrot calls functions that are not offered, by the names it has memorised', async () => {
  const played = await playAll(control('parrot'), { agent: tools, conditions: [condition('agentrefine-3')] })
  expect(successes(played)).toBe(0)
  for (const { result, trajectory } of played) {
    expect(result.measures.memorised).toBeGreaterThan(0)
    expect(result.measures.formatErrors).toBe(0)
    const refused = trajectory.steps.filter(({ memorised }) => memorised)
    for (const { toolCalls } of refused) expect(toolCalls![0]!.name).toBe('take_from')
  }
  expect(successes(await playAll(control('parrot'), { agent: tools }))).toBeGreaterThanOrEqual(10)
})

it('random plays only what the prompt and the names seen so far allow', async () => {
  const [played] = await playAll(control('random'))
  const known =
    /^(?:(?:go to|open|close|use|examine) [a-z]+ \d+|take [a-z]+ \d+ from [a-z]+ \d+|put [a-z]+ \d+ in\/on [a-z]+ \d+|(?:clean|heat|cool) [a-z]+ \d+ with [a-z]+ \d+|look|inventory|check valid actions)$/
  const { steps, opening } = played!.trajectory
  expect(steps).toHaveLength(30)
  let seen = opening.observation
  for (const { action, observation } of steps) {
    expect(action).toMatch(known)
    for (const [name] of action.matchAll(/[a-z]+ \d+/g)) expect(seen).toContain(name.replace(/^.* (?=\w+ \d)/, ''))
    seen += observation
  }
})

describe('every control model', () => {
  const names = ['reader', 'parrot', 'random', ...graded]

  it.each(names)('%s plays the same for the same seed, and differently for another', async (name) => {
    const setting = { temperature: 1, seed: 3 }
    const once = actions(await playAll(control(name), setting))
    expect(actions(await playAll(control(name), setting))).toEqual(once)
    expect(actions(await playAll(control(name), { ...setting, seed: 4 }))).not.toEqual(once)
  })

  const played = names.flatMap((name) => agents.map((agent) => [name, agent.name, agent] as const))
  it.each(played)('%s answers %s from the messages alone, whatever was asked before', async (name, _, agent) => {
    const calls: { messages: readonly Message[]; sampling: Sampling; answer: unknown }[] = []
    const original = byText(name)
    const recorded: Model = {
      ...original,
      async complete(messages, sampling) {
        const completion = await original.complete(messages, sampling)
        calls.push({ messages: structuredClone(messages), sampling, answer: [completion.text, completion.toolCalls] })
        return completion
      },
    }
    await playAll(recorded, { agent, temperature: 1 })
    expect(calls.length).toBeGreaterThan(100)
    const answerOf = async (model: Model, messages: readonly Message[], sampling: Sampling): Promise<unknown> => {
      const { text, toolCalls } = await model.complete(messages, sampling)
      return [text, toolCalls]
    }
    for (const { messages, sampling, answer } of calls.filter((_call, index) => index % 5 === 0)) {
      expect(await answerOf(byText(name), messages, sampling)).toEqual(answer)
    }
    const backwards = byText(name)
    for (const { messages, sampling, answer } of [...calls].reverse()) {
      expect(await answerOf(backwards, messages, sampling)).toEqual(answer)
    }
  })

  it('is listed with a summary and a source, and rejects unknown options', () => {
    expect(baselines.map(({ name }) => name)).toEqual(['reader', 'parrot', 'random', 'oracle', ...graded])
    for (const { name, summary, source, create } of baselines) {
      expect([summary, source]).not.toContain('')
      expect(create().name).toBe(name)
      expect(() => create('nonesuch')).toThrow("got 'nonesuch'")
    }
  })
})
