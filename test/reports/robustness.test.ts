import { describe, expect, it } from 'vitest'
import { formats, printReport, reports } from '../../reports/index.js'
import { aggregate } from '../../src/results/aggregate.js'
import robustness from '../../reports/tables/robustness.js'
import type { Table } from '../../src/tables/table.js'
import { columnsOf } from '../../src/tables/table.js'
import type { Plan, StoredRun } from '../../src/run/plan.js'
import { createRandom } from '../../src/core/random.js'
import { changedDose, makePlan, makeRow, makeRun, taskId } from './fixture.js'
import { workedExample } from './worked-example.js'

const paperColumns = ['none', 'placebo', 'agentrefine-1', 'agentrefine-2', 'agentrefine-3', 'agentrefine-4']

/** A run of 10 tasks; each column wins the given number. */
function runWith(wins: Record<string, number>, given: Partial<Parameters<typeof makePlan>[0]> = {}): StoredRun {
  const plan = makePlan({
    environments: [{ name: 'household', tasks: 10 }],
    columns: Object.keys(wins),
    models: ['m'],
    temperatures: [0],
    seeds: [1],
    ...given,
  })
  return makeRun(plan, (at) => {
    const offset = at.model === 'without' ? 5 : 0
    const won = Number(at.task.slice(5)) < wins[at.column]! - offset
    return makeRow(at, won ? 'success' : 'failure', won ? 1 : 0.5)
  })
}

function values(table: Table, row = 0): Record<string, number | undefined> {
  const columns = columnsOf(table)
  return Object.fromEntries(
    table.rows[row]!.cells.slice(0, columns.length / 2).map((cell, index) => [columns[index]!.title, cell.value]),
  )
}

const wins = { none: 8, placebo: 8, 'agentrefine-1': 5, 'agentrefine-2': 6, 'agentrefine-3': 7, 'agentrefine-4': 2 }

