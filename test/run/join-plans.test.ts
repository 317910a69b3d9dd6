import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  Plan,
  PlannedCondition,
  PlannedEnvironment,
  PlannedModel,
  PlannedPerturbation,
} from '../../src/run/plan.js'
import { cells, cellsByKey } from '../../src/run/cells.js'
import { createGrid } from '../../src/run/grid.js'
import { describeDifferences, joinPlans } from '../../src/run/join-plans.js'
import { joinPlanFiles } from '../../src/run/store/plan-file.js'
import { makePlan } from '../reports/fixture.js'
import { doorParts, sage } from './_fakes.js'

const keysOf = (plan: Plan): Set<string> => new Set(cellsByKey(plan).keys())

function joined(was: Plan, is: Plan): Plan {
  const { plan, refused } = joinPlans(was, is)
  if (refused !== undefined) throw new Error(describeDifferences(refused))
  return plan
}

/** What each condition does in each environment. */
const worlds: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  none: { a: [], b: [], c: [] },
  one: { a: ['p'], b: ['p'], c: ['p'] },
  counterparts: { a: ['p-a'], b: ['p-b'], c: ['p'] },
  stack: { a: ['p', 'q'], b: ['p', 'q'], c: ['p', 'q-c'] },
  partly: { b: ['q'] },
}

const perturbation = (name: string, environments?: readonly string[]): PlannedPerturbation => ({
  ...{ name, version: '1', promise: 'invariant', source: 'made for tests', summary: name },
  ...(environments && { environments }),
})

/** A condition as a plan has it that plays it in some of its environments. */
function condition(label: string, played: readonly string[], all: number): PlannedCondition {
  const placesOf = (name: string) => played.filter((environment) => worlds[label]![environment]?.includes(name))
  const names = [...new Set(played.flatMap((environment) => worlds[label]![environment] ?? []))]
  return {
    label,
    perturbations: names.map((name) => perturbation(name, placesOf(name).length === all ? undefined : placesOf(name))),
  }
}

const some = <T>(values: readonly T[], minLength = 1) => fc.shuffledSubarray([...values], { minLength })

const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    environments: some(['a', 'b', 'c']).chain((names) =>
      fc.tuple(...names.map((name) => some(['t0', 't1', 't2']).map((tasks) => ({ name, tasks })))),
    ),
    labels: some(Object.keys(worlds)),
    playedIn: fc.infiniteStream(some(['a', 'b', 'c'], 0)),
    agents: some(['x', 'y']),
    seeds: some([0, 1, 2, 7]),
    temperatures: some([0, 0.5, 1]),
    models: some(['m', 'n', 'o']),
    own: fc.infiniteStream(fc.record({ seedsAtZero: fc.option(fc.integer({ min: 1, max: 3 })), agent: fc.boolean() })),
    primary: fc.constantFrom(undefined, { metric: 'success' as const }, { metric: 'progress' as const }),
  })
  .map(({ environments, labels, playedIn, agents, seeds, temperatures, models, own, primary }): Plan => {
    const names = environments.map(({ name }) => name)
    const conditions = labels
      .map((label) => {
        const left = label === 'none' ? [] : playedIn.next().value!
        return condition(
          label,
          names.filter((name) => !left.includes(name)),
          names.length,
        )
      })
      .filter(({ label, perturbations }) => label === 'none' || perturbations.length > 0)
    return {
      schema: 1,
      version: '1.0.0',
      environments: environments.map(({ name, tasks }) => ({
        name,
        version: '1',
        settings: { split: 'test' },
        tasks: tasks.map((id) => ({ id, hash: `hash of ${id}` })),
      })),
      conditions: conditions.length > 0 ? conditions : [{ label: 'none', perturbations: [] }],
      models: models.map((name): PlannedModel => {
        const { seedsAtZero, agent } = own.next().value!
        return {
          name,
          settings: {},
          ...(seedsAtZero !== null && seedsAtZero < seeds.length && temperatures.includes(0) && { seedsAtZero }),
          ...(agent && agents.length > 1 && { agents: agents.slice(0, 1) }),
        }
      }),
      agents: agents.map((name) => ({ name, settings: {} })),
      temperatures,
      seeds,
      stepLimit: 5,
      maxTokens: 20,
      ...(primary && { primary }),
    }
  })

