import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../reports/aggregate/aggregate.js'
import { chartsOf } from '../../../reports/charts/index.js'
import { workedExample } from '../worked-example.js'
import { findAll, parseXml } from './xml.js'

const summary = aggregate(workedExample())
const chart = chartsOf(summary).find(({ name }) => name === 'degradation')!
const root = parseXml(chart.svg)
const bars = findAll(root, 'rect').filter(({ attributes }) => 'data-value' in attributes)

describe('the chart of degradation', () => {
  it('has bars as long as their values, one for each measured rate', () => {
    expect(bars).toHaveLength(chart.points.filter(({ value }) => value !== undefined).length)
    expect(bars).toHaveLength(2 * 3 * 2)
    const lengths = bars.map(({ attributes }) => ({
      value: Number(attributes['data-value']),
      width: Number(attributes.width),
    }))
    const full = lengths.find(({ value }) => value > 0.5)!
    for (const { value, width } of lengths) expect(width).toBeCloseTo((full.width / full.value) * value, 1)
  })

  it('tells each rate as the aggregate has it', () => {
    const shown = chart.points.find(
      (point) => point.model === 'parrot' && point.column === 'agentrefine-1' && point.metric === 'success',
    )!
    const group = summary.groups.find(({ model, column }) => model === 'parrot' && column === 'agentrefine-1')!
    expect(shown).toMatchObject({
      value: group.pooled.success.mean,
      ...group.pooled.success.overTasks,
      ...group.pooled.coverage,
    })
  })
})
