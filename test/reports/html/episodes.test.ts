import { describe, expect, it } from 'vitest'
import { gunzipSync } from 'node:zlib'
import { listEpisodes } from '../../../reports/html/list-episodes.js'
import { packEpisodes, packIndex } from '../../../reports/html/pack.js'
import type { PackedChunk } from '../../../reports/html/packed.js'
import { type Episode, openChunk, openIndex } from '../../../reports/html/page/episodes.js'
import { filterEpisodes, noFilter, readAddress, writeAddress } from '../../../reports/html/page/filter.js'
import { describeEpisodes } from '../../../reports/html/sections.js'
import type { Outcome } from '../../../src/core/episode.js'
import type { StoredRun } from '../../../src/run/plan.js'
import { createRandom } from '../../../src/core/random.js'
import { makePlan, makeRow, makeRun } from '../fixture.js'
import { runWithTrajectories, trajectoryOf } from './_runs.js'

const environments = [
  { name: 'household', tasks: 4 },
  { name: 'kitchen', tasks: 2 },
]
const made = makePlan({ environments, agents: ['act', 'react'] })
/** Tasks of two kinds; the goal of the first of each environment's is known. */
const plan = {
  ...made,
  environments: made.environments.map((environment) => ({
    ...environment,
    tasks: environment.tasks.map((task, at) => ({
      ...task,
      kind: at % 2 === 0 ? 'even' : 'odd',
      ...(at === 0 && { goal: `put some plate in countertop${'.'.repeat(600)}` }),
    })),
  })),
}
const reader = { name: 'reader', settings: {}, agents: ['act'] }

const packedOf = (run: StoredRun, max?: number) => {
  const { episodes } = listEpisodes(run, max)
  return packIndex(run.plan, episodes, [episodes.length])
}
const indexOf = (run: StoredRun, max?: number) => openIndex(JSON.parse(JSON.stringify(packedOf(run, max))) as never)

const named = [
  ...(['environment', 'task', 'model', 'agent', 'condition', 'temperature', 'seed', 'outcome', 'key'] as const),
] as const

/** An episode of the index as text. */
const describeEpisode = (one: Pick<Episode, (typeof named)[number]>) => named.map((field) => one[field]).join(' ')

describe.each([
  ['every agent', plan],
  ['a separate agent for one model', { ...plan, models: [reader, plan.models[1]!] }],
])('the index of episodes with %s', (_, plan) => {
  const run = runWithTrajectories(plan)
  const index = indexOf(run)

  it('describes every row, for any order of the rows', () => {
    expect(index.map(describeEpisode).sort()).toEqual([...run.rows].map((row) => describeEpisode(row)).sort())
    const shuffled = { ...run, rows: createRandom('order').shuffle([...run.rows]) }
    expect(packedOf(shuffled)).toEqual(packedOf(run))
  })

  it('has the goals, which are cut, and kinds of tasks, and the rules of conditions', () => {
    const { tasks, conditions } = packedOf(run)
    expect(tasks.map(({ goal }) => goal.length)).toEqual([501, 0, 0, 0, 501, 0])
    expect(tasks.map(({ kind }) => kind)).toEqual(['even', 'odd', 'even', 'odd', 'even', 'odd'])
    expect(conditions.map(({ rule }) => rule)).toEqual(['', 'test', 'test'])
    const stacked = makePlan({ conditions: ['none', 'synonyms+list-order'] })
    expect(packIndex(stacked, [], []).conditions[1]!.rule).toBe('synonyms: test; list-order: test')
  })

  it('finds the clean twin and the other conditions of every episode', () => {
    for (const episode of index) {
      const same = describeEpisode(episode).split(' ').slice(0, 4).join(' ')
      if (episode.condition === 'none') expect(episode.twin).toBeUndefined()
      else expect(describeEpisode(episode.twin!)).toContain(`${same} none`)
      expect(episode.siblings).toHaveLength(3)
      expect(episode.siblings).toContain(episode)
    }
  })

  it('marks lost and gained episodes, but no broken ones', () => {
    const ends: Record<string, readonly [Outcome, Outcome]> = {
      'task-0': ['success', 'failure'],
      'task-1': ['failure', 'success'],
      'task-2': ['success', 'model-error'],
      'task-3': ['success', 'success'],
    }
    const small = makePlan({ conditions: ['none', 'agentrefine-1'], models: ['m'], temperatures: [0], seeds: [1] })
    const opened = indexOf(makeRun(small, (at) => makeRow(at, ends[at.task]![at.condition === 'none' ? 0 : 1], 0)))
    const perturbed = opened.filter(({ twin }) => twin !== undefined)
    expect(perturbed.map(({ change }) => change)).toEqual(['lost', 'gained', '', ''])
  })
})

