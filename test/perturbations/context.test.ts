import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { findAgent } from '../../src/agents/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import type { Briefing, Model, World } from '../../src/index.js'
import { createRandom, isPerturbed, perturb, play, promiseOf, textOf } from '../../src/index.js'
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

describe('length-matched', () => {
  const others = [
    'distractor-text',
    'distractor-text:intensity=0.5:draw=3',
    'pseudo-verbs',
    'examples:number=3',
    'pseudo-verbs+distractor-text',
  ]
  it.each(kinds.flatMap((kind) => others.map((other) => [kind, other] as const)))(
    'adds in %s as many characters as %s',
    async (kind, other) => {
      const column = `length-matched:of=${other.replace(/[:+]/g, '/')}`
      const worlds = await Promise.all(['none', other, column].map((one) => begin(kind, one, 20)))
      const lengths = worlds.map(({ briefing, opening }) => textOf(opening).length + textsOf(briefing).join('').length)
      for (const command of (await worlds[0]!.solve!())!) {
        const said = isPerturbed(worlds[1]!) ? worlds[1].fromEnvironment(command) : command
        const turns = [worlds[0]!.step(command), worlds[1]!.step(said), worlds[2]!.step(command)]
        for (const [index, turn] of turns.entries()) lengths[index]! += textOf((await turn).observation).length
      }
      const [clean, longer, matched] = lengths as [number, number, number]
      expect(longer).toBeGreaterThan(clean)
      expect(Math.abs(matched - longer)).toBeLessThan(60)
      expect(worlds[2]!.names).toEqual(worlds[0]!.names)
      const environment = environments[kind]
      const seen = await outcomes(
        { environment, tasks: environment.tasks.slice(20, 21), label: kind },
        parseColumn(column, perturbations).applied,
      )
      expect(seen.filter((one) => one !== 'unchanged')).toEqual(['holds'])
    },
  )

  it.each([
    ['length-matched:of=distractor-text', 'length-matched'],
    ['length-matched:of=synonyms/draw=1', 'length-matched:of=synonyms'],
    ['length-matched:of=synonyms/draw=3:draw=2', 'length-matched:of=synonyms/draw=3:draw=2'],
    [
      'length-matched:of=typos/scope=observations/instruction/examples',
      'length-matched:of=typos/scope=instruction/examples/observations',
    ],
    [
      'length-matched:of=typos/intensity=0.5/item-style/style=hash+list-order',
      'length-matched:of=typos/intensity=0.5/item-style/style=hash+list-order',
    ],
  ])('%s is the column %s', (text, label) => {
    expect(parseColumn(text, perturbations).label).toBe(label)
    expect(parseColumn(label, perturbations).label).toBe(label)
  })

  it.each([
    [
      'length-matched:of=none',
      "'length-matched' needs the column that it is compared with, as in 'length-matched:of=synonyms/draw=2'.",
    ],
    ['length-matched:of=synonims', "Did you mean 'synonyms'?"],
    ['length-matched:of=synonyms/draw=9', 'takes one of its 5 draws'],
    ['length-matched:of=length-matched/of=synonyms', "got 'length-matched'. Name another one"],
    ['synonyms:of=typos', "'synonyms' has no option 'of=typos'"],
  ])('%s is refused in one sentence', (text, message) => {
    expect(() => parseColumn(text, perturbations)).toThrow(message)
  })
})

function textsOf({ system, instruction, examples, goal, help }: Briefing): readonly string[] {
  const shown = examples.flatMap(({ opening, exchanges }) => [
    textOf(opening),
    ...exchanges.flatMap(({ action, observation }) => [action, textOf(observation)]),
  ])
  return [system, textOf(instruction), goal, ...help, ...shown]
}
