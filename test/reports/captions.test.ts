import { describe, expect, it } from 'vitest'
import { aggregate } from '../../reports/aggregate/aggregate.js'
import { allTables } from '../../reports/all-tables.js'
import type { Detail } from '../../reports/tables/rows.js'
import { columnsOf } from '../../reports/tables/table.js'
import { richRun, withEvidence } from './rich-example.js'

const told = withEvidence(richRun())
const tables = (['each-temperature', 'pooled'] as const).flatMap((detail: Detail) =>
  allTables(told, detail).map((table) => ({ ...table, detail })),
)

describe('every table', () => {
  it('is there, of a run as it is summed up too', () => {
    const names = allTables(aggregate(richRun()), 'pooled').map(({ name }) => name)
    expect([...new Set(names)]).toEqual([...new Set(tables.map(({ name }) => name))])
    expect([...new Set(names)]).toEqual([
      'main',
      'held-out',
      'robustness',
      'worst-case',
      'differences',
      'flips',
      'ablation',
      'behaviour',
      'calls',
      'dose',
      'uncertainty',
      'best-of-n',
    ])
  })

  it.each(tables)(
    'says tasks, episodes, seeds, temperatures, the convention of its spread, its axis and coverage: $name, $detail, $environment',
    (table) => {
      const caption = [...table.notes, ...table.origin].join(' ')
      expect(caption).toMatch(/household, version 1: 12 tasks|babyai, version 1: 10 tasks|pddl, version 1: 6 tasks/)
      expect(caption).toMatch(/[\d,]+ planned episodes/)
      expect(caption).toContain('3 seeds (1–3)')
      expect(caption).toContain('temperatures 0, 1')
      expect(caption).toMatch(
        /sample standard deviation \(n−1\)|no standard deviation|standard error in percentage points/,
      )
      expect(caption).toMatch(/over (?:the 6 runs|3 seeds|tasks|seeds|all episodes|them|runs)/)
      expect(caption).toMatch(/Coverage \d/)
      expect(caption).toMatch(/shaketable \S+, plan [0-9a-f]{12}\.$/)
    },
  )

  it.each(tables)('has a cell for each column and a name for each head: $name, $detail, $environment', (table) => {
    expect(table.rows.length).toBeGreaterThan(0)
    for (const row of table.rows) {
      expect(row.cells).toHaveLength(columnsOf(table).length)
      expect(row.heads).toHaveLength(table.heads.length)
    }
  })

  it.each(tables)('has no two lines of figures with one name: $name, $detail, $environment', (table) => {
    const names = columnsOf(table).map((column) => [column.metric, column.label, column.environment].join())
    expect(new Set(names).size).toBe(names.length)
    const rows = table.rows.map(({ heads }) => heads.join())
    expect(new Set(rows).size).toBe(rows.length)
  })
})