describe("the paper's robustness table", () => {
  it('averages over None and P1 to P4, with the spread over P1 to P4 only', () => {
    const [table] = robustness.tables(aggregate(runWith(wins)), 'pooled')
    expect(
      columnsOf(table!)
        .map(({ title }) => title)
        .slice(0, 9),
    ).toEqual(['None', 'P1', 'P2', 'P3', 'P4', 'P5', 'Average', 'STD', 'placebo'])
    const { Average, STD, ...cells } = values(table!)
    expect(cells).toEqual({ None: 0.8, P1: 0.5, P2: 0.6, P3: 0.7, P4: 0.2, P5: undefined, placebo: 0.8 })
    expect(Average).toBeCloseTo(0.56, 12)
    // By hand: mean 0.5, squared deviations 0 + 0.01 + 0.04 + 0.09 = 0.14, / 3.
    expect(STD).toBeCloseTo(Math.sqrt(0.14 / 3), 12)
  })

  it('has a column of overflows only if an episode ended in one', () => {
    const overflowing = ({ rows, ...run }: StoredRun): StoredRun => ({
      ...run,
      rows: [...rows].map((row) =>
        row.column === 'agentrefine-1' && row.outcome === 'failure' ? { ...row, outcome: 'context-overflow' } : row,
      ),
    })
    const titles = (run: StoredRun) =>
      robustness.tables(aggregate(run), 'pooled').map((table) => columnsOf(table).at(-1)!.title)
    expect(titles(runWith(wins))[0]).toBe('placebo')
    const run = overflowing(runWith(wins))
    expect(titles(run)[0]).toBe('Overflow')
    const [table] = robustness.tables(aggregate(run), 'pooled')
    expect(table!.rows[0]!.cells.at(-1)!.value).toBeCloseTo(5 / 60, 12)
    for (const format of formats) expect(printReport(run, format)).toContain(format === 'json' ? 'overflow' : 'verflow')
    const { notices } = aggregate(run)
    expect(notices.map(({ kind }) => kind)).toContain('overflow')
  })

  it("reproduces the printed averages of AgentRefine's table 3 from its cells", () => {
    // Agent-FLAN: 67.2, 21.6, 51.4, 27.6, 52.2 and P5 1.5 over 134 games give 36.9.
    const games = [90, 29, 69, 37, 70]
    const columns = ['none', 'agentrefine-1', 'agentrefine-2', 'agentrefine-3', 'agentrefine-4']
    const plan = makePlan({
      environments: [{ name: 'household', tasks: 134 }],
      columns,
      models: [
        { name: 'flan', settings: {}, withoutInDomain: 'flan-without' },
        { name: 'flan-without', settings: {} },
      ],
      temperatures: [0],
      seeds: [1],
    })
    const run = makeRun(plan, (at) => {
      const won = Number(at.task.slice(5)) < (at.model === 'flan' ? games[columns.indexOf(at.column)]! : 2)
      return makeRow(at, won ? 'success' : 'failure', won ? 1 : 0)
    })
    const [table] = robustness.tables(aggregate(run), 'pooled')
    const { Average, P5 } = values(table!)
    expect(P5).toBeCloseTo(2 / 134, 12)
    expect((100 * Average!).toFixed(1)).toBe('36.9')
  })

  it('has P5 only for a model with a twin without in-domain rows', () => {
    const models = [
      { name: 'm', settings: {}, withoutInDomain: 'without' },
      { name: 'without', settings: {} },
    ]
    const [table] = robustness.tables(aggregate(runWith(wins, { models })), 'pooled')
    expect(values(table!, 0)).toMatchObject({ P5: 0.3, Average: (8 + 5 + 6 + 7 + 2 + 3) / 60 })
    expect(values(table!, 1)).toMatchObject({ None: 0.3, P5: undefined })
    expect(table!.notes.join(' ')).toContain('Average: mean of None, P1, P2, P3, P4 and P5 where it is filled.')
  })

  it('has no average if a planned cell has no value', () => {
    const { plan, rows } = runWith(wins)
    const [table] = robustness.tables(
      aggregate({ plan, rows: [...rows].filter(({ column }) => column !== 'agentrefine-2') }),
      'pooled',
    )
    expect(values(table!)).toMatchObject({ None: 0.8, P2: undefined, Average: undefined, STD: undefined })
  })

  it('averages over every perturbation if none is of the paper, except for adversarial ones and a promise of identity', () => {
    const wins = { none: 8, adversary: 0, mine: 4, placebo: 8, yours: 6 }
    const [table, worst] = robustness.tables(aggregate(runWith(wins)), 'pooled')
    expect(Object.keys(values(table!))).toEqual(['None', 'mine', 'yours', 'Average', 'STD', 'adversary', 'placebo'])
    expect(values(table!)['adversary']).toBe(0)
    expect(values(table!).Average).toBeCloseTo(0.6, 12)
    expect(values(table!).STD).toBeCloseTo(Math.SQRT2 / 10, 12)
    const apart = 'Adversarial, and so in no figure over several conditions: adversary.'
    expect(table!.notes.slice(-2)).toEqual([
      'STD: sample standard deviation (n−1) of mine and yours, without None.',
      apart,
    ])
    expect(worst!.notes).toContain(apart)
  })

  it('has a row for each temperature and one for all', () => {
    const [table] = robustness.tables(aggregate(workedExample()), 'pooled')
    expect(table!.rows.map(({ heads }) => heads.join(' '))).toEqual([
      'reader 0',
      'reader 1',
      'reader all',
      'parrot 0',
      'parrot 1',
      'parrot all',
    ])
  })

  it('names the agent if there are several, and has a table for each environment', () => {
    const plan = makePlan({
      agents: ['act', 'react'],
      environments: [
        { name: 'household', tasks: 2 },
        { name: 'kitchen', tasks: 3 },
      ],
    })
    const tables = robustness
      .tables(aggregate(makeRun(plan, (at) => at)), 'pooled')
      .filter(({ by }) => by === undefined)
    expect(tables.map(({ title }) => title)).toEqual(['Robustness on household', 'Robustness on kitchen'])
    expect(tables[0]!.heads).toEqual(['Model', 'Agent', 'T'])
    expect(tables[1]!.origin.join(' ')).toContain('kitchen, version 1: 3 tasks')
  })
})

