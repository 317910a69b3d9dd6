import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../reports/aggregate/aggregate.js'
import { allTables, maxTables } from '../../../reports/all-tables.js'
import { chartsOf } from '../../../reports/charts/charts-of.js'
import { fittingCharts, fittingTables, maxOnPage } from '../../../reports/html/fitting.js'
import { richRun } from '../rich-example.js'
import { workedExample } from '../worked-example.js'

describe('what the page has room for', () => {
  const told = aggregate(richRun())
  const rows = (detail: 'each-temperature' | 'pooled'): number =>
    allTables(told, detail).reduce((sum, table) => sum + table.rows.length, 0)

  it('is every table and chart of a run of some models and environments', () => {
    for (const one of [told, aggregate(workedExample())]) {
      expect(fittingTables(one, undefined)).toEqual({ shown: allTables(one, 'each-temperature') })
      expect(fittingCharts(one)).toEqual({ shown: chartsOf(one, { embedded: true }) })
    }
  })

  it('is fewer rows where they are too many, and says so', () => {
    expect(fittingTables(told, undefined, rows('each-temperature')).note).toBeUndefined()
    const pooled = fittingTables(told, undefined, rows('each-temperature') - 1)
    expect(pooled.shown).toEqual(allTables(told, 'pooled'))
    expect(pooled.note).toMatch(/^Rows for single temperatures are in the tables beside this page only\.$/)
    const most = fittingTables(told, undefined, rows('pooled') - 1)
    expect(most.shown).toEqual(maxTables(told))
    expect(most.note).toContain('and some tables are beside this page only')
  })

  it('is the first charts where they are too large, and says where the others are', () => {
    const charts = chartsOf(told, { embedded: true })
    const { shown, note } = fittingCharts(told, charts[0]!.svg.length + charts[1]!.svg.length)
    expect(shown).toEqual(charts.slice(0, 2))
    expect(note).toContain(
      `${String(charts.length - 2)} charts more in files beside this page: ${charts[2]!.file}.svg, `,
    )
    expect(maxOnPage.characters).toBeGreaterThan(charts.reduce((sum, { svg }) => sum + svg.length, 0))
  })
})
