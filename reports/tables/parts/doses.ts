import { pairsOf } from '../../../src/define.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import { dosesOf, familiesOf } from '../../../src/results/families.js'
import type { DoseResponse } from '../../../src/results/schema.js'
import type { Table } from '../../../src/tables/table.js'
import { speaksOf, tableOn } from '../captions.js'
import { changeCell, evidenceNotes, touchedMeasures } from '../evidence.js'
import type { Measure } from '../measured.js'
import { measure, measuredTables } from '../measured.js'
import type { Detail } from '../rows.js'
import { cleanLabel, figure, findGroup, nameRow, rowHeads } from '../rows.js'
import { differenceNotes } from '../tests.js'

/** Success over the intensity of each family that was played at several: slope and area. */
export function doseTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) =>
    measuredTables(
      {
        ...tableOn(aggregate, environment, 'curve', 'Dose-response: over the intensity of a family', 'dose'),
        heads: familyHeads(aggregate, 'pooled'),
      },
      aggregate.doseResponses
        .filter((one) => one.environment === environment)
        .map((of) => ({
          row: nameRow(aggregate, 'pooled', {}, { model: of.model, agent: of.agent, label: of.family }),
          of,
        })),
      doseMeasures,
      [
        'Families with several intensities, over all seeds, temperatures and draws, on the tasks measured at all of their intensities.',
        'Clean and Highest: rates in percent at intensity 0 and at the highest intensity that was played, To.',
        `${evidenceNotes.touched} Here at the highest intensity.`,
        `Slope: of the line of least squares through a task's rates, mean over tasks, in points per unit of intensity. ${differenceNotes.interval}`,
        'Area: mean rate over the intensities from 0 to the highest (trapezoidal rule) as a share of the clean rate, in percent; 100 is no harm. In brackets the 95 % interval: the shares that the same test does not reject.',
        `Intervals are over tasks and apply to these draws; no standard deviation over runs is shown. ${speaksOf.tasks}`,
      ],
    ),
  )
}

const doseMeasures: readonly Measure<DoseResponse>[] = [
  ...(['success', 'progress'] as const).flatMap((metric): Measure<DoseResponse>[] => {
    const title = metric === 'success' ? 'Success' : 'Progress'
    return [
      measure(title, 'Clean', 'percent', `${metric}-clean`, (one) => figure(one[metric].levels[0]!.mean)),
      measure(title, 'Highest', 'percent', `${metric}-highest`, (one) => figure(one[metric].levels.at(-1)!.mean)),
      measure(title, 'Slope', 'change', `${metric}-slope`, (one) => changeCell(one[metric].slope)),
      measure(title, 'Area', 'share', `${metric}-area`, (one) => {
        const { area } = one[metric]
        return { ...figure(area?.value), ...area?.interval }
      }),
    ]
  }),
  measure('Evidence', 'Intensities', 'count', 'intensities', ({ success }) => figure(success.levels.length)),
  measure('Evidence', 'To', 'ratio', 'highest-intensity', ({ success }) => figure(success.levels.at(-1)!.intensity)),
  measure('Evidence', 'Tasks', 'count', 'paired-tasks', ({ success }) => figure(success.tasks)),
  ...touchedMeasures<DoseResponse>(({ success }) => success.levels.at(-1)!.touched),
]

function familyHeads(aggregate: Aggregate, detail: Detail): string[] {
  return rowHeads(aggregate, detail, true).map((head) => (head === 'Column' ? 'Family' : head))
}

/**
 * R(k, ε), the reliability surface: a row for each intensity of a family at each temperature, a column for each k. None
 * where no condition of a family with several intensities has two tries.
 */
export function reliabilityTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) =>
    measuredTables<SurfaceRow>(
      {
        ...tableOn(aggregate, environment, 'curve', 'Reliability surface: over intensity and tries', 'reliability'),
        heads: [...familyHeads(aggregate, 'each-temperature'), 'Intensity'],
      },
      surfaceOf(aggregate, environment).map((of) => {
        const { model, agent, family, temperature, intensity } = of
        const row = nameRow(aggregate, 'each-temperature', { temperature }, { model, agent, label: family })
        const label = intensity === 0 ? cleanLabel(aggregate) : `${family}:intensity=${String(intensity)}`
        return { row: { ...row, heads: [...row.heads, String(intensity)], label: label ?? family }, of }
      }),
      [
        ...[1, 2, 3, 4, 5, 6, 10].map((k) =>
          measure<SurfaceRow>('All of k', `k = ${String(k)}`, 'percent', `pass-hat-${String(k)}`, (row) =>
            row.shares[k - 1] === undefined ? {} : { ...row.coverage, value: row.shares[k - 1]! },
          ),
        ),
        measure<SurfaceRow>('Evidence', 'Coverage', 'coverage', 'coverage', ({ coverage }) => coverage),
      ],
      [
        'Probability in percent that k tries at a task all succeed, C(c, k)/C(n, k) of n measurements with c successes, mean over tasks, at each intensity of a family; 0 is the clean twin. The seeds at one temperature are the tries.',
        'With several draws, the mean over draws of what each of them gives. k is at most the fewest measurements of any task.',
        'The seeds serve as tries, so there is no standard deviation over them.',
      ],
    ),
  )
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
