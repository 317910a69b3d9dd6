import { describe, expect, it } from 'vitest'
import { type Comparison, compareOutcomes } from '../../../src/results/compare/compare.js'
import { outcomesOf } from '../../../src/results/compare/outcomes.js'
import { compareTables, describeCells, headline } from '../../../src/results/compare/describe-comparison.js'
import type { StoredRun } from '../../../src/run/plan.js'
import { markdownOf } from '../../../src/tables/markdown.js'
import { madeCells, madeOutcomes, solving } from '../gate/_made.js'
import { playLetters } from './played.js'

function compare(first: StoredRun, second: StoredRun, metric: 'success' | 'progress' = 'success'): Comparison {
  return compareOutcomes(outcomesOf(first, 'A'), outcomesOf(second, 'B'), { metric })
}

const only = ({ cells }: Comparison) => cells[0]!

describe('compareOutcomes', () => {
  it('tests one pair per task, 12 lost and 4 gained', () => {
    const first = ['s'.repeat(12) + '0'.repeat(4) + 's0s0']
    const second = ['0'.repeat(12) + 's'.repeat(4) + 's0s0']
    const cell = only(compare(playLetters(first), playLetters(second)))
    expect(cell.flips).toEqual({ both: 2, lost: 12, gained: 4, neither: 2 })
    // McNemar's exact p is 0.077, its mid-p 0.049.
    expect(cell.test!.p).toBeGreaterThan(0.04)
    expect(cell.test!.p).toBeLessThan(0.1)
    expect(cell.interval!.high < 0).toBe(cell.test!.p < 0.05)
    expect(cell.difference).toBeCloseTo(-8 / 20, 12)
  })

  it('tests repeats of a task by its mean difference', () => {
    const first = ['sssssssss0', 'sssssssss0', 'ssssssss00']
    const second = ['000000000s', '000000000s', 's000000000']
    const comparison = compare(playLetters(first), playLetters(second))
    const cell = only(comparison)
    // Nine tasks fall and one rises.
    expect(cell.test!.p).toBeGreaterThanOrEqual(2 / 1024)
    expect(cell.test!.p).toBeLessThan(0.02)
    expect(cell.standing).toBe('worse')
    expect(headline(comparison)).toBe('B is worse in the only cell.')
    expect(describeCells(comparison)[0]).toMatch(
      /^B is worse on household · reader · act · none: −[\d.]+ \[.*\] points, Holm p = 0\.\d+; 25 pairs lost, 2 gained\.$/,
    )
  })

  it('reports that there are too few tasks for any significant difference', () => {
    const comparison = compare(playLetters(['sssss']), playLetters(['00000']))
    expect(only(comparison)).toMatchObject({ standing: 'level', difference: -1, test: { p: 2 / 32 } })
    expect(describeCells(comparison)).toEqual([
      'Not told apart in the only cell: no difference would be told apart there with a probability of 80 %.',
    ])
    expect(headline(compare(playLetters(['ssssss']), playLetters(['000000'])))).toBe('B is worse in the only cell.')
  })

  it('adjusts over all cells, of all environments', () => {
    const side = (solved: number) =>
      ['household', 'babyai'].flatMap((environment) => [
        ...madeCells(solving(8, 8), { environment }),
        ...madeCells(solving(8, environment === 'household' ? solved : 8), { environment, condition: 'agentrefine-1' }),
      ])
    const { cells } = compareOutcomes(madeOutcomes(side(8)), madeOutcomes(side(0)), { metric: 'success' })
    expect(cells.map(({ standing }) => standing)).toEqual(['equal', 'worse', 'equal', 'equal'])
    expect(cells[1]!.test!.p).toBeCloseTo(2 / 256, 12)
    expect(cells[1]!.test!.holm).toBeCloseTo((4 * 2) / 256, 12)
    expect(cells[0]!.test).toMatchObject({ p: 1, holm: 1 })
  })

  it('leaves out conditions that are others, and names cells, settings and limits that differ', () => {
    const conditions = ['none', 'other', 'here']
    const side = (names: string[], given: Parameters<typeof madeCells>[1] = {}) =>
      names.flatMap((condition) => madeCells([['1'], ['0']], { condition, ...given }))
    const first = madeOutcomes([...side(conditions), ...side(['none'], { environment: 'babyai' })], { source: 'A' })
    const cells = [...side(['none', 'here'], { environment: 'babyai' }), ...side(['none'])]
    const second = madeOutcomes([...cells, ...side(['other'], { perturbations: 'd' })], { source: 'B' })
    const settings = { ...second.settings, stepLimit: 9, agents: [{ name: 'act', hash: 'e' }] }
    const { cells: compared, notes } = compareOutcomes(first, { ...second, settings }, { metric: 'success' })
    expect(compared.map(({ environment, condition }) => [environment, condition])).toEqual([
      ['household', 'none'],
      ['babyai', 'none'],
    ])
    expect(notes).toEqual([
      'The condition other of household is left out: it is a different perturbation, or a different version of it, than in A.',
      'Only in A: cell household · reader · act · here.',
      'Only in B: cell babyai · reader · act · here.',
      'The settings of the agent act are not those of A.',
      'B was played with at most 9 steps an episode, not 30.',
    ])
  })

  it('has no result for a cell without a pair', () => {
    const comparison = compare(playLetters(['x.']), playLetters(['ss']))
    expect(only(comparison)).toMatchObject({ standing: 'unmeasured', pairs: 0, planned: 2, tasks: 0 })
    expect(headline(comparison)).toBe('Nothing was measured on both sides.')
    expect(markdownOf(compareTables(comparison))).toContain('| no pair | –† | –† | – |')
  })

  it('is mirrored when the sides are swapped', () => {
    const [first, second] = [playLetters(['sssssshh0', 'ssssss0x.']), playLetters(['000h00000', '00000000s'])]
    for (const metric of ['success', 'progress'] as const) {
      const [forth, back] = [only(compare(first, second, metric)), only(compare(second, first, metric))]
      expect(back.test!.p).toBeCloseTo(forth.test!.p, 12)
      expect(back.difference).toBeCloseTo(-forth.difference!, 12)
      expect(back.interval!.low).toBeCloseTo(-forth.interval!.high, 12)
      expect([back.flips.lost, back.flips.gained]).toEqual([forth.flips.gained, forth.flips.lost])
      expect([forth.standing, back.standing]).toEqual(['worse', 'better'])
    }
  })
})
