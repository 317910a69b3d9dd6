import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../baselines/audit.js'
import { audit } from '../../baselines/audit.js'
import { parsePublished } from '../../src/results/published/parse-published.js'
import { sharedData } from '../shared-data.js'

const path = fileURLToPath(new URL('../../baselines/published.csv', import.meta.url))
const file = parsePublished(readFileSync(path, 'utf8'))
const { checks, findings } = audit(file.rows)

function found(check: string, severity: Finding['severity']): readonly Finding[] {
  return findings.filter((one) => one.check === check && one.severity === severity)
}

/** The row of a finding. */
function rowAt(line: number) {
  return file.rows.find((row) => row.line === line)!
}

describe("AgentRefine's printed numbers, recomputed", () => {
  it('are all read, with 12 contradictions and 17 doubts', () => {
    expect(file.problems).toEqual([])
    expect(file.rows).toHaveLength(559)
    expect(findings.filter(({ severity }) => severity === 'contradiction')).toHaveLength(12)
    expect(findings.filter(({ severity }) => severity === 'doubt')).toHaveLength(17)
    expect(checks).toEqual({
      'repeated cells': { checked: 52, held: 48 },
      counts: { checked: 246, held: 239 },
      progress: { checked: 258, held: 258 },
      differences: { checked: 30, held: 29 },
      averages: { checked: 16, held: 16 },
      deviations: { checked: 16, held: 2 },
      'weighted scores': { checked: 8, held: 8 },
      'copied cells': { checked: 249, held: 246 },
    })
  })

  it('have averages that can all be reproduced, and only with the unperturbed cell among them', () => {
    expect(found('averages', 'note').map(({ message }) => message)).toEqual([
      'T3-robustness: averages reproduce 8 as the mean of all cells, 0 as the mean of the perturbed cells.',
      'AppI-component-robustness: averages reproduce 8 as the mean of all cells, 1 as the mean of the perturbed cells.',
    ])
  })

  it('have two deviations that follow a convention, of which one follows two', () => {
    expect(found('deviations', 'note').map(({ line, message }) => [line, message.match(/the \w+ deviation/g)])).toEqual(
      [
        [191, ['the population deviation', 'the sample deviation']],
        [232, ['the population deviation']],
      ],
    )
  })

  /**
   * Recomputed with SciPy, with all figures in the reference: population and sample over all cells, then over the
   * perturbed ones.
   */
  it.each([
    [19.97, ['17.399', '19.059', '14.344', '16.038']],
    [16.66, ['14.954', '16.381', '12.532', '14.011']],
    [21.98, ['22.122', '24.233', '19.161', '21.422']],
    [22.53, ['19.288', '21.129', '18.396', '20.567']],
    [3.56, ['2.945', '3.227', '3.149', '3.521']],
    [5.78, ['5.552', '6.207', '6.207', '7.168']],
    [6.24, ['7.733', '8.646', '8.645', '9.982']],
    [13.5, ['13.274', '14.840', '14.192', '16.388']],
  ])('have a deviation of %f beside %s', (printed, figures) => {
    const { message } = found('deviations', 'doubt').find(({ line }) => rowAt(line).deviation === printed)!
    expect(message.match(/\d+\.\d{3}/g)).toEqual(figures)
  })

  it.each([
    ['AgentRefine', 'alfworld', 'progress', 'AppF-IND-filter', 83.8, 'as 63.8 in T1-main'],
    ['Agent-FLAN', 'babyai', 'progress', 'AppF-IND-filter', 53.5, 'as 35.3 in T1-main'],
    ['Agent-FLAN', 'jericho', 'progress', 'AppF-IND-filter', 9.1, 'as 10.1 in T1-main'],
    ['Agent-FLAN', 'alfworld', 'success', 'Sec5-opensource-synthesis', 76.2, 'as 67.2 in T1-main'],
  ])('contradict each other on %s, %s, %s', (model, environment, metric, table, value, other) => {
    const { line, message } = found('repeated cells', 'contradiction').find((one) => {
      const row = rowAt(one.line)
      return row.model === model && row.environment === environment && row.metric === metric
    })!
    expect(rowAt(line)).toMatchObject({ table, value })
    expect(message).toContain(other)
  })

  it('have one difference that is inconsistent, with the consistent value', () => {
    expect(found('differences', 'contradiction').map(({ message }) => message)).toEqual([
      'T4-BoN: Agent-FLAN, alfworld, success is 28.3, but 85.5 − 67.2 is 18.3; it takes 95.5 (128 of 134) for the first or 57.2 (no whole number of 134) for the second.',
    ])
  })

  it('have exactly these success rates that are not a whole number of tasks', () => {
    const rows = found('counts', 'contradiction').map(({ line }) => rowAt(line))
    expect(rows.map(({ table, model, environment, value }) => [table, model, environment, value])).toEqual([
      ['T1-main', 'Mistral-7B-Instruct-v0.3', 'alfworld', 12.4],
      ['T2-ablation', 'AgentRefine', 'babyai', 37.1],
      ['T4-BoN', 'Agent-FLAN', 'alfworld', 85.5],
      ['AppG-reflexion', 'LLaMA-3-8B-chat', 'alfworld', 41.2],
      ['AppG-reflexion', 'Agent-FLAN', 'alfworld', 83.1],
      ['AppF-IND-filter', 'AgentGym wo ind', 'pddl', 8.2],
      ['Sec5-opensource-synthesis', 'Agent-FLAN', 'alfworld', 76.2],
    ])
  })

  it('have scores that follow two different weightings, one of which settles a contradiction', () => {
    const [five, alternative, four] = found('weighted scores', 'note').map(({ message }) => message)
    expect(five).toContain('alfworld, babyai, scienceworld, pddl and jericho, weighted by their 416 tasks')
    expect(alternative).toMatch(/progress is 50\.3; with another printed figure of a cell it would be 56\.78\.$/)
    expect(four).toContain('babyai, scienceworld, pddl and jericho, weighted by their 282 tasks')
  })

  it('have copied cells', () => {
    expect(found('copied cells', 'doubt').map(({ message }) => message)).toEqual([
      'T3-robustness: LLaMA-3-8B-Instruct, alfworld: P4 has the figures of P3 in every metric: progress 45.1, success 17.9.',
      'T3-robustness: LLaMA-3-8B-Instruct, alfworld: P5 has the figures of none in every metric: progress 46.1, success 22.4.',
      'T3-robustness: AgentRefine, alfworld: P5 has the figures of none in every metric: progress 63.8, success 44.8.',
    ])
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
