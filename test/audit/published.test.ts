import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parsePublished } from '../../src/results/published/parse-published.js'
import { audit, paperTasks } from '../../src/audit/audit.js'
import type { Severity } from '../../src/audit/sheet.js'
import { sharedData } from '../shared-data.js'

const path = fileURLToPath(new URL('../../baselines/published.csv', import.meta.url))
const file = parsePublished(readFileSync(path, 'utf8'))
const result = audit(file, 'published.csv', { tasks: paperTasks })

function check(name: string) {
  const found = result.checks.find((one) => one.name === name)!
  const of = (severity: Severity) => found.findings.filter((finding) => finding.severity === severity)
  return { ...found, of, messages: found.findings.map(({ message }) => message) }
}

/** The row of a finding. */
function rowAt(line: number | undefined) {
  return file.rows.find((row) => row.line === line)!
}

describe("AgentRefine's printed numbers, audited", () => {
  it('are all read', () => {
    expect(file.problems).toEqual([])
    expect(result.rows).toBe(559)
    expect(result.tables).toHaveLength(12)
  })

  it('have averages that can all be reproduced, and only with the unperturbed cell among them', () => {
    const { checked, held, of, messages } = check('averages')
    expect([checked, held, of('contradiction').length]).toEqual([16, 16, 0])
    expect(messages).toEqual([
      'T3-robustness: 8 of 8 printed averages reproduce: 8 as the mean of all cells, the unperturbed one included, 0 as the mean of the perturbed cells.',
      'AppI-component-robustness: 8 of 8 printed averages reproduce: 8 as the mean of all cells, the unperturbed one included, 1 as the mean of the perturbed cells.',
    ])
  })

  it('have 16 deviations of which 2 follow a convention', () => {
    const { checked, held, of, messages } = check('deviations')
    expect([checked, held]).toEqual([16, 2])
    expect(of('doubt')).toHaveLength(14)
    const understated = of('doubt').find(({ message }) => message.includes('6.24'))!.message
    for (const figure of ['7.733', '8.646', '8.645', '9.982']) expect(understated).toContain(figure)
    expect(messages.slice(-3)).toEqual([
      '2 of 16 printed deviations are the population deviation (÷ 6) of all cells (lines 191 and 232).',
      '1 of 16 printed deviations is the sample deviation (÷ 4) of the perturbed cells (line 191).',
      'T3-robustness: LLaMA-3-8B-Instruct (base=LLaMA-3-8B; decode=greedy), alfworld, average, progress is printed with a deviation of 0.47, which fits 2 conventions: the population deviation (÷ 6) of all cells, 0.465, and the sample deviation (÷ 4) of the perturbed cells, 0.466. It is unknown which of them was used.',
    ])
    expect([191, 232].map((line) => [rowAt(line).model, rowAt(line).metric])).toEqual([
      ['LLaMA-3-8B-Instruct', 'progress'],
      ['AgentRefine', 'success'],
    ])
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
    [13.5, ['13.274', '14.840', '14.192', '16.388']],
  ])('have a deviation of %f beside %s', (printed, figures) => {
    const finding = check('deviations').findings.find(({ lines }) => rowAt(lines[0]).deviation === printed)!
    expect([...finding.message.matchAll(/(\d+\.\d{3}) \(÷/g)].map(([, figure]) => figure)).toEqual(figures)
  })

  it.each([
    ['AgentRefine', 'alfworld', 'progress', 'AppF-IND-filter', 83.8, 'as 63.8 in T1-main'],
    ['Agent-FLAN', 'babyai', 'progress', 'AppF-IND-filter', 53.5, 'as 35.3 in T1-main'],
    ['Agent-FLAN', 'jericho', 'progress', 'AppF-IND-filter', 9.1, 'as 10.1 in T1-main'],
    ['Agent-FLAN', 'alfworld', 'success', 'Sec5-opensource-synthesis', 76.2, 'as 67.2 in T1-main'],
  ])('contradict each other on %s, %s, %s', (model, environment, metric, table, value, other) => {
    const { of } = check('repeated cells')
    expect(of('contradiction')).toHaveLength(4)
    const finding = of('contradiction').find(({ lines }) => {
      const row = rowAt(lines[0])
      return row.model === model && row.environment === environment && row.metric === metric
    })!
    expect(rowAt(finding.lines[0])).toMatchObject({ table, value })
    expect(finding.message).toContain(other)
  })

  it('have 30 differences, of which one is inconsistent, with the consistent value', () => {
    const { checked, held, of } = check('differences')
    expect([checked, held]).toEqual([30, 29])
    expect(of('contradiction').map(({ message }) => message)).toEqual([
      'T4-BoN: Agent-FLAN (base=LLaMA-3-8B; delta=best of 10 at T1 - greedy), alfworld, success is printed as 28.3, but 85.5 − 67.2 is 18.3. It would take 95.5 (128 of 134) in place of 85.5, or 57.2 (not a whole number of 134) in place of 67.2.',
    ])
  })

  it('have exactly these success rates that are not a whole number of tasks', () => {
    expect(
      check('counts')
        .of('contradiction')
        .map(({ lines }) => rowAt(lines[0]))
        .map(({ table, model, environment, value }) => [table, model, environment, value]),
    ).toEqual([
      ['T1-main', 'Mistral-7B-Instruct-v0.3', 'alfworld', 12.4],
      ['T2-ablation', 'AgentRefine', 'babyai', 37.1],
      ['T4-BoN', 'Agent-FLAN', 'alfworld', 85.5],
      ['AppG-reflexion', 'LLaMA-3-8B-chat', 'alfworld', 41.2],
      ['AppG-reflexion', 'Agent-FLAN', 'alfworld', 83.1],
      ['AppF-IND-filter', 'AgentGym wo ind', 'pddl', 8.2],
      ['Sec5-opensource-synthesis', 'Agent-FLAN', 'alfworld', 76.2],
    ])
    expect(check('counts').messages.at(-1)).toMatch(/^Some rates are rounded and some are cut/)
  })

  it('have no progress below its success', () => {
    const { checked, held } = check('progress')
    expect(checked).toBeGreaterThan(250)
    expect(held).toBe(checked)
  })

  it('have scores that follow two different weightings, one of which settles a contradiction', () => {
    const five = ['alfworld', 'babyai', 'scienceworld', 'pddl', 'jericho']
    expect(result.weightings).toEqual([
      { environments: five, by: 'tasks' },
      { environments: five.slice(1), by: 'tasks' },
    ])
    const { checked, held, messages } = check('weighted scores')
    expect([checked, held]).toEqual([8, 8])
    expect(messages[0]).toContain('weighted by their 416 tasks')
    expect(messages[1]).toMatch(/50\.3, which fits 63\.8 for alfworld; with the 83\.8 of AppF.* it would be 56\.78\.$/)
    expect(messages[2]).toContain('weighted by their 282 tasks')
  })

  it('have copied cells', () => {
    const { of } = check('copied cells')
    expect(of('doubt').map(({ message }) => message.replace(/ \(base[^)]*\)/, ''))).toEqual([
      'T3-robustness: LLaMA-3-8B-Instruct, alfworld: P5 has the figures of the unperturbed cell in every metric (progress 46.1, success 22.4): is it a measurement of its own?',
      'T3-robustness: LLaMA-3-8B-Instruct, alfworld: P3 and P4 have the same figures in every metric (progress 45.1, success 17.9): is one a copy of the other?',
      'T3-robustness: AgentRefine, alfworld: P5 has the figures of the unperturbed cell in every metric (progress 63.8, success 44.8): is it a measurement of its own?',
    ])
  })

  /** Recomputed in the reference. */
  it.each([
    ['LLaMA-3-8B-Instruct', 'LLaMA-3-8B', '22.69', '45.45'],
    ['AgentGym', 'LLaMA-3-8B', '25.18', '43.99'],
    ['Agent-FLAN', 'LLaMA-3-8B', '12.05', '23.64'],
    ['AgentRefine', 'LLaMA-3-8B', '23.73', '43.95'],
    ['AgentRefine', 'Mistral-7B', '14.53', '33.01'],
    ['LLaMA-3-70B-Instruct', 'LLaMA-3-70B', '46.09', '68.88'],
    ['GPT-4o', 'GPT', '45.75', '67.26'],
  ])('score %s (%s) over the held-out four at %s and %s', (model, base, success, progress) => {
    const scores = result.scores.filter(
      (one) => one.table === 'T1-main' && one.model === model && one.setting['base'] === base,
    )
    expect(scores.map(({ metric, printed }) => [metric, printed[1]!.toFixed(2)])).toEqual([
      ['success', success],
      ['progress', progress],
    ])
  })

  it('include scores over the environments that the model was not trained on', () => {
    const scores = result.scores.filter(
      ({ table, model, setting }) => table === 'T1-main' && model === 'AgentGym' && setting['base'] === 'LLaMA-3-8B',
    )
    expect(scores.map(({ heldOutEnvironments }) => heldOutEnvironments)).toEqual([
      ['pddl', 'jericho'],
      ['pddl', 'jericho'],
    ])
    expect(scores[0]!.heldOut).toBeCloseTo(1.275, 9)
    expect(scores[1]!.heldOut).toBeCloseTo(15.675, 9)
  })

  it('have the same findings under other names', () => {
    const names = {
      'Agent-FLAN': 'x',
      AgentRefine: 'y',
      alfworld: 'kitchen',
      'T1-main': 'first',
      'AppF-IND-filter': 'second',
    }
    const rename = (text: string) => Object.entries(names).reduce((rest, [from, to]) => rest.replaceAll(from, to), text)
    const rows = file.rows.map((row) => ({ ...row, note: '', source: '' }))
    const anonymous = JSON.parse(rename(JSON.stringify({ rows, problems: [] }))) as typeof file
    const tasks = new Map(Object.entries(result.tasks).map(([name, count]) => [rename(name), count]))
    const found = audit(anonymous, 'anonymous', { tasks })
    const severities = (one: typeof found) =>
      one.checks.map(({ findings }) => findings.map(({ severity, lines }) => [severity, lines]))
    expect(severities(found)).toEqual(severities(result))
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
