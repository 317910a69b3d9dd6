import { describe, expect, it } from 'vitest'
import { type OutcomeCell, outcomesOf } from '../../../src/results/compare/outcomes.js'
import { meansOf, pairCells, pairNames } from '../../../src/results/compare/pair-cells.js'
import { distinctScores } from '../../../src/results/passes.js'
import type { Plan } from '../../../src/run/plan.js'
import { madeCells, madeOutcomes, madePanel } from '../gate/_made.js'
import { makePlan, makeRow, makeRun, taskId } from '../../reports/fixture.js'
import { workedExample } from '../../reports/worked-example.js'
import { playLetters } from './played.js'

describe('outcomesOf', () => {
  it('keeps every episode at its place, and distinguishes broken from missing', () => {
    const { cells, panels, version } = outcomesOf(workedExample(), 'a run')
    expect(version).toBe('0.1.0')
    expect(panels[0]!.tasks.map(({ id }) => id)).toEqual([0, 1, 2, 3].map(taskId))
    expect(cells).toHaveLength(2 * 3)
    const find = (condition: string) => cells.find((cell) => cell.model === 'reader' && cell.condition === condition)!
    /** By task, the success of each seed at the second temperature; `x` is broken, `-` missing. */
    const shown = ({ played: { state, success } }: OutcomeCell): string[] =>
      [12, 13, 14, 15].map((at) => [at, at + 4, at + 8].map((one) => ['-', 'x', success[one]][state[one]!]).join(''))
    expect(find('none')).toMatchObject({ seeds: [1, 2, 3], temperatures: [0, 1] })
    expect(shown(find('none'))).toEqual(['111', '101', '01x', '100'])
    expect(find('none').played.progress[12 + 2]).toBe(0.5)
    expect(shown(find('agentrefine-1'))[1]).toBe('11-')
    expect(find('agentrefine-1').unchanged).toBe(false)
  })

  it('knows what models behind servers took, and when', () => {
    const plan = makePlan({ models: [{ name: 'm', settings: { endpoint: 'http://host/v1' } }], conditions: ['none'] })
    const run = makeRun(plan, (at) => ({ ...makeRow(at, 'success', 1), date: `2026-11-2${String(at.seed)}` }))
    const took = '240 calls, 24,000 prompt tokens and 1,200 reply tokens'
    expect(outcomesOf(run, 'a run')).toMatchObject({ played: '2026-11-23', took })
    expect(outcomesOf(workedExample(), 'a run')).not.toHaveProperty('played')
  })
})

