import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { findAgent } from '../../src/agents/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import type { Model, World } from '../../src/index.js'
import { createRandom, perturb, play, promiseOf, textOf } from '../../src/index.js'
import { parseColumn } from '../../src/run/columns.js'
import { outcomes } from '../laws/describe.js'

const environments = {
  household: await openEnvironment('household'),
  babyai: await openEnvironment('babyai'),
  pddl: await openEnvironment('pddl'),
} as const
type Kind = keyof typeof environments
const kinds = Object.keys(environments) as Kind[]

async function begin(kind: Kind, column: string, index = 0): Promise<World> {
  const environment = environments[kind]
  const { applied } = parseColumn(column, perturbations)
  return perturb(environment, applied).begin(environment.tasks[index]!, createRandom('0'))
}

async function examplesOf(kind: Kind, column: string, index = 0): Promise<readonly string[]> {
  const { briefing } = await begin(kind, column, index)
  return briefing.examples.map(({ opening, exchanges }) =>
    [textOf(opening), ...exchanges.flatMap(({ action, observation }) => [action, textOf(observation)])].join('\n'),
  )
}

describe('examples', () => {
  it.each(kinds)('are as many as asked for, and of other families, in %s', async (kind) => {
    const own = await examplesOf(kind, 'none')
    expect(own).toHaveLength(1)
    expect(await examplesOf(kind, 'examples:number=0')).toEqual([])
    const three = await examplesOf(kind, 'examples:number=3')
    expect(new Set(three).size).toBe(3)
    expect(three).not.toContain(own[0])
    expect(await examplesOf(kind, 'examples:number=3:of=same')).toEqual([...own, ...three.slice(0, 2)])
    expect(await examplesOf(kind, 'examples:number=3:order=reversed')).toEqual([...three].reverse())
    expect(new Set(await examplesOf(kind, 'examples:number=3:order=shuffled'))).toEqual(new Set(three))
    expect(await examplesOf(kind, 'examples:number=3:draw=2')).not.toEqual(three)
    expect(await examplesOf(kind, 'examples:of=same:number=1')).toEqual(own)
  })

  it.each([
    ['household', 'synonyms', 'go to '],
    ['household', 'item-style', ' 1'],
    ['babyai', 'synonyms', 'toggle'],
    ['pddl', 'synonyms', 'Unstack block'],
    ['pddl', 'call-syntax', 'Pickup block'],
  ] as const)('of other families in %s are reworded by %s, below it and above it', async (kind, other, old) => {
    const clean = (await examplesOf(kind, 'examples:number=3')).join('\n')
    const [below, above] = await Promise.all(
      [`examples:number=3+${other}`, `${other}+examples:number=3`].map((column) => examplesOf(kind, column)),
    )
    expect(clean).toContain(old)
    expect(below!.join('\n')).not.toContain(old)
    expect(above).toEqual(below)
    const { applied } = parseColumn(`${other}+examples:number=3`, perturbations)
    const environment = environments[kind]
    const seen = await outcomes({ environment, tasks: environment.tasks.slice(0, 1), label: kind }, applied)
    expect(seen.filter((one) => one !== 'unchanged')).toEqual(['holds'])
  })

  it.each([
    ['examples', 'invariant'],
    ['examples:number=0', 'harder'],
    ['examples:number=3:order=reversed', 'invariant'],
    ['step-budget', 'harder'],
    ['step-budget:factor=1', 'identity'],
    ['step-budget:factor=2', 'easier'],
  ])('%s promises %s', (column, promise) => {
    expect(promiseOf(parseColumn(column, perturbations).applied[0]!)).toBe(promise)
  })
})

describe('step-budget', () => {
  const waiting: Model = {
    name: 'waiting',
    settings: {},
    complete: () => ({ text: 'look', promptTokens: 0, completionTokens: 0 }),
  }

  it.each([
    ['none', 10, undefined],
    ['step-budget', 5, 5],
    ['step-budget:factor=0.75', 8, 8],
    ['step-budget:factor=1', 10, undefined],
    ['step-budget:factor=1.5', 15, 15],
    ['step-budget:factor=2', 20, 20],
    ['placebo+step-budget:factor=2+agentrefine-2', 20, 20],
  ])('%s plays %i steps of 10 and records it', async (column, steps, recorded) => {
    const world = await begin('household', column)
    const options = { temperature: 0, seed: 0, stepLimit: 10, maxTokens: 10 }
    const { result, trajectory } = await play({ world, agent: findAgent('act'), model: waiting, ...options })
    expect(trajectory.steps).toHaveLength(steps)
    expect(result.outcome).toBe('step-limit')
    expect(result.stepLimit).toBe(recorded)
    expect(result.dose?.steps ?? 0).toBe(Math.abs(steps - 10))
  })
})
