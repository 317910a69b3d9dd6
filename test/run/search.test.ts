import { describe, expect, it } from 'vitest'
import { simulateSearch } from '../../bench/search.js'
import { pairsOf, searchWorst, splitTasks } from '../../src/run/search.js'

const tasks = Array.from({ length: 15 }, (_, index) => `task-${String(index)}`)

describe('the search for the worst draw', () => {
  it('splits tasks in the same two halves whatever their order', () => {
    const { search, heldOut } = splitTasks(tasks)
    expect([search.length, heldOut.length, new Set([...search, ...heldOut]).size]).toEqual([8, 7, 15])
    expect(splitTasks([...tasks].reverse())).toEqual({ search, heldOut })
  })

  it.each([2, 3, 5, 16])(
    'finds the worst of %i draws within its budget, and never plays a held-out pair before the end',
    async (draws) => {
      const { search, heldOut } = splitTasks(tasks)
      const halves = { search: pairsOf(search, [0, 1]), heldOut: pairsOf(heldOut, [0, 1]) }
      const played: string[] = []
      const budget = 128
      const found = await searchWorst([...Array(draws).keys()], halves, budget, (chosen, pairs) => {
        played.push(...chosen.flatMap((draw) => pairs.map(({ task, seed }) => JSON.stringify([draw, task, seed]))))
        return Promise.resolve(chosen.map((draw) => pairs.map(() => (draw === draws - 1 ? 1 : 0))))
      })
      expect([found.worst, found.searched.mean, found.heldOut.mean]).toEqual([draws - 1, 1, 1])
      expect(new Set(played).size).toBe(played.length)
      expect(played.slice(-14).every((pair) => heldOut.some((task) => pair.includes(`"${task}"`)))).toBe(true)
      expect(played.length - 14).toBeLessThanOrEqual(budget)
      expect(played.slice(0, -14).some((pair) => heldOut.some((task) => pair.includes(`"${task}"`)))).toBe(false)
    },
  )

  it('leaves out pairs that ended in an error', async () => {
    const halves = { search: pairsOf(tasks.slice(0, 4), [0]), heldOut: pairsOf(tasks.slice(4, 8), [0]) }
    const { heldOut } = await searchWorst([1, 2], halves, 8, (chosen, pairs) =>
      Promise.resolve(chosen.map(() => pairs.map((_, index) => (index === 0 ? NaN : 0)))),
    )
    expect([heldOut.tasks, heldOut.mean]).toEqual([3, 0])
  })

  it('is unbiased on the held-out half, and not on the search half', async () => {
    const { searchBias, heldOutBias, standardError, coverage } = await simulateSearch(16, 0, 400)
    expect(searchBias).toBeGreaterThan(0.04)
    expect(Math.abs(heldOutBias)).toBeLessThan(3 * standardError)
    expect(coverage).toBeGreaterThan(0.94)
  })
})