describe('two plans joined', () => {
  it('have every cell of both, and a condition only in environments in which one of them has it', () => {
    const placesOf = (plan: Plan): string[] =>
      cells(plan).map(({ environment, condition: { label } }) => `${environment.name} ${label}`)
    fc.assert(
      fc.property(anyPlan, anyPlan, (was, is) => {
        const both = joined(was, is)
        const [keys, places] = [keysOf(both), new Set([...placesOf(was), ...placesOf(is)])]
        for (const key of [...keysOf(was), ...keysOf(is)]) expect(keys.has(key)).toBe(true)
        const isNew = (place: string): boolean => !place.endsWith(' none') && !places.has(place)
        expect(placesOf(both).filter(isNew)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('do not grow when the same plan comes again', () => {
    fc.assert(
      fc.property(anyPlan, anyPlan, (was, is) => {
        const both = joined(was, is)
        expect(joined(is, is)).toEqual(is)
        expect(joined(both, is)).toEqual(both)
        expect(joined(joined(both, was), is)).toEqual(both)
      }),
      { numRuns: 200 },
    )
  })
})

const grow = (changes: Parameters<typeof doorParts>[1] = {}) => createGrid(doorParts(3, changes), '1.0.0').plan
const first = grow()

describe('a plan that grows', () => {
  it.each([
    // A control model plays all seeds at temperature 0; joined with a plan that has one, it plays three.
    [{ seeds: [0], temperatures: [0] }, { seeds: [1, 2], temperatures: [0, 1], seedsAtZero: 1 }, 2],
    [{ seeds: [0, 1], temperatures: [0], seedsAtZero: 1 }, { seeds: [0, 1, 2], temperatures: [1] }, 1],
    [{ seeds: [0, 1], temperatures: [0] }, { seeds: [0, 1], temperatures: [0], seedsAtZero: 1 }, undefined],
  ])('plays as many seeds at temperature 0 as one of its plans: %j and %j', (was, is, expected) => {
    const planOf = ({ seedsAtZero, ...axes }: typeof was & { seedsAtZero?: number }): Plan =>
      grow({ ...axes, models: [{ model: sage, live: true, ...(seedsAtZero && { seedsAtZero }) }] })
    expect(joined(planOf(was), planOf(is)).models[0]!.seedsAtZero).toBe(expected)
  })

  it('takes explanations, roles and the primary endpoint from the newer plan, and keeps what that leaves out', () => {
    const [environment] = first.environments
    const was: Plan = {
      ...first,
      environments: [{ ...environment!, measure: 'doors', data: { kind: 'generated' } }],
      models: [{ ...first.models[0]!, heldIn: ['doors'], variantOf: 'sage' }, first.models[1]!],
      primary: { metric: 'progress' },
    }
    const is: Plan = {
      ...first,
      version: '2.0.0',
      environments: [{ ...environment!, measure: 'doors opened' }],
      models: [{ ...first.models[0]!, heldIn: [] }],
    }
    const plan = joined(was, is)
    expect(plan.environments[0]).toMatchObject({ measure: 'doors opened', data: { kind: 'generated' } })
    expect(plan.models[0]).toEqual({ ...first.models[0]!, heldIn: [], variantOf: 'sage' })
    expect(plan.primary).toBeUndefined()
    expect(plan.version).toBe('1.0.0')
    expect(joined(is, was).primary).toEqual({ metric: 'progress' })
  })

  it('refuses tasks of another split or origin, which would stand under the name of one', () => {
    const from = (data: PlannedEnvironment['data']): Plan => ({
      ...first,
      environments: [{ ...first.environments[0]!, ...(data && { data }) }],
    })
    const own = from({ kind: 'generated', split: 'test' })
    const { refused } = joinPlans(own, from({ kind: 'benchmark', from: 'AgentBoard', split: 'train' }))
    expect(describeDifferences(refused!)).toContain('  environments.doors.data.from: was absent, is AgentBoard')
    // Files that are left out are no other origin.
    const leftOut = { count: 1, of: 3, text: 'One is damaged.' }
    expect(joinPlans(own, from({ kind: 'generated', split: 'test', leftOut })).refused).toBeUndefined()
  })

  it('takes the settings of a model once its server was probed', () => {
    const withModel = (model: Partial<PlannedModel>): Plan => ({
      ...first,
      models: [{ name: 'served', settings: { contextTokens: 4096 }, ...model }],
    })
    const [probed, not] = [withModel({}), withModel({ settings: {}, unprobed: true })]
    expect(joined(not, probed).models).toEqual(probed.models)
    expect(joined(probed, not).models).toEqual(probed.models)
    expect(joined(not, withModel({ settings: { seed: 1 }, unprobed: true })).models[0]).toMatchObject({
      unprobed: true,
    })
  })

  const inEnvironment = (change: Partial<PlannedEnvironment>): Partial<Plan> => ({
    environments: [{ ...first.environments[0]!, ...change }],
  })
  const draw = first.conditions.map((one) => ({
    ...one,
    perturbations: one.perturbations.map((each) => ({ ...each, draw: 2 })),
  }))
  it.each<[string, Partial<Plan>]>([
    ['stepLimit: was 5, is 6', { stepLimit: 6 }],
    ['maxTokens: was 20, is 30', { maxTokens: 30 }],
    ['environments.doors.settings.tasks: was 3, is absent', inEnvironment({ settings: {} })],
    ['environments.doors.version: was 1, is 2', inEnvironment({ version: '2' })],
    [
      'environments.doors.tasks.door-1.hash: was 6b86b273, is other',
      inEnvironment({
        tasks: [
          { id: 'door-1', hash: 'other' },
          { id: 'new', hash: '' },
        ],
      }),
    ],
    ['conditions.unlock in doors.unlock.draw: was absent, is 2', { conditions: draw }],
    [
      'conditions.unlock in doors.order: was ["unlock"], is ["placebo"]',
      { conditions: [{ label: 'unlock', perturbations: [perturbation('placebo')] }] },
    ],
    ['models.knocker.settings.from: was seed, is 7', { models: [{ ...first.models[0]!, settings: { from: 7 } }] }],
    ['agents.plain.settings.notes: was absent, is true', { agents: [{ name: 'plain', settings: { notes: true } }] }],
  ])('is refused where episodes would change: %s', (message, change) => {
    const { plan, refused } = joinPlans(first, { ...first, ...change })
    expect(plan).toBeUndefined()
    expect(describeDifferences(refused!)).toContain(`  ${message}`)
  })

  it('is refused where it would have more episodes than a run may have', () => {
    const planOf = (from: number) => ({
      plan: makePlan({
        environments: [{ name: 'e', tasks: 100 }],
        seeds: Array.from({ length: 600 }, (_, seed) => from + seed),
      }),
      experiment: {},
    })
    const message = 'Expected at most 1,000,000 episodes, got 1,440,000.'
    expect(() => joinPlanFiles(planOf(0), planOf(600), () => '')).toThrow(message)
  })
})
