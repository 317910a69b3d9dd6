import { pairsOf } from '../src/define.js'
import type { Aggregate } from '../src/results/aggregate.js'
import { dosesOf, familiesOf } from '../src/results/families.js'
import type { DoseCurve } from '../src/results/schema.js'
import { speaksOf, tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { evidenceNotes, touchedCells, touchedGroup } from './tables/evidence.js'
import { cleanLabel, figure, findGroup, nameRow, rowHeads } from './tables/rows.js'
import { differenceNotes } from './tables/tests.js'
import type { Cell, Table } from '../src/tables/table.js'

/**
 * Rates over the intensity of each family that was played at several: slope and area, and the probability that k tries
 * all succeed (reliability surface).
 */
export default defineTableReport({
  name: 'dose-response',
  summary: 'success over intensity with slope and area, and over intensity and k repeats',
  source: 'Reliability surface: ReliabilityBench (arXiv 2601.06112); pass^k: tau-bench (arXiv 2406.12045)',
  tables: (aggregate) => [...slopeTables(aggregate), ...surfaceTables(aggregate)],
})

/** One table for each environment; none for a run without a family of several intensities. */
function slopeTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const responses = aggregate.doseResponses.filter((one) => one.environment === environment)
    if (responses.length === 0) return []
    return {
      ...tableOn(aggregate, environment, 'dose-response', 'Dose-response'),
      notes: [
        'Families with several intensities, over all seeds, temperatures and draws, on the tasks measured at all of their intensities.',
        'Clean and Highest: rates in percent at intensity 0 and at the highest intensity that was played, To.',
        `${evidenceNotes.touched} Here at the highest intensity.`,
        `Slope: of the line of least squares through a task's rates, mean over tasks, in points per unit of intensity. ${differenceNotes.interval}`,
        'Area: mean rate over the intensities from 0 to the highest (trapezoidal rule) as a share of the clean rate, in percent; 100 is no harm. In brackets the 95 % interval: the shares that the same test does not reject.',
        `Intervals are over tasks and apply to these draws; no standard deviation over runs is shown. ${speaksOf.tasks}`,
      ],
      heads: rowHeads(aggregate, 'pooled', true).map((head) => (head === 'Column' ? 'Family' : head)),
      groups: [
        ...(['success', 'progress'] as const).map((metric) => ({
          title: metric === 'success' ? 'Success' : 'Progress',
          columns: [
            { title: 'Clean', shows: 'percent', metric: `${metric}-clean` } as const,
            { title: 'Highest', shows: 'percent', metric: `${metric}-highest` } as const,
            { title: 'Slope', shows: 'change', metric: `${metric}-slope` } as const,
            { title: 'Area', shows: 'share', metric: `${metric}-area` } as const,
          ],
        })),
        {
          title: 'Evidence',
          columns: [
            { title: 'Intensities', shows: 'count', metric: 'intensities' },
            { title: 'To', shows: 'ratio', metric: 'highest-intensity' },
            { title: 'Tasks', shows: 'count', metric: 'paired-tasks' },
          ],
        },
        touchedGroup,
      ],
      rows: responses.map(({ model, agent, family, success, progress }) => ({
        ...nameRow(aggregate, 'pooled', {}, { model, agent, label: family }),
        cells: [
          ...curveCells(success),
          ...curveCells(progress),
          figure(success.levels.length),
          figure(success.levels.at(-1)!.intensity),
          figure(success.tasks),
          ...touchedCells(success.levels.at(-1)!.touched),
        ],
      })),
    }
  })
}

function curveCells({ levels, slope, area }: DoseCurve): Cell[] {
  return [
    figure(levels[0]!.mean),
    figure(levels.at(-1)!.mean),
    { ...figure(slope?.mean), ...slope?.interval },
    { ...figure(area?.value), ...area?.interval },
  ]
}

/**
 * R(k, ε): a row for each intensity of a family at each temperature, a column for each k. None where no condition of a
 * family with several intensities has two tries.
 */
function surfaceTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const surface = surfaceOf(aggregate, environment)
    if (surface.length === 0) return []
    const known = [1, 2, 3, 4, 5, 6, 10].filter((k) => surface.some(({ shares }) => shares.length >= k))
    return {
      ...tableOn(aggregate, environment, 'reliability', 'Reliability surface'),
      notes: [
        'Probability in percent that k tries at a task all succeed, C(c, k)/C(n, k) of n measurements with c successes, mean over tasks, at each intensity of a family; 0 is the clean twin. The seeds at one temperature are the tries.',
        'With several draws, the mean over draws of what each of them gives. k is at most the fewest measurements of any task.',
        'The seeds serve as tries, so there is no standard deviation over them.',
      ],
      heads: [
        ...rowHeads(aggregate, 'each-temperature', true).map((head) => (head === 'Column' ? 'Family' : head)),
        'Intensity',
      ],
      groups: [
        {
          title: 'All of k',
          columns: known.map((k) => ({ title: `k = ${String(k)}`, shows: 'percent', metric: `pass-hat-${String(k)}` })),
        },
        { title: 'Evidence', columns: [{ title: 'Coverage', shows: 'coverage', metric: 'coverage' }] },
      ],
      rows: surface.map(({ model, agent, family, temperature, intensity, shares, coverage }) => {
        const row = nameRow(aggregate, 'each-temperature', { temperature }, { model, agent, label: family })
        return {
          ...row,
          heads: [...row.heads, String(intensity)],
          label: intensity === 0 ? (cleanLabel(aggregate) ?? family) : `${family}:intensity=${String(intensity)}`,
          cells: [...known.map((k) => ({ ...coverage, ...figure(shares[k - 1]) })), coverage],
        }
      }),
    }
  })
}

/** One row of a reliability surface. */
interface SurfaceRow {
  readonly model: string
  readonly agent: string
  readonly family: string
  readonly temperature: number
  readonly intensity: number
  /** The probability that k tries all succeed, for k = 1, 2, …; empty where nothing was tried twice. */
  readonly shares: readonly number[]
  readonly coverage: { readonly valid: number; readonly planned: number }
}

/** The reliability surface of an environment, by model, family, temperature and intensity. Empty without one. */
function surfaceOf(aggregate: Aggregate, environment: string): SurfaceRow[] {
  const clean = cleanLabel(aggregate)
  const graded = familiesOf(aggregate.columns)
    .map((family) => ({ name: family.name, doses: dosesOf(family).filter(({ intensity }) => intensity > 0) }))
    .filter(({ doses }) => doses.length > 1)
  const rows = pairsOf(aggregate).flatMap(({ model: { name: model }, agent: { name: agent } }) =>
    graded.flatMap(({ name: family, doses }) =>
      aggregate.temperatures.flatMap((temperature, place) =>
        [
          { intensity: 0, labels: clean === undefined ? [] : [clean] },
          ...doses.map(({ intensity, draws }) => ({ intensity, labels: draws.map(({ label }) => label) })),
        ].flatMap(({ intensity, labels }): SurfaceRow[] => {
          const scopes = labels.flatMap(
            (label) => findGroup(aggregate, environment, model, agent, label)?.temperatures[place] ?? [],
          )
          const curves = scopes.map(({ trials }) => trials?.passHatCurve ?? [])
          const fewest = Math.min(...curves.map((curve) => curve.length))
          const coverage = {
            valid: scopes.reduce((sum, scope) => sum + scope.coverage.valid, 0),
            planned: scopes.reduce((sum, scope) => sum + scope.coverage.planned, 0),
          }
          const shares = Array.from(
            { length: Number.isFinite(fewest) ? fewest : 0 },
            (_, k) => curves.reduce((sum, curve) => sum + curve[k]!, 0) / curves.length,
          )
          return [{ model, agent, family, temperature, intensity, shares, coverage }]
        }),
      ),
    ),
  )
  const isTried = (temperature: number): boolean =>
    rows.some((row) => row.temperature === temperature && row.shares.length > 1)
  return rows.filter(({ temperature }) => isTried(temperature))
}
