import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { aggregate } from '../../src/results/aggregate.js'
import { checkSchema } from '../../src/results/gate/check.js'
import { baselineSchema } from '../../src/results/gate/baseline-file.js'
import { aggregateSchema } from '../../src/results/schema.js'
import { printReport } from '../../reports/index.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRun } from './fixture.js'
import { richRun } from './rich-example.js'
import { workedExample } from './worked-example.js'

const plan = makePlan({ models: ['reader'], seeds: [1], temperatures: [0] })
const textOf = (run: StoredRun): string => printReport(run, 'json')

describe('a published schema', () => {
  it.each([
    ['report', aggregateSchema],
    ['check', checkSchema],
    ['baseline', baselineSchema],
  ])(
    'is as defined in the code: %s; `npx vitest run test/reports/schema.test.ts -u` writes it',
    async (name, schema) => {
      const published = fileURLToPath(new URL(`../../docs/${name}.schema.json`, import.meta.url))
      const json = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), undefined, 2)
      const text = await format(json, { ...(await resolveConfig(published)), parser: 'json' })
      await expect(text).toMatchFileSnapshot(published)
    },
  )
})

describe('the schema of report.json', () => {
  it('is exported by the package', () => {
    const text = readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')
    expect(text).toContain('"./report.schema.json": "./docs/report.schema.json"')
  })

  it.each<[string, StoredRun]>([
    ['the worked example', workedExample()],
    ['several environments, agents’ models and variants', richRun()],
    ['a run of one seed that was stopped', { ...makeRun(plan, (at) => at), stopped: 'Its budget is spent.' }],
  ])('accepts %s', (_, run) => {
    expect(aggregateSchema.parse(JSON.parse(textOf(run)))).toEqual(aggregate(run))
  })

  it.each<[string, string, (report: Record<string, unknown>) => unknown]>([
    ['an unknown key', '', (report) => (report['later'] = 1)],
    ['no groups', 'groups', (report) => (report['groups'] = undefined)],
    [
      'a share above 1',
      'groups.2.pooled.success.mean',
      (report) => ((report['groups'] as { pooled: { success: { mean: number } } }[])[2]!.pooled.success.mean = 61),
    ],
  ])('refuses a report with %s', (_, path, change) => {
    const report = JSON.parse(textOf(workedExample())) as Record<string, unknown>
    change(report)
    const { error } = aggregateSchema.safeParse(report)
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
  })
})
