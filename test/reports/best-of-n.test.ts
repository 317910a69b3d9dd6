import { describe, expect, it } from 'vitest'
import bestOfN from '../../reports/best-of-n.js'
import { printReport } from '../../reports/index.js'
import type { EpisodeRow } from '../../src/core/episode.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRow, makeRun } from './fixture.js'

/** Successes of four tasks by seed: 1 success, 0 failure, x broken, - not played. */
function runOf(byTask: readonly string[], temperatures: readonly number[] = [1]): StoredRun {
  const seeds = Array.from(byTask[0]!, (_, index) => index + 1)
  const plan = makePlan({
    environments: [{ name: 'household', tasks: byTask.length }],
    columns: ['none'],
    models: ['m'],
    temperatures,
    seeds,
  })
  return makeRun(plan, (at): EpisodeRow | undefined => {
    const mark = byTask[Number(at.task.slice(5))]![at.seed - 1]!
    if (mark === '-') return undefined
    if (mark === 'x') return makeRow(at, 'model-error', 0)
    return mark === '1' ? makeRow(at, 'success', 1) : makeRow(at, 'step-limit', at.seed / 10)
  })
}

const file = (run: StoredRun, end: string): string =>
  [...bestOfN.render(run)].find(({ file: name }) => name.endsWith(end))!.text

/** Figures of the CSV by metric. */
function figures(run: StoredRun): Record<string, string> {
  const [head, ...rows] = file(run, '.csv').trim().split('\n')
  const at = (name: string): number => head!.split(',').indexOf(name)
  return Object.fromEntries(
    rows.map((row) => row.split(',')).map((cells) => [cells[at('metric')], cells[at('value')]]),
  ) as Record<string, string>
}

describe('best of n', () => {
  it('takes the best of the seeds for success and for progress, task by task', () => {
    const shown = figures(runOf(['1000', '0000', '1111', '0110']))
    expect(Number(shown['best-success'])).toBe(0.75)
    expect(Number(shown['best-progress'])).toBeCloseTo((1 + 0.4 + 1 + 1) / 4, 12)
    expect(Number(shown['fewest-tries'])).toBe(4)
  })

  it('gives the success probability of k tries, for every k that all tasks have', () => {
    const shown = figures(runOf(['1000', '0000', '1111', '0110']))
    expect(Number(shown['pass-at-1'])).toBeCloseTo(7 / 16, 12)
    expect(Number(shown['pass-hat-1'])).toBeCloseTo(7 / 16, 12)
    expect(Number(shown['pass-at-2'])).toBeCloseTo((0.5 + 0 + 1 + 5 / 6) / 4, 12)
    expect(Number(shown['pass-hat-2'])).toBeCloseTo((0 + 0 + 1 + 1 / 6) / 4, 12)
    expect(Object.keys(shown)).not.toContain('pass-at-5')
    expect(figures(runOf(['1xxx', '0000']))['pass-at-2'] ?? '').toBe('')
  })

  it('reports missing measurements, and leaves out a task that has none', () => {
    const markdown = file(runOf(['10-x', '----', '1111', '0000']), '.md')
    expect(markdown).toContain('10/16')
    expect(markdown).toMatch(/66\.7†/)
    expect(figures(runOf(['10-x', '----', '1111', '0000']))['fewest-tries']).toBe('2')
  })

  it('keeps temperatures apart, and explains n, k and a temperature of 0', () => {
    const markdown = file(runOf(['10', '01'], [0, 1]), '.md')
    expect(markdown).toMatchInlineSnapshot(`
      "## Best of 2, pass@k and pass^k on household

      | Model | Column | T | Success | Progress | pass@1 | pass@2 | pass^1 | pass^2 | Tries | Coverage |
      | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | m | none | 0 | 100.0 | 100.0 | 50.0 | 100.0 | 50.0 | 0.0 | 2 | 4/4 |
      | m | none | 1 | 100.0 | 100.0 | 50.0 | 100.0 | 50.0 | 0.0 | 2 | 4/4 |

      - Shares in percent, for each temperature alone; its 2 seeds are the tries at a task.
      - Best of 2: per task the best of its measurements, success and progress each, then the mean over tasks; a task with none is left out.
      - pass@k: probability that at least one of k tries succeeds, 1 − C(n−c, k)/C(n, k); pass^k: that all k do, C(c, k)/C(n, k); n measurements of a task, c successes; means over tasks.
      - The seeds serve as tries, so there is no standard deviation over them.
      - k is at most the number under Tries: the fewest measurements of any task.
      - At temperature 0 tries may be copies of one play; copies count once, and there is no figure where all are copies.
      - Tasks: household, version 1: 2 tasks (panel 67b671a3).
      - Agent: act.
      - Prompt: shaketable's own.
      - Limits: at most 30 steps and 100 tokens a reply.
      - Runs: 2 seeds (1, 2), temperatures 0, 1.
      - Model: m.
      - Condition: none.
      - Coverage 100 % (8 of 8 planned episodes).
      - shaketable 0.1.0, plan 50f88326eb7d.
      "
    `)
    expect(file(runOf(['10', '01'], [0, 1]), '.tex')).toContain('pass@2')
  })

  it('is absent for a single seed', () => {
    const run = runOf(['1', '0'])
    expect([...bestOfN.render(run)]).toEqual([])
    expect(printReport(run, 'json')).not.toContain('trials')
  })

  it('is printed with the other tables, but in bounded size in the terminal', () => {
    const run = runOf(['10', '01'])
    for (const format of ['markdown', 'csv', 'latex'] as const)
      expect(printReport(run, format)).toMatch(/best.of.(?:n|2)/i)
    expect(printReport(run, 'terminal')).not.toContain('Best of')
    expect(JSON.parse(printReport(run, 'json')).groups[0].temperatures[0].trials.passAt).toEqual({ 1: 0.5, 2: 1 })
  })
})