describe('captions', () => {
  const caption = (run: StoredRun): string => {
    const [table] = robustness.tables(aggregate(run), 'pooled')
    return [table!.title, ...table!.notes, ...table!.origin].join('\n')
  }

  it('explain the figures', () => {
    expect(caption(workedExample())).toMatchInlineSnapshot(`
      "Robustness on household
      Success and progress rate in percent.
      A run is one seed at one temperature and scores its mean over tasks; a cell is the mean over runs.
      In the rows named all it is the mean of the means at each temperature (6 runs: 3 seeds, temperatures 0, 1).
      In brackets the sample standard deviation (n−1) over 3 seeds, in the rows named all within a temperature: how far runs scatter, not how far other tasks would. It applies to other runs on the same tasks.
      P1 to P4 are agentrefine-1, agentrefine-2, agentrefine-3 and agentrefine-4; P5 is None of the model named as trained without in-domain rows (none is named).
      Average: mean of None and P1.
      Exploratory: the primary endpoint is the mean change of success over 1 condition (table changes, by primary).
      Tasks: household, version 1: 4 tasks (panel bbe22c13).
      Agent: act.
      Prompt: shaketable's own.
      Limits: at most 30 steps and 100 tokens a reply.
      Runs: 3 seeds (1–3), temperatures 0, 1.
      Models: reader, parrot.
      Conditions: none; placebo: test; agentrefine-1: test.
      Coverage 97.9 % (141 of 144 planned episodes): 2 broken, 1 not played; neither enters a mean, and † marks the cells.
      4 of 96 pairs with the clean twin lack a measurement, and enter no change.
      shaketable 0.1.0, plan 41f01de30ffe."
    `)
  })

  it.each<[string, Parameters<typeof makePlan>[0], string]>([
    ['one run', { seeds: [1], temperatures: [0] }, 'A cell is one run, so there is no standard deviation.'],
    [
      'one seed',
      { seeds: [1] },
      'A cell is the mean over one run at each temperature, so there is no standard deviation.',
    ],
    ['one temperature', { temperatures: [1] }, '(n−1) over 3 seeds: how far'],
    ['scattered seeds', { seeds: [1, 2, 4] }, '3 seeds (1, 2, 4)'],
    [
      'many seeds',
      { seeds: Array.from({ length: 20 }, (_, seed) => 2 * seed) },
      '20 seeds (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, … #220d5657)',
    ],
  ])('state the axis of the spread: %s', (_, given, expected) => {
    expect(caption(makeRun(makePlan(given), (at) => at))).toContain(expected)
  })

  it('report that a run is still being written', () => {
    expect(caption({ ...workedExample(), writing: true })).toMatch(
      /^Robustness on household \(PARTIAL: the run was still being written\)/,
    )
  })

  it('report rows that were left out', () => {
    const run = workedExample()
    const rows = [...run.rows].map((row) =>
      row.column === 'agentrefine-1' && row.task === taskId(1) ? { ...row, dose: { ...changedDose, leaks: 100 } } : row,
    )
    const text = caption({ ...run, rows: [...rows, { ...rows[0]!, task: 'gone' }] })
    expect(text).toContain('1 row of unplanned episodes left out.')
  })

  it('never hide a missing episode by rounding', () => {
    const plan = makePlan({ environments: [{ name: 'household', tasks: 1000 }], columns: ['none'], models: ['m'] })
    const run = makeRun(plan, (at) => (at.task === taskId(7) && at.seed === 1 && at.temperature === 0 ? undefined : at))
    expect(caption(run)).toContain('Coverage 99.9 % (5,999 of 6,000 planned episodes): 0 broken, 1 not played')
  })
})