describe('pairCells', () => {
  it('pairs by task and seed, and leaves out pairs that one side has not measured', () => {
    const first = outcomesOf(playLetters(['ss0h', 's0xs']), 'A')
    const second = outcomesOf(playLetters(['s0sh', '.sss']), 'B')
    const { cells, notes } = pairCells(first, second)
    expect(notes).toEqual([])
    expect(cells).toHaveLength(1)
    expect(cells[0]).toMatchObject({ temperatures: [0], seeds: [1, 2] })
    expect([...cells[0]!.pairs.success.difference]).toEqual([0, 0, 1, 0])
    expect(cells[0]!.pairs.progress.difference[3]).toBe(0)
    expect(cells[0]!.pairs).toMatchObject({ count: 6, planned: 8 })
    expect(meansOf(cells[0]!, 'success')).toEqual({ first: 0.5, second: 0.75 })
  })

  it.each<[string, number[], number[], number[], string[]]>([
    ['some', [1, 2], [2, 3], [0, -1], ['Only in A: seed 1.', 'Only in B: seed 3.']],
    ['fewer', [1, 2], [2], [0, -1], ['Only in A: seed 1.']],
    ['none', [1, 2], [7, 8], [NaN, NaN], ['Only in A: seeds 1 and 2.', 'Only in B: seeds 7 and 8.']],
  ])('pairs the seeds that both have, and names the others: %s', (_, seeds, others, expected, sentences) => {
    const first = outcomesOf(playLetters(['s0', '0s'], { seeds }), 'A')
    const plays = others.map((seed) => (seed === 2 ? '00' : 'ss'))
    const second = outcomesOf(playLetters(plays, { seeds: others }), 'B')
    const { cells, notes } = pairCells(first, second)
    const { success, count, planned } = cells[0]!.pairs
    expect([...success.difference]).toEqual(expected)
    expect(notes).toEqual(sentences)
    expect([count, planned]).toEqual(others.includes(2) ? [2, 2] : [0, 0])
  })

  it('takes for solved on both sides what is solved on each', () => {
    const first = outcomesOf(playLetters(['ss00', 's000']), 'A')
    const second = outcomesOf(playLetters(['s0s0', 's000']), 'B')
    expect(pairCells(first, second).cells[0]!.pairs.flips).toEqual({ both: 2, lost: 1, gained: 1, neither: 4 })
  })

  it('takes a play that was played again once', () => {
    const [{ played }] = madeCells([['110']], { sameAs: [0, 0, 2] })
    expect(distinctScores(played, 'success', 0, 0)).toEqual([1, 0])
  })

  it('averages over the seeds of each temperature before it averages over temperatures', () => {
    const [first, second] = ['11', '00'].map((atZero) => madeOutcomes(madeCells([[atZero, '0x']])))
    expect([...pairCells(first!, second!).cells[0]!.pairs.success.difference]).toEqual([-0.5])
  })

  it('compares the tasks that both have, and reports how many are left out', () => {
    const side = (source: string, signs: string, tasks: Record<string, string>) => {
      const panel = { hash: source, tasks: Object.entries(tasks).map(([id, hash]) => ({ id, hash })) }
      return madeOutcomes(madeCells([...signs].map((sign) => [sign])), { source, panels: [madePanel(4, panel)] })
    }
    const first = side('A', '1010', { a: '0', b: '1', c: '2', d: '3' })
    const { cells, notes } = pairCells(first, side('B', '1110', { e: '5', d: '3', b: 'other', c: '2' }))
    expect(cells[0]!.tasks.map(({ id }) => id)).toEqual(['c', 'd'])
    expect([...cells[0]!.pairs.success.difference]).toEqual([-1, 1])
    expect(notes).toEqual([
      'household: compared on the 2 tasks that both have; left out are 2 of A (a and b) and 2 of B (e and b).',
    ])
  })

  it.each<[Partial<Plan['environments'][number]>, RegExp]>([
    [{ version: '2' }, /version 1 there, 2 here/],
    [
      { tasks: [{ id: 'elsewhere', hash: '1' }] },
      /Expected household on the same tasks, but A and B differ: no task in common\. Only results on the same tasks/,
    ],
    [{ settings: { split: 'seen' } }, /other settings of the environment/],
    [{ name: 'babyai' }, /Expected an environment that both have, got household in A and babyai in B/],
  ])('refuses an environment with another %o', (changed, message) => {
    const plan = makePlan({})
    const other = { ...plan, environments: [{ ...plan.environments[0]!, ...changed }] }
    const [first, second] = [outcomesOf({ plan, rows: [] }, 'A'), outcomesOf({ plan: other, rows: [] }, 'B')]
    expect(() => pairCells(first, second)).toThrow(message)
  })
})

describe('pairNames', () => {
  const pairs = (text: string) =>
    text.split(' ').flatMap((pair) => {
      const [first, second] = pair.split('=')
      return second === undefined ? [] : [{ first: first!, second }]
    })

  it.each([
    ['equal names', 'a b', 'b c', '', 'b=b'],
    ['the only two', 'old', 'new', '', 'old=new'],
    ['no other names if there are several', 'a b', 'c d', '', ''],
    ['what is given, then equal names', 'a old', 'a new', 'old=new', 'a=a old=new'],
    ['only what is given, with onlyGiven', 'a b', 'a b', 'a=b', 'a=b', true],
    ['what is given before equal names', 'a b', 'a b', 'a=b', 'a=b'],
  ])('pairs %s', (_, first, second, given, expected, onlyGiven = false) => {
    expect(pairNames('model', first.split(' '), second.split(' '), pairs(given), onlyGiven)).toEqual(pairs(expected))
  })

  it('refuses a name that is given twice', () => {
    expect(() => pairNames('model', ['a'], ['b', 'c'], pairs('a=b a=c'))).toThrow(/'a' is paired twice/)
  })
})