describe('a filter of episodes', () => {
  const index = indexOf(runWithTrajectories(plan))
  const count = (filter: Partial<typeof noFilter>): number => filterEpisodes(index, { ...noFilter, ...filter }).length

  it.each([
    ['all', {}, 432],
    ['a condition and an agent', { condition: 'agentrefine-1', agent: 'react' }, 72],
    ['words of a goal', { text: 'countertop PLATE' }, 144],
    ['what was lost', { change: 'lost' }, 72],
    ['a key', { text: index[17]!.key }, 1],
  ])('selects %s', (_, filter, expected) => {
    expect(count(filter)).toBe(expected)
  })

  it.each([
    ['nothing', noFilter, '#episodes'],
    ['names', { ...noFilter, model: 'a&b=c #1', change: 'lost' }, '#episodes?model=a%26b%3Dc+%231&change=lost'],
  ])('is written as an address and read again: %s', (_, filter, address) => {
    expect(writeAddress(filter)).toBe(address)
    expect(readAddress(address)?.filter ?? noFilter).toEqual(filter)
  })
})

describe('a list that is too long', () => {
  const many = makePlan({ environments: [{ name: 'household', tasks: 20 }], models: ['reader', 'parrot'] })
  const run = runWithTrajectories(many)

  it("keeps episodes whose outcome differs from their twin's, and the twins", () => {
    const list = listEpisodes(run, 300)
    expect(list.stored).toBe(720)
    const index = indexOf(run, 300)
    expect(index).toHaveLength(240)
    expect(index.every(({ model, siblings }) => model === 'parrot' && siblings.length === 2)).toBe(true)
    expect(new Set(index.map(({ condition }) => condition))).toEqual(new Set(['none', 'agentrefine-1']))
    expect(describeEpisodes(run, list, 240).join(' ')).toContain(
      'This page lists 240 of 720 episodes: those that ended differently from their clean twin, and the twins, as many as there is room for.',
    )
  })

  it('leaves out what ended in an error', () => {
    const rows = [...run.rows].map((row) =>
      row.condition === 'none' ? row : { ...row, outcome: 'model-error' as const },
    )
    expect(listEpisodes({ ...run, rows }, 300)).toEqual({ episodes: [], stored: 720 })
  })
})

describe('chunks', () => {
  const unpack = (text: string): PackedChunk =>
    JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as PackedChunk

  it('contain trajectories, without what the page does not show, and each message once', () => {
    const run = runWithTrajectories()
    const { episodes } = listEpisodes(run)
    const timed = {
      trajectories: (keys: readonly string[]) =>
        new Map(
          [...run.trajectories!(keys)].map(([key, { steps, ...rest }]) => [
            key,
            { ...rest, steps: steps.map((step) => ({ ...step, milliseconds: 5 })) },
          ]),
        ),
    }
    const { chunks, withTrajectory } = packEpisodes(episodes, timed)
    expect([chunks.length, withTrajectory]).toEqual([1, episodes.length])
    const chunk = unpack(chunks[0]!.text)
    expect(chunk.messages).toHaveLength(3 + 4)
    const shown = openChunk(chunk).map(({ said }) => said)
    expect(shown).toEqual(episodes.map(({ condition, model, task }) => trajectoryOf(condition, model, task)))
  })

  const long = (length: number): NonNullable<StoredRun['trajectories']> => {
    const observation = (key: string): string => `${key}${'x'.repeat(length)}`
    return (keys) =>
      new Map(keys.map((key) => [key, { prompt: [], opening: { observation: observation(key) }, steps: [] }]))
  }

  it('have no more trajectories than there is room for', () => {
    const run = { ...runWithTrajectories(), trajectories: long(400_000) }
    const list = listEpisodes(run)
    const { chunks, withTrajectory } = packEpisodes(list.episodes, run, 1)
    expect(withTrajectory).toBe(10)
    const packed = chunks.flatMap(({ text }) => openChunk(unpack(text)))
    expect(packed).toHaveLength(144)
    expect(packed.filter(({ said }) => said !== undefined)).toHaveLength(10)
    expect(describeEpisodes(run, list, 2).join(' ')).toContain('It has the steps of 2 episodes.')
  })
})