describe('reports', () => {
  it('have the same bytes for the same episodes in any order', () => {
    const run = workedExample()
    const shuffled = { plan: run.plan, rows: createRandom('order').shuffle([...run.rows]) }
    for (const report of reports) expect([...report.render(shuffled)]).toEqual([...report.render(run)])
    for (const format of formats) expect(printReport(shuffled, format)).toBe(printReport(run, format))
  })

  it('have distinct names, plain file names, and a source', () => {
    const files = reports.flatMap((report) => [...report.render(workedExample())].map(({ file }) => file))
    expect(files).toMatchInlineSnapshot(`
      [
        "tables/main.md",
        "tables/main.csv",
        "tables/robustness.md",
        "tables/robustness.csv",
        "tables/changes.md",
        "tables/changes.csv",
        "tables/behaviour.md",
        "tables/behaviour.csv",
        "charts/robustness-profile.svg",
        "charts/heat-map.svg",
        "charts/steps.svg",
        "charts/captions.md",
        "report.html",
        "report.json",
      ]
    `)
    expect(new Set(files).size).toBe(files.length)
    for (const report of reports) expect(report).toMatchObject({ summary: /./, source: /./ })
  })

  it('show a complete run in a terminal', () => {
    expect(printReport(workedExample(), 'terminal')).toMatchInlineSnapshot(`
      "READ THIS FIRST
      ! Only 141 of 144 planned episodes are measurements: 2 broke and 1 were not played. The rest enters no mean; changes
      have a second interval, over everything that it may have been. Run the same experiment again, without --only and
      --shard, to play the missing episodes.

      Robustness on household

                   Success rate
      Model   T        None        P1  P2  P3  P4  P5  Average  STD  placebo
      ──────────────────────────────────────────────────────────────────────
      reader  0    58 (14)   58 (14)    –   –   –   –       58    –  67 (14)
              1    64 (13)†  64 (13)†   –   –   –   –       64    –  67 (14)
              all  61 (14)†  61 (14)†   –   –   –   –       61    –  67 (14)
      parrot  0    92 (14)   25 (0)     –   –   –   –       58    –  92 (14)
              1    83 (14)   17 (14)†   –   –   –   –       50    –  83 (14)
              all  88 (14)   21 (10)†   –   –   –   –       54    –  88 (14)

                   Progress rate
      Model   T        None        P1  P2  P3  P4  P5  Average  STD  placebo
      ──────────────────────────────────────────────────────────────────────
      reader  0    65 (10)   65 (20)    –   –   –   –       65    –  73 (10)
              1    71 (19)†  73 (4)†    –   –   –   –       72    –  73 (20)
              all  68 (15)†  69 (14)†   –   –   –   –       68    –  73 (16)
      parrot  0    92 (14)   33 (10)    –   –   –   –       63    –  92 (14)
              1    88 (13)   35 (9)†    –   –   –   –       61    –  88 (13)
              all  90 (14)   34 (9)†    –   –   –   –       62    –  90 (14)

      Success and progress rate in percent.
      A run is one seed at one temperature and scores its mean over tasks; a cell is the mean over runs.
      In the rows named all it is the mean of the means at each temperature (6 runs: 3 seeds, temperatures 0, 1).
      In brackets the sample standard deviation (n−1) over 3 seeds, in the rows named all within a temperature: how far runs
      scatter, not how far other tasks would. It applies to other runs on the same tasks.
      P1 to P4 are agentrefine-1, agentrefine-2, agentrefine-3 and agentrefine-4; P5 is None of the model named as trained
      without in-domain rows (none is named).
      Average: mean of None and P1.

      Worst case over columns on household

              Success                         Progress                        Tasks
      Model   Worst case  One seed  Of clean  Worst case  One seed  Of clean  Solved in all  Columns
      ──────────────────────────────────────────────────────────────────────────────────────────────
      reader        56.3      39.6      43.8        64.6      54.2      57.3           50.0        2
      parrot        20.8      14.6      79.2        32.3      26.0      81.3           25.0        2

      Shares in percent over all seeds and temperatures; columns that promise identity do not enter.
      Worst case: per task the lowest of its columns' means, the clean one among them, then the mean over the tasks measured
      in every column.
      One seed: the worst case over the columns of one seed each, every column at another seed; Of clean: that of clean
      repeats at the same seeds, since the lowest of several noisy scores is low by chance. Columns do harm as far as the
      first of these two is below the second, which needs as many seeds as there are columns.
      Solved in all: tasks solved in every column in at least half of their measurements.
      These are single figures over tasks, so there is no standard deviation over runs.

      Primary endpoint on household

              Success                                     Evidence  Touched
      Model          Change      p   Holm     If missing  Tasks     Tasks
      ─────────────────────────────────────────────────────────────────────
      reader    2 [-57, 58]  1.000  1.000    2 [-59, 59]      4      75.0
      parrot  -67 [-98, 32]  0.250  0.500  -67 [-98, 33]      4      75.0

      Mean change of success over agentrefine-1, the default where the experiment names none. A task's change is its mean over
      agentrefine-1, the same tasks and conditions for every model, over every seed and temperature.
      Perturbed minus clean in percentage points; below 0 is a drop. In brackets the 95 % interval with the task as the
      cluster: a Bayesian bootstrap that allows for completely lost or gained tasks that were not drawn. It applies to other
      tasks of these kinds, not to other kinds. It is over tasks; no standard deviation over runs is shown.
      Every task enters, whether it was touched or not. Touched: the share of tasks, and of steps, in which the condition
      changed something, in percent; what the model did decides on it for some conditions, so it selects nothing.
      If missing: the widest 95 % interval over everything that the missing episodes may have been, failures in one arm and
      successes in the other.
      p: two-sided, of no difference, by the same test, not adjusted, so it is below 0.05 exactly where the interval excludes
      0. Holm: p adjusted over 2 comparisons (each model in each environment). Intervals are not adjusted.
      Every other table of this run is exploratory.

      Change by family on household

                             Success                                                       Progress       Evidence      Touched
      Model   Family         Clean  Perturbed         Change      p   Holm     If missing         Change  Tasks  Pairs  Tasks
      ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      reader  agentrefine-1   58.3       60.4    2 [-57, 58]  1.000  1.000    2 [-59, 59]    3 [-56, 59]      4  22/24   75.0
              placebo         60.4       64.6    4 [-56, 60]  1.000      –    4 [-56, 61]    4 [-56, 60]      4  23/24      –
      parrot  agentrefine-1   87.5       20.8  -67 [-98, 32]  0.250  0.500  -67 [-98, 33]  -57 [-89, 35]      4  23/24   75.0
              placebo         87.5       87.5    0 [-60, 60]  1.000      –    –              0 [-60, 60]      4  24/24      –

      One row a family: the conditions that differ in draw and intensity only. Families are in the order of their harm, the
      largest drop of success first; controls are last.
      Clean and perturbed success in percent over the same pairs of task, seed and temperature, the mean of the means at each
      temperature where there are several; Change: perturbed minus clean in points. In brackets the 95 % interval with the
      task as the cluster: a Bayesian bootstrap that allows for completely lost or gained tasks that were not drawn. It
      applies to other tasks of these kinds, not to other kinds. It is over tasks; no standard deviation over runs is shown.
      p: two-sided, of no difference, by the same test, not adjusted, so it is below 0.05 exactly where the interval excludes
      0. Holm: p adjusted over the families of all models, agents and environments; controls are not adjusted. Intervals are
      not adjusted.
      Every task enters, whether it was touched or not. Touched: the share of tasks, and of steps, in which the condition
      changed something, in percent; what the model did decides on it for some conditions, so it selects nothing.
      If missing: the widest 95 % interval over everything that the missing episodes may have been, failures in one arm and
      successes in the other.

      Change by condition, against the clean twin on household

                             Success
      Model   Column                Change      p   Holm  Drop rate     If missing
      ────────────────────────────────────────────────────────────────────────────
      reader  placebo          4 [-56, 60]  1.000      –       -6.9    4 [-56, 61]
              agentrefine-1    2 [-57, 58]  1.000  1.000       -3.6    2 [-59, 59]
      parrot  placebo          0 [-60, 60]  1.000      –        0.0    –
              agentrefine-1  -67 [-98, 32]  0.250  0.250       76.2  -67 [-98, 33]

                             Progress
      Model   Column                Change      p   Holm  Drop rate     If missing
      ────────────────────────────────────────────────────────────────────────────
      reader  placebo          4 [-56, 60]  1.000      –       -6.2    4 [-56, 61]
              agentrefine-1    3 [-56, 59]  1.000  1.000       -4.8    3 [-58, 59]
      parrot  placebo          0 [-60, 60]  1.000      –        0.0    –
              agentrefine-1  -57 [-89, 35]  0.281  0.281       64.0  -57 [-89, 37]

                             Flips                                                Evidence      Touched
      Model   Column         Lost  Gained  Both  Neither  Flipped  Clean repeats  Tasks  Pairs  Tasks
      ─────────────────────────────────────────────────────────────────────────────────────────────────
      reader  placebo           0       1    14        8      4.2           37.5      4  23/24      –
              agentrefine-1     2       2    11        7     18.3           37.5      4  22/24   75.0
      parrot  placebo           0       0    21        3      0.0           16.7      4  24/24      –
              agentrefine-1    15       0     5        3     65.2           16.7      4  23/24   75.0

      Perturbed minus clean in percentage points; below 0 is a drop.
      Pairs are of the same task, seed and temperature. In brackets the 95 % interval with the task as the cluster: a Bayesian
      bootstrap that allows for completely lost or gained tasks that were not drawn.
      p: two-sided, of no difference, by the same test, not adjusted, so it is below 0.05 exactly where the interval excludes
      0. Holm: p adjusted over the columns of one model and agent (each at 5 %); controls are not adjusted. Intervals are not
      adjusted.
      Drop rate: 1 − perturbed/clean in percent, the share of the clean score that is lost, with its 95 % interval: the rates
      that the same test does not reject. None where the clean score is 0, and no interval where 0 is not ruled out.
      Intervals are over tasks; no standard deviation over runs is shown. It applies to other tasks of these kinds, not to
      other kinds.
      Every task enters, whether it was touched or not. Touched: the share of tasks, and of steps, in which the condition
      changed something, in percent; what the model did decides on it for some conditions, so it selects nothing.
      If missing: the widest 95 % interval over everything that the missing episodes may have been, failures in one arm and
      successes in the other.
      Pairs by their outcomes. Lost: success in the clean twin only; Gained: under the perturbation only; Both, Neither: in
      both, in neither. Flipped: lost and gained, in percent of all pairs, over several temperatures the mean of the shares at
      each.
      Clean repeats: the same for pairs of clean runs at two seeds, which is how many flip without a perturbation. A column
      that promises identity does not measure that where a server repeats its replies to a seed.
      Over all seeds and temperatures: the mean of the means at each temperature.

      Behaviour on household

                             Episodes         Actions                                New wording  Not understood
      Model   Column         Coverage  Steps  Grounding  Memorised  Repeats  Format  Adapted      Unparsable  Verb  Item  State
      ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      reader  none              23/24   10.0      100.0          –      0.0     0.0        –             0.0   0.0   0.0    0.0
              placebo           24/24   10.0      100.0        0.0      0.0     0.0        –             0.0   0.0   0.0    0.0
              agentrefine-1     23/24   10.0      100.0        0.0      0.0     0.0      0.0             0.0   0.0   0.0    0.0
      parrot  none              24/24   10.0      100.0          –      0.0     0.0        –             0.0   0.0   0.0    0.0
              placebo           24/24   10.0      100.0        0.0      0.0     0.0        –             0.0   0.0   0.0    0.0
              agentrefine-1     23/24   10.0      100.0        0.0      0.0     0.0      0.0             0.0   0.0   0.0    0.0

                             Overhead       Calls                  Dose
      Model   Column         Steps  Tokens  Tokens in  Tokens out  Forms  Said  Seen  Names  Characters  Leaks
      ────────────────────────────────────────────────────────────────────────────────────────────────────────
      reader  none               –       –     1000.0        50.0      –     –     –      –           –      –
              placebo        100.0   100.0     1000.0        50.0    0.0   0.0   0.0    0.0         0.0      0
              agentrefine-1  100.0   100.0     1000.0        50.0    2.2   0.7   1.5    0.0        44.3      0
      parrot  none               –       –     1000.0        50.0      –     –     –      –           –      –
              placebo        100.0   100.0     1000.0        50.0    0.0   0.0   0.0    0.0         0.0      0
              agentrefine-1  100.0   100.0     1000.0        50.0    2.2   0.7   1.5    0.0        44.3      0

      Coverage: measurements / planned episodes; Steps: mean per episode.
      Grounding: mean over episodes of the share of actions understood; Memorised: actions refused for their old wording that
      the unperturbed environment would have accepted; Repeats: actions repeated right after they were not understood; Format:
      replies not of the expected layout; the last three in percent of an episode’s actions, mean over episodes.
      Adapted: episodes with an action understood in the new wording, in percent; At step: median over those of the step of
      the first such action.
      Not understood, in percent of an episode’s actions, mean over episodes: Unparsable: the reply was incomplete or not of
      the expected layout; Verb: the action begins like no action form; Item: it begins like one, but what follows is not
      items of the episode; State: a form with items of the episode that was not possible then.
      Overhead: perturbed over clean in percent, of pairs in which both succeed, with the 95 % interval over tasks by the test
      of the changes, relative to the largest number of steps or tokens, over all temperatures together.
      Calls, mean per episode: Tokens in and out: as the server counts them; History cut: parts of the history left out so
      that the prompts fit.
      Dose: how much was changed, mean per episode: action forms reworded, accepted actions and shown commands in the new
      wording, names replaced, characters in changed pieces. Leaks: total mentions of the old wording that the agent was
      shown.
      Error: standard error of the mean in percentage points, from a two-way analysis of variance over tasks and seeds
      (components below 0 count as 0). Seeds: for other runs on the same tasks; Tasks: for other tasks of these kinds; Both:
      for both at once, the error to use for a claim about other tasks of these kinds. None of them applies to other kinds of
      tasks.
      ICC: share of the variance between episodes that lies between tasks, 0 to 1. There is no figure with fewer than two
      seeds or tasks.
      SD within T: sample standard deviation (n−1) over the seeds, within a temperature, as in the robustness table; SD of
      runs: over all runs, every seed at every temperature; SD between T: of the means at each temperature. All in points.
      Measures are over all episodes together; they have no standard deviation over seeds.
      Over all seeds and temperatures: the mean of the means at each temperature.
      Exploratory: the primary endpoint is the mean change of success over 1 condition (table changes, by primary).
      Tasks: household, version 1: 4 tasks (panel bbe22c13).
      Agent: act.
      Prompt: shaketable's own.
      Limits: at most 30 steps and 100 tokens a reply.
      Runs: 3 seeds (1–3), temperatures 0, 1.
      Models: reader, parrot.
      Conditions: none; placebo: test; agentrefine-1: test.
      Coverage 97.9 % (141 of 144 planned episodes): 2 broken, 1 not played; neither enters a mean, and † marks the cells.
      4 of 96 pairs with the clean twin lack a measurement, and enter no change.
      shaketable 0.1.0, plan 41f01de30ffe.
      "
    `)
  })

  it('show planned columns without any episode', () => {
    const plan: Plan = makePlan({ columns: paperColumns, models: ['m'], temperatures: [0] })
    const text = printReport({ plan, rows: [] }, 'terminal')
    expect(text).toContain('m        –†  –†  –†  –†  –†   –        –    –       –†')
    expect(text).toMatch(/agentrefine-4 .* 0\/12\b/)
    expect(text).toContain('Coverage 0.0 % (0 of 72 planned episodes): 0 broken, 72 not played')
  })

  it('contain the aggregate for programs', () => {
    const run = workedExample()
    expect(JSON.parse(printReport(run, 'json'))).toEqual(JSON.parse(JSON.stringify(aggregate(run))))
  })
})
