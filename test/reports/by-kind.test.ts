import { describe, expect, it } from 'vitest'
import { allTables, terminalTables } from '../../reports/tables/index.js'
import { aggregate } from '../../src/results/aggregate.js'
import byKind from '../../reports/tables/by-kind.js'
import { csvOf } from '../../src/tables/csv.js'
import { markdownOf } from '../../src/tables/markdown.js'
import { meanBounds } from '../../src/statistics/mean-bounds.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRow, makeRun } from './fixture.js'

const kindNames = ['pick', 'look', 'clean', 'heat', 'cool', 'two']
/**
 * Four tasks of each kind: under `agentrefine-1` the first three kinds lose every success but one each, the others
 * none.
 */
function halves(kindOf: (task: number) => string | undefined = (task) => kindNames[task % 6]): StoredRun {
  const plan = makePlan({
    environments: [{ name: 'household', tasks: 24 }],
    models: ['parrot'],
    temperatures: [1],
    seeds: [1, 2],
  })
  const [household] = plan.environments
  const tasks = household!.tasks.map((task, place) => {
    const kind = kindOf(place)
    return { ...task, ...(kind !== undefined && { kind }) }
  })
  return makeRun({ ...plan, environments: [{ ...household!, tasks }] }, (at) => {
    const task = Number(at.task.slice(5))
    const isLost = at.column === 'agentrefine-1' && task % 6 < 3 && task >= 6
    const isWon = !isLost && (at.seed === 1 || task !== 0)
    return makeRow(at, isWon ? 'success' : 'failure', isWon ? 1 : 0)
  })
}

const summary = aggregate(halves())
const [table] = byKind.tables(summary, 'pooled')
const changes = table!.rows.map(({ kind, cells }) => ({ kind, ...cells[4] }))

describe('the table of kinds of tasks', () => {
  it('has a row for each kind in the order of the panel, and one over all of them', () => {
    expect(table!.rows.map(({ heads }) => heads)).toEqual([...kindNames, 'all'].map((kind) => ['parrot', kind]))
    expect(table!.groups.map(({ title, columns }) => [title, ...columns.map((column) => column.title)])).toEqual([
      ['Success rate', 'none', 'placebo', 'agentrefine-1'],
      ['Change', 'placebo', 'agentrefine-1'],
      ['Evidence', 'Tasks'],
      ['Touched tasks', 'agentrefine-1'],
      ['Touched steps', 'agentrefine-1'],
    ])
    expect(table!.rows.map(({ cells }) => cells[5]!.value)).toEqual([4, 4, 4, 4, 4, 4, 24])
  })

  it('has the change of each kind with the task as the cluster', () => {
    expect(changes.map(({ value }) => value)).toEqual([-0.75, -0.75, -0.75, 0, 0, 0, -0.375])
    // Four tasks of which one does not change: almost no evidence about other tasks.
    const { low, high } = meanBounds([-1, -1, -1, 0], 0.025)
    expect(changes[0]).toMatchObject({ low, high })
    expect(summary.groups.at(-1)!.kinds!.scores[0]!.difference!.pairs).toBe(8)
  })

  it('has a mean over kinds with an interval over them from 20 kinds on', () => {
    expect(summary.groups.at(-1)!.kinds).not.toHaveProperty('overKinds')
    const [many, few] = [24, 19].map((kinds) => aggregate(halves((task) => `kind ${String(task % kinds)}`)))
    const [wide] = byKind.tables(many!, 'pooled')
    const row = wide!.rows.at(-1)!
    expect(row.kind).toBe('mean of kinds')
    const changes = Array.from({ length: 24 }, (_, task) => (task >= 6 && task % 6 < 3 ? -1 : 0))
    expect(row.cells[4]).toMatchObject(meanBounds(changes, 0.025))
    expect(wide!.notes.join(' ')).toContain('the kind as the cluster (24 at most). It applies to other kinds of tasks.')
    expect(byKind.tables(few!, 'pooled')[0]!.rows.map(({ kind }) => kind)).not.toContain('mean of kinds')
  })

  it('states what each interval applies to', () => {
    const text = table!.notes.join(' ')
    expect(text).toContain('It applies to other tasks of these kinds, not to other kinds.')
    expect(text).toContain('A mean over kinds takes 20 of them or more')
  })

  it('is in every format, and in the terminal if there are few kinds', () => {
    expect(markdownOf([table!])).toMatch(/\| parrot \| look \| 100.* \| -75 \[-\d+, \d+\] \| 4 \| 100.0 \| – \|/)
    const lines = csvOf([table!]).split('\r\n')
    expect(lines[0]!.endsWith(',note,kind')).toBe(true)
    expect(
      lines.filter(
        (line) =>
          line.startsWith('by-kind,kind,household,parrot,act,1') ||
          line.startsWith('by-kind,kind,household,parrot,act,all'),
      ).length,
    ).toBe(56)
    expect(lines.some((line) => line.includes('agentrefine-1,success-change,-0.75') && line.endsWith(',pick'))).toBe(
      true,
    )
    expect(allTables(summary, 'pooled').map(({ name }) => name)).toContain('by-kind')
    expect(terminalTables(summary).map(({ name }) => name)).toContain('by-kind')
    const many = aggregate(halves((task) => `kind ${String(task % 12)}`))
    expect(allTables(many, 'pooled').map(({ name }) => name)).toContain('by-kind')
    expect(terminalTables(many).map(({ name }) => name)).not.toContain('by-kind')
  })

  it.each([
    ['are of one kind', () => 'pick'],
    ['have no kind', () => undefined],
  ])('is absent if all tasks %s', (_, kindOf) => {
    const one = aggregate(halves(kindOf))
    expect(byKind.tables(one, 'pooled')).toEqual([])
    expect(one.groups.some((group) => 'kinds' in group)).toBe(false)
  })

  it('names tasks without a kind if others have one', () => {
    const mixed = aggregate(halves((task) => (task < 12 ? 'pick' : undefined)))
    expect(byKind.tables(mixed, 'pooled')[0]!.rows.map(({ kind }) => kind)).toEqual(['pick', 'no kind', 'all'])
  })
})
