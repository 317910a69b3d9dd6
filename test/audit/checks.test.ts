import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePublished } from '../../src/results/published/parse-published.js'
import { audit } from '../../src/audit/audit.js'
import { fitCount } from '../../src/audit/counts.js'
import type { Known } from '../../src/audit/sheet.js'

/** Audits lines of `table,model,setting,environment,perturbation,metric,value,std`. */
function auditLines(lines: readonly string[], known: Partial<Known> = {}) {
  const file = parsePublished(`table,model,setting,environment,perturbation,metric,value,std\n${lines.join('\n')}\n`)
  expect(file.problems).toEqual([])
  const tasks = new Map([
    ['home', 20],
    ['away', 10],
  ])
  const result = audit(file, 'mine.csv', { tasks, ...known })
  return {
    ...result,
    check: (name: string) => result.checks.find((one) => one.name === name)!,
    found: result.checks.flatMap(({ name, findings }) =>
      findings.map(({ severity, lines, message }) => `${severity} ${name} ${lines.join(',')}: ${message}`),
    ),
  }
}

describe('an audit', () => {
  it('finds nothing in consistent figures', () => {
    const { found, checks } = auditLines([
      'T,m,,home,none,success,50.0,',
      'T,m,,home,none,progress,61.2,',
      'T,m,,home,P1,success,40.0,',
      'T,m,,home,P1,progress,55.3,',
      'T,m,,home,average,success,45.0,7.07',
    ])
    expect(found.filter((one) => !one.startsWith('note'))).toEqual([])
    expect(checks.map(({ name, checked, held }) => [name, checked, held])).toEqual([
      ['repeated cells', 0, 0],
      ['counts', 2, 2],
      ['progress', 2, 2],
      ['differences', 0, 0],
      ['averages', 1, 1],
      ['deviations', 1, 1],
      ['weighted scores', 0, 0],
      ['copied cells', 2, 2],
    ])
  })

  it.each<[string, readonly string[], string]>([
    [
      'a wrong average',
      ['T,m,,home,none,progress,50.2,', 'T,m,,home,P1,progress,40.0,', 'T,m,,home,mean,progress,44.9,'],
      'contradiction averages 4,2,3: T: m, home, mean, progress is printed as 44.9, but the mean is 45.100 over all cells.',
    ],
    [
      'a deviation by no convention',
      [
        'T,m,,home,none,success,50.0,',
        'T,m,,home,P1,success,40.0,',
        'T,m,,home,P2,success,30.0,',
        'T,m,,home,average,success,40.0,9.01',
      ],
      'doubt deviations 5,2,3,4: T: m, home, average, success is printed with a deviation of 9.01, which no convention gives: 8.165 (÷ 3) or 10.000 (÷ 2) over all cells, 5.000 (÷ 2) or 7.071 (÷ 1) over the perturbed cells.',
    ],
    [
      'progress below success',
      ['T,m,,home,none,success,50.0,', 'T,m,,home,none,progress,49.5,'],
      'contradiction progress 3,2: T: m, home, progress is printed as 49.5, below a success of 50.0.',
    ],
    [
      'a wrong difference',
      [
        'T,m,way=a;x=1,home,none,success,50.0,',
        'T,m,way=b-c;x=1,home,none,success,40.5,',
        'T,m,delta=a - b-c;x=1,home,none,success,9.1,',
      ],
      'contradiction differences 4,2,3: T: m (delta=a - b-c; x=1), home, success is printed as 9.1, but 50.0 − 40.5 is 9.5. It would take 49.6 (not a whole number of 20) in place of 50.0, or 40.9 (not a whole number of 20) in place of 40.5.',
    ],
    [
      'a cell with different figures',
      [
        'T,m,a=1;b=2,home,none,progress,55.5,',
        'U,m,b=2;a=1,home,none,progress,45.5,',
        'V,m,b=2;a=1,home,none,progress,45.5,',
      ],
      'contradiction repeated cells 2,3,4: m (a=1; b=2), home, progress is printed as 45.5 in U (line 3), V (line 4); as 55.5 in T (line 2). They differ in one digit.',
    ],
    [
      'a cell that differs by rounding',
      ['T,m,,home,none,progress,55.1,', 'U,m,,home,none,progress,55.2,'],
      'note repeated cells 3,2: m, home, progress is printed as 55.1 in T (line 2); as 55.2 in U (line 3).',
    ],
    [
      'an impossible count',
      ['T,m,,home,none,success,52.5,'],
      'contradiction counts 2: T: m, home, success is printed as 52.5, which is not a whole number of 20: 10 would be 50.00, 11 would be 55.00.',
    ],
    [
      'an impossible count of a number of tasks in the row',
      ['T,m,tasks=3,elsewhere,none,em,33.0,', 'T,m,tasks=3,elsewhere,none,em,66.6,'],
      'contradiction counts 2: T: m (tasks=3), elsewhere, em is printed as 33.0, which is not a whole number of 3: 0 would be 0.00, 1 would be 33.33.',
    ],
    [
      'a score that is not the mean of its cells',
      ['T,m,,home,none,success,50.0,', 'T,m,,away,none,success,80.0,', 'F,m,,overall,none,success,61.5,'],
      'doubt weighted scores 4,2,3: F: m, overall, success is printed as 61.5, but the mean of home and away, weighted by their 30 tasks, is 60.00; no other mean gives more than 0 of the 1 scores.',
    ],
    [
      'a copy of the unperturbed column',
      [
        'T,m,,home,none,success,50.0,',
        'T,m,,home,none,progress,60.5,',
        'T,m,,home,P1,progress,60.5,',
        'T,m,,home,P1,success,50.0,',
      ],
      'doubt copied cells 2,3,4,5: T: m, home: P1 has the figures of the unperturbed cell in every metric (progress 60.5, success 50.0): is it a measurement of its own?',
    ],
  ])('finds %s', (_, lines, expected) => {
    const { found } = auditLines(lines)
    expect(found).toContain(expected)
    expect(found.filter((one) => one.startsWith('contradiction')).length).toBeLessThanOrEqual(
      expected.startsWith('contradiction') ? 2 : 0,
    )
  })

  it.each<[string, readonly string[]]>([
    ['a mean over seeds', ['T,m,seeds=10,home,none,success,52.5,']],
    ['shares of 1', ['T,m,,home,none,success,0.55,', 'T,m,,home,none,progress,0.61,']],
    ['an unknown environment', ['T,m,,elsewhere,none,success,52.5,']],
    ['a metric that does not count tasks', ['T,m,,home,none,f1,52.5,']],
  ])('accepts %s', (_, lines) => {
    expect(auditLines(lines).check('counts').findings).toEqual([])
  })

  /**
   * AgentBoard's 134 tasks are an assumption if no number is given, and so is a single run if a deviation is
   * printed.
   */
  it.each<[string, string, Partial<Known>, readonly string[]]>([
    [
      'a count of another number of tasks',
      'T,m,,home,none,success,64.3,',
      { assumedFrom: 'AgentBoard' },
      [
        "doubt counts 2: T: m, home, success is printed as 64.3, which is not a whole number of 20 if the task count is 20: 12 would be 60.00, 13 would be 65.00. 20 is AgentBoard's number of tasks; give yours with --tasks.",
      ],
    ],
    [
      'the same if the number is given',
      'T,m,,home,none,success,64.3,',
      {},
      [
        'contradiction counts 2: T: m, home, success is printed as 64.3, which is not a whole number of 20: 12 would be 60.00, 13 would be 65.00.',
      ],
    ],
    [
      'the same if the row gives it',
      'T,m,tasks=20,home,none,success,64.3,',
      { assumedFrom: 'AgentBoard' },
      [
        'contradiction counts 2: T: m (tasks=20), home, success is printed as 64.3, which is not a whole number of 20: 12 would be 60.00, 13 would be 65.00.',
      ],
    ],
    ['the right number', 'T,m,,home,none,success,64.3,', { tasks: new Map([['home', 140]]) }, []],
    [
      'a mean over an unknown number of seeds',
      'T,m,,home,none,success,52.5,2.1',
      {},
      [
        'doubt counts 2: T: 1 rate with a deviation but without a number of seeds (line 2). If the mean is over one seed, no whole number of tasks has this rate; with 2 seeds there is one for each. Give the number of seeds with seeds= in the setting, or with --seeds.',
      ],
    ],
    [
      'such a mean with assumed tasks',
      'T,m,,home,none,success,52.51,2.1',
      { assumedFrom: 'AgentBoard' },
      [
        "doubt counts 2: T: 1 rate with a deviation but without a number of seeds (line 2). If the mean is over one seed and the task counts are AgentBoard's, no whole number of tasks has this rate; nor is there one for each with any number of seeds up to 20. Give the number of seeds with seeds= in the setting, or with --seeds.",
      ],
    ],
    [
      'seeds that are given and do not fit',
      'T,m,,home,none,success,52.3,2.1',
      { seeds: 2 },
      [
        'contradiction counts 2: T: m, home, success is printed as 52.3, which is not a whole number of 40 (20 tasks with 2 seeds): 20 would be 50.00, 21 would be 52.50.',
      ],
    ],
    ['seeds that are given and fit', 'T,m,,home,none,success,52.5,2.1', { seeds: 2 }, []],
    ['seeds of the row, which override the given ones', 'T,m,seeds=2,home,none,success,52.5,2.1', { seeds: 3 }, []],
  ])('reports a count as a contradiction only if tasks and seeds are given: %s', (_, line, known, expected) => {
    const { found, check } = auditLines([line], known)
    expect(found).toEqual(expected)
    expect(check('counts')).toMatchObject({ checked: 1, held: expected.length === 0 ? 1 : 0 })
  })

  it('allows for figures that were computed from unrounded cells', () => {
    const { found, check } = auditLines([
      'T,m,,home,none,progress,50.0,',
      'T,m,,home,P1,progress,40.0,',
      'T,m,,home,P2,progress,30.1,',
      'T,m,,home,average,progress,40.1,',
      'T,m,way=a,home,none,progress,50.0,',
      'T,m,way=b,home,none,progress,40.5,',
      'U,m,way=a,away,none,progress,50.0,',
      'U,m,way=b,away,none,progress,40.5,',
      'U,m,delta=a - b,away,none,progress,9.57,',
    ])
    expect(found.filter((one) => !one.startsWith('note'))).toEqual([])
    expect(check('averages').findings[0]!.message).toContain('1 only before the cells were rounded.')
  })

  it('notes a deviation that fits two conventions', () => {
    const { check } = auditLines([
      'T,m,,home,none,progress,50.0,',
      'T,m,,home,P1,progress,40.0,',
      'T,m,,home,P2,progress,45.0,',
      'T,m,,home,average,progress,45.0,4',
    ])
    expect(check('deviations')).toMatchObject({ checked: 1, held: 1 })
    expect(check('deviations').findings.at(-1)).toEqual({
      severity: 'note',
      lines: [5],
      message:
        'T: m, home, average, progress is printed with a deviation of 4, which fits 2 conventions: the population deviation (÷ 3) of all cells, 4.082, and the sample deviation (÷ 1) of the perturbed cells, 3.536. It is unknown which of them was used.',
    })
  })

  it('counts the figures that it cannot check without cells', () => {
    const { checks } = auditLines([
      'T,m,,home,average,success,50.0,3.00',
      'T,m,delta=a-b,home,none,success,1.0,',
      'T,m,,overall,none,success,50.0,',
      'T,n,,elsewhere,none,success,50.0,',
    ])
    expect(
      checks.filter(({ unchecked }) => unchecked > 0).map(({ name, checked, unchecked }) => [name, checked, unchecked]),
    ).toEqual([
      ['counts', 0, 1],
      ['progress', 0, 3],
      ['differences', 0, 1],
      ['averages', 0, 1],
      ['deviations', 0, 1],
      ['weighted scores', 0, 1],
    ])
  })

  it('reproduces every average and deviation that follows a convention', () => {
    const value = fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10)
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 3, maxLength: 7 }),
        fc.boolean(),
        fc.boolean(),
        (values, isSample, hasClean) => {
          const used = hasClean ? values : values.slice(1)
          const mean = used.reduce((sum, one) => sum + one, 0) / used.length
          const squares = used.reduce((sum, one) => sum + (one - mean) ** 2, 0)
          const deviation = Math.sqrt(squares / (used.length - (isSample ? 1 : 0)))
          const { check } = auditLines([
            ...values.map(
              (one, place) => `T,m,,home,${place === 0 ? 'none' : `P${String(place)}`},progress,${one.toFixed(1)},`,
            ),
            `T,m,,home,average,progress,${mean.toFixed(6)},${deviation.toFixed(6)}`,
          ])
          expect(check('averages')).toMatchObject({ checked: 1, held: 1 })
          expect(check('deviations')).toMatchObject({ checked: 1, held: 1 })
        },
      ),
    )
  })

  it('lists a bounded number of places, however often a cell is printed', () => {
    const many = Array.from({ length: 2000 }, (_, place) => String(place % 100))
    const { checks } = auditLines([
      ...many.map((value, place) => `T${String(place)},m,,home,none,success,${value}.5,`),
      ...many.map((value, place) => `A,m,,home,P${String(place)},success,${value}.5,`),
      ...many.map((value) => `A,m,,home,average,success,${value}.6,1.23`),
    ])
    const findings = checks.flatMap((one) => one.findings)
    expect(findings.length).toBeGreaterThan(4000)
    for (const { lines, message } of findings) {
      expect(lines.length).toBeLessThanOrEqual(24)
      expect(message.length).toBeLessThan(2000)
    }
  })

  it('never throws, for any figures', () => {
    const word = fc.constantFrom(...'a none average overall P1 __proto__ delta=a-b tasks=0 seeds=2'.split(' '))
    const row = fc.tuple(word, word, word, word, word, fc.constantFrom('success', 'progress', 'em'), fc.integer())
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const lines = rows.map((fields) => `${fields.map((field) => String(field).slice(0, 9)).join(',')},0.5`)
        const file = parsePublished(
          `table,model,setting,environment,perturbation,metric,value,std\n${lines.join('\n')}\n`,
        )
        expect(() => audit(file, 'any', { tasks: new Map([['a', 3]]), assumedFrom: 'b' })).not.toThrow()
      }),
    )
  })
})

describe('fitCount', () => {
  it('accepts every count, rounded and cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.nat(2000),
        fc.constantFrom(0, 1, 2),
        (trials, wanted, digits) => {
          const count = Math.min(wanted, trials)
          const [exact, unit] = [(100 * count) / trials, 10 ** -digits]
          expect(fitCount(Number(exact.toFixed(digits)), trials, 100, unit).rounded).toBe(true)
          const cut = Math.floor(exact / unit + 1e-9) * unit
          expect(fitCount(cut, trials, 100, unit).cut).toBe(true)
        },
      ),
    )
  })

  it.each([
    [16.6, 60, { rounded: false, cut: true }],
    [11.7, 60, { rounded: true, cut: false }],
    [76.2, 134, { rounded: false, cut: false }],
    [0, 20, { rounded: true, cut: true }],
    [100, 20, { rounded: true, cut: true }],
    [100.4, 20, { rounded: false, cut: false }],
    [-0.3, 20, { rounded: false, cut: false }],
  ])('finds for %f %% of %i: %o', (rate, trials, expected) => {
    expect(fitCount(rate, trials, 100, 0.1)).toEqual(expected)
  })
})
