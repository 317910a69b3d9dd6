import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../baselines/audit.js'
import { audit, describeAudit } from '../../baselines/audit.js'
import { parsePublished } from '../../src/results/published/parse-published.js'
import { sharedData } from '../shared-data.js'

const path = fileURLToPath(new URL('../../baselines/published.csv', import.meta.url))
const file = parsePublished(readFileSync(path, 'utf8'))
const { findings } = audit(file.rows)

describe("AgentRefine's printed numbers, recomputed", () => {
  /** Deviations were recomputed with SciPy: population and sample over all cells, then over the perturbed ones. */
  it('are all read, with 12 contradictions and 17 doubts', async () => {
    expect([file.problems, file.rows.length]).toEqual([[], 559])
    const report = `${describeAudit(readFileSync(path, 'utf8')).join('\n')}\n`
    await expect(report).toMatchFileSnapshot('../fixtures/audit.txt')
  })

  it('have the same findings under other names', () => {
    const names = { 'Agent-FLAN': 'x', AgentRefine: 'y', 'T1-main': 'first', 'AppF-IND-filter': 'second' }
    const rename = (text: string) => Object.entries(names).reduce((rest, [from, to]) => rest.replaceAll(from, to), text)
    const anonymous = JSON.parse(rename(JSON.stringify(file.rows))) as typeof file.rows
    const places = (all: readonly Finding[]) => all.map(({ check, severity, line }) => [check, severity, line])
    expect(places(audit(anonymous).findings)).toEqual(places(findings))
  })
})

describe('a file of results', () => {
  const head = 'table,model,setting,environment,perturbation,metric,value'
  const audited = (...lines: readonly string[]) => audit(parsePublished([head, ...lines, ''].join('\n')).rows)

  it('is contradicted by progress below success, and by a rate that is no whole number of its own tasks', () => {
    const { findings } = audited(
      '1,tuned,tasks=120;seeds=1,kitchen,none,success,64.2',
      '1,tuned,tasks=120;seeds=1,kitchen,none,progress,60.1',
      '1,tuned,tasks=120;seeds=1,garden,none,success,52.1',
    )
    expect(findings.map(({ check, line }) => [check, line])).toEqual([
      ['counts', 4],
      ['progress', 3],
    ])
  })

  it('is contradicted by an average that is the mean of none of its cells', () => {
    const rows = ['none,success,40.0', 'a,success,20.0', 'b,success,30.0'].map((row) => `1,tuned,,kitchen,${row}`)
    expect(audited(...rows, '1,tuned,,kitchen,average,success,25.0').findings).toMatchObject([{ severity: 'note' }])
    expect(audited(...rows, '1,tuned,,kitchen,average,success,26.0').findings).toMatchObject([
      { severity: 'contradiction', line: 5 },
      { severity: 'note' },
    ])
  })
})

it.skipIf(sharedData === undefined)(
  'have the figures of the original reading (skipped without the shared data)',
  () => {
    const figures = (text: string) =>
      parsePublished(text).rows.map(({ table, metric, value, deviation, heldIn }) => [
        table,
        metric,
        value,
        deviation,
        heldIn,
      ])
    expect(figures(readFileSync(path, 'utf8'))).toEqual(
      figures(readFileSync(join(sharedData!, 'published-results.csv'), 'utf8')),
    )
  },
)
