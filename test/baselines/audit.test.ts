import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { audit, describeAudit } from '../../baselines/audit.js'
import { parsePublished } from '../../src/results/published/parse-published.js'
import { sharedData } from '../shared-data.js'

const path = fileURLToPath(new URL('../../baselines/published.csv', import.meta.url))
const rows = parsePublished(readFileSync(path, 'utf8'))

describe("AgentRefine's printed numbers, recomputed", () => {
  /** Deviations were recomputed with SciPy: population and sample over all cells, then over the perturbed ones. */
  it('are all read, with 12 contradictions and 17 doubts', async () => {
    expect(rows).toHaveLength(559)
    const report = `${describeAudit(readFileSync(path, 'utf8')).join('\n')}\n`
    await expect(report).toMatchFileSnapshot('../fixtures/audit.txt')
  })

  it.skipIf(sharedData === undefined)('are those of the original reading (skipped without the shared data)', () => {
    const figures = (text: string) =>
      parsePublished(text).map(({ table, metric, value, deviation, heldIn }) => [
        ...[table, metric, value, deviation, heldIn],
      ])
    expect(figures(readFileSync(path, 'utf8'))).toEqual(
      figures(readFileSync(join(sharedData!, 'published-results.csv'), 'utf8')),
    )
  })
})

it('progress below success, a rate that is no whole number of its own tasks, and a wrong average contradict', () => {
  const lines = [
    'table,model,setting,environment,perturbation,metric,value',
    '1,tuned,tasks=120;seeds=1,kitchen,none,success,64.2',
    '1,tuned,tasks=120;seeds=1,kitchen,none,progress,60.1',
    '1,tuned,tasks=120;seeds=1,garden,none,success,52.1',
    ...['none,success,40.0', 'a,success,20.0', 'average,success,30.0', 'mean,success,26.0'].map(
      (row) => `2,tuned,,attic,${row}`,
    ),
  ]
  const findings = audit(parsePublished([...lines, ''].join('\n')))
  expect(findings.map(({ severity, line }) => [severity, line])).toEqual([
    ['contradiction', 4],
    ['contradiction', 3],
    ['contradiction', 8],
  ])
})
