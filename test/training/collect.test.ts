import { describe, expect, it } from 'vitest'
import { hashOf } from '../../src/core/episode.js'
import { createReader } from '../../baselines/reader.js'
import { perturbations } from '../../perturbations/index.js'
import { parseCondition } from '../../src/run/conditions.js'
import { createRandomModel } from '../../baselines/random.js'
import { mistakeKinds, mistakeWeights } from '../../src/training/mistake.js'
import { createTally } from '../../src/training/collect.js'
import { collectSome } from './_household.js'

const rowsOf = async (options: Parameters<typeof collectSome>[0]) =>
  (await collectSome(options)).flatMap(({ row }) => row ?? [])

describe('collecting trajectories', () => {
  it('plays each task once, with every turn learned from', async () => {
    const rows = await rowsOf({})
    expect(rows.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5].map((place) => `household_${String(place)}`))
    expect(hashOf(rows, 16)).toMatchInlineSnapshot(`"28bdad21d06eeccc"`)
    for (const { turns, labels } of rows) {
      expect(turns.map(({ role }) => role)).toEqual([
        'system',
        ...turns.slice(1).map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
      ])
      expect(turns.filter(({ role }) => role === 'assistant').every(({ loss }) => loss === true)).toBe(true)
      expect(labels).not.toHaveProperty('mistakes')
    }
  })

  it('gives equal trajectories for equal seeds, and others for others', async () => {
    const options = { errors: 0.4, varyWording: true, layout: 'react' }
    const [first, again, other] = [await rowsOf(options), await rowsOf(options), await rowsOf({ ...options, seed: 9 })]
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    expect(hashOf(first, 16)).toMatchInlineSnapshot(`"387fceebeae54532"`)
    const said = first.flatMap(({ turns }) => turns.filter(({ role }) => role === 'assistant'))
    const corrections = said.filter((_, index) => said[index - 1]?.loss === false)
    expect(corrections.length).toBeGreaterThan(5)
    for (const { text } of corrections) expect(text).toMatch(/^Thought: .+\nAction: /)
  })

  it('plays under the conditions in turn, each task under all of them, and says which', async () => {
    const conditions = [{ label: 'none', applied: [] }, parseCondition('agentrefine-2', perturbations)]
    const all = await collectSome({ tasks: 2, count: 4, conditions })
    expect(all.map(({ task, row }) => [task.id, row!.labels?.['condition']])).toEqual(
      [undefined, 'agentrefine-2', 'agentrefine-2', undefined].map((label, at) => [all[at % 2]!.task.id, label]),
    )
    for (const { row } of all) {
      const said = row!.turns.flatMap(({ role, text }) => (role === 'assistant' ? text : []))
      expect(said.some((text) => text.includes('move to'))).toBe(row!.labels?.['condition'] !== undefined)
    }
  })

  it('masks mistakes, corrects each at once, and never makes two in a row', async () => {
    for (const policy of [undefined, createReader()]) {
      const all = await collectSome({ errors: 0.5, varyWording: true, ...(policy && { policy }) })
      expect(all.every(({ succeeded }) => succeeded)).toBe(true)
      expect(all.flatMap(({ mistakes }) => mistakes).length).toBeGreaterThan(10)
      for (const { row, mistakes } of all) {
        const said = row!.turns.filter(({ role }) => role === 'assistant')
        expect(said.filter(({ loss }) => loss === false)).toHaveLength(mistakes.length)
        said.forEach(({ loss, text }, index) => {
          if (loss === true) return
          expect(said[index + 1]!.loss).toBe(true)
          expect(said[index + 1]!.text).not.toBe(text)
        })
        expect(row!.labels?.['mistakes'] ?? '').toBe(mistakes.join(' '))
      }
    }
  })

  it('makes every kind of mistake, in about the documented proportion', async () => {
    const { counts, add } = createTally()
    for (const one of await collectSome({ tasks: 60, errors: 0.5 })) add(one)
    const { mistakes, turns, masked } = counts
    const made = mistakeKinds.reduce((sum, kind) => sum + mistakes[kind], 0)
    expect(made).toBe(masked)
    expect(masked / turns).toBeGreaterThan(0.25)
    for (const kind of mistakeKinds) expect(mistakes[kind] / made).toBeGreaterThan(mistakeWeights[kind] / 4)
  })

  it('keeps only successful episodes by default', async () => {
    const policy = createRandomModel()
    expect(await rowsOf({ policy, stepLimit: 3 })).toEqual([])
    const rows = await rowsOf({ policy, stepLimit: 3, failures: true })
    expect(rows).toHaveLength(6)
    for (const { labels } of rows) expect(labels).toMatchObject({ outcome: 'step-limit' })
  })
})
