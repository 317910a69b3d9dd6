import { describe, expect, it } from 'vitest'
import mainReport from '../../reports/tables/main.js'
import { richRun, withBest } from './rich-example.js'

const summary = withBest(richRun())
const [table] = mainReport.tables(summary, 'pooled')
const marked = (mark: 'best' | 'heldIn') =>
  table!.rows.map(({ model, cells }) => `${model}: ${cells.map((cell) => (cell[mark] ? 'x' : '.')).join('')}`)

describe('the main table', () => {
  it('marks the best and all that do not differ significantly from it, condition by condition', () => {
    for (const ranking of summary.rankings!.filter(({ condition }) => condition === 'none')) {
      const place = table!.groups.findIndex(({ title }) => title === ranking.environment) * 2
      const condition = place + (ranking.metric === 'success' ? 0 : 1)
      const best = table!.rows.filter(({ cells }) => cells[condition]!.best).map(({ model }) => model)
      const expected = ranking.entries.filter((entry) => entry.best).map(({ model }) => model)
      expect(best.sort()).toEqual(expected.sort())
    }
  })

  it('marks what a model was trained on, by the name of the paper too, and nothing without a declaration', () => {
    expect(marked('heldIn')).toEqual(['tuned: xxxx..', 'tuned-without: ......', 'tuned-masked: xxxx..', 'base: ......'])
  })
})
