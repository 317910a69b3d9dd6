import { labelWithout } from '../../src/define.js'
import type { Aggregate } from '../aggregate/aggregate.js'
import type { FamilyProfile, TrainingCurve } from '../aggregate/schema.js'
import { listWords } from '../../src/tables/words.js'
import { speaksOf } from '../tables/captions.js'
import { cleanLabel, findGroup } from '../tables/rows.js'
import type { ChartPoint, Drawing } from './chart.js'
import type { Section } from './_panels.js'
import { drawPanels } from './_panels.js'
import type { Line, Range } from './_plot.js'
import { describeInterval, percent, signed, touchedPoint } from './_points.js'
import { ticksOf } from './_scale.js'
import { chunks, styleChunks } from './_styles.js'

/** Success over the checkpoints of a training, without perturbation, under each family and over all conditions. */
export function trainingDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const curves = (aggregate.trainingCurves ?? []).filter(
      (curve) => curve.environment === environment && curve.success.trends !== undefined,
    )
    const all = curves.flatMap((curve) => linesOf(aggregate, curve).map((line) => ({ ...line, curve })))
    if (all.length === 0) return []
    const points = all.flatMap((line) => line.points)
    const steps = points.map(({ x }) => x!)
    const [from, to] = [Math.min(...steps), Math.max(...steps)]
    const labels = [...new Set(curves.flatMap(({ columns }) => columns))]
    return [
      {
        environment,
        what: 'Training curve',
        notes: [
          'Success over the steps of the checkpoints, mean over every seed at every temperature, without perturbation and under each family at its highest intensity; change: perturbed minus clean, paired by task, seed and temperature.',
          `The line ${allName}: mean over ${labels.length > 4 ? `${String(labels.length)} conditions` : listWords(labels)}, draws of one perturbation as one. Whiskers, for this line and the one without perturbation: 95 % interval over tasks, each checkpoint by itself; a line of many checkpoints has marks at some of them. ${speaksOf.tasks}`,
          'Lines that would hide each other are drawn side by side; a figure beside a name is that of the last checkpoint. The table curve has the tests.',
        ],
        points,
        ...drawPanels(sectionsOf(all, curves), {
          from,
          to,
          ticks: (max) => ticksOf(from, to, max),
          across: 'Step of the checkpoint',
          up: 'Success (%), change of success (points)',
          showsLast: true,
        }),
      },
    ]
  })
}

const allName = 'all conditions'

/** A line of a curve: of rates, or of their changes. */
interface CurveLine {
  readonly name: string
  readonly isChange: boolean
  /** Whether it is drawn in each panel, with whiskers. */
  readonly isMain: boolean
  readonly points: readonly ChartPoint[]
}

function linesOf(aggregate: Aggregate, curve: TrainingCurve): CurveLine[] {
  const { environment, agent, checkpoints, success } = curve
  const clean = cleanLabel(aggregate)
  const families = new Map<
    string,
    { readonly model: string; readonly step: number; readonly family: FamilyProfile }[]
  >()
  const coverageOf = (model: string, labels: readonly string[]) => {
    const covered = labels.flatMap(
      (label) => findGroup(aggregate, environment, model, agent, label)?.pooled.coverage ?? [],
    )
    return {
      valid: covered.reduce((sum, { valid }) => sum + valid, 0),
      planned: covered.reduce((sum, { planned }) => sum + planned, 0),
    }
  }
  for (const { model, step } of checkpoints) {
    const profile = aggregate.profiles.find(
      (one) => one.environment === environment && one.model === model && one.agent === agent,
    )
    for (const family of profile?.families ?? []) {
      if (family.identity || family.adversarial) continue
      families.set(family.family, [...(families.get(family.family) ?? []), { model, step, family }])
    }
  }
  const pointOf = (model: string, step: number, column: string, metric: string, labels: readonly string[]) => ({
    environment,
    model,
    agent,
    column,
    metric,
    x: step,
    ...coverageOf(model, labels),
  })
  const main = (
    name: string,
    isChange: boolean,
    column: string,
    labels: readonly string[],
    of: Figures,
  ): CurveLine => ({
    name,
    isChange,
    isMain: true,
    points: checkpoints.flatMap(({ model, step, touched }, place) => {
      const { value, interval } = of(success.points[place]!)
      if (value === undefined) return []
      return {
        ...pointOf(model, step, column, isChange ? 'success-change' : 'success', labels),
        value,
        ...interval,
        ...touchedPoint(isChange ? touched : undefined),
      }
    }),
  })
  const ofFamilies = [...families].flatMap(([name, members]) =>
    [false, true].map((isChange): CurveLine => ({
      name,
      isChange,
      isMain: false,
      points: members.flatMap(({ model, step, family }) => {
        const { mean, perturbed, interval } = family.success
        const value = isChange ? mean : perturbed
        if (value === undefined) return []
        const column = family.columns.length === 1 ? family.columns[0]! : labelWithout(family.columns[0]!, 'draw')
        return {
          ...pointOf(model, step, column, isChange ? 'success-change' : 'success', family.columns),
          value,
          ...(isChange && { ...interval, ...touchedPoint(family.touched) }),
        }
      }),
    })),
  )
  const lines = [
    main('no perturbation', false, clean ?? '', clean === undefined ? [] : [clean], ({ clean: rate }) => ({
      value: rate?.mean,
      interval: rate?.overTasks,
    })),
    main(allName, false, allName, curve.columns, ({ perturbed }) => ({
      value: perturbed?.mean,
      interval: perturbed?.overTasks,
    })),
    main(allName, true, allName, curve.columns, ({ change }) => ({ value: change.mean, interval: change.interval })),
    // One family alone is all conditions.
    ...(families.size > 1 ? ofFamilies : []),
  ]
  return lines.filter(({ points }) => points.length > 0)
}

type Figures = (point: TrainingCurve['success']['points'][number]) => {
  readonly value: number | undefined
  readonly interval: { readonly low: number; readonly high: number } | undefined
}

/** Lines besides the main two in one panel. */
const perPanel = 5

/** Panels with rates first, then those with changes, which have one range. */
function sectionsOf(
  all: readonly (CurveLine & { readonly curve: TrainingCurve })[],
  curves: readonly TrainingCurve[],
): Section[] {
  const names = [...new Set(all.filter(({ isMain }) => !isMain).map(({ name }) => name))]
  const parts = names.length === 0 ? [[]] : chunks(names, perPanel)
  const several = new Set(curves.map(({ agent }) => agent)).size > 1
  return [false, true].flatMap((isChange) =>
    parts.map((part, index): Section => {
      const [styled] = styleChunks(['no perturbation', allName, ...part])
      const shown = styled!.filter(({ of }) => all.some((line) => line.name === of && line.isChange === isChange))
      const panels = curves.map((curve) => {
        const { series, agent } = curve
        const title = [
          several ? `${series} · ${agent}` : series,
          isChange ? 'change of success (points)' : 'success (%)',
          ...(parts.length > 1 ? [`${String(index + 1)} of ${String(parts.length)}`] : []),
        ].join(', ')
        const lines = shown.flatMap(({ of: name, style }): Line[] => {
          const line = all.find((one) => one.curve === curve && one.name === name && one.isChange === isChange)
          if (line === undefined) return []
          const points = line.points.map((point) => (line.isMain ? point : omitInterval(point)))
          return [{ name, style, points, describe }]
        })
        return { title, lines, ...(isChange && { range: rangeOf(all) }) }
      })
      return {
        key: shown.map(({ of: name, style }) => ({ name, style })),
        panels: panels.filter(({ lines }) => lines.length > 0),
      }
    }),
  )
}

function omitInterval(point: ChartPoint): ChartPoint {
  return Object.fromEntries(
    Object.entries(point).filter(([name]) => name !== 'low' && name !== 'high'),
  ) as unknown as ChartPoint
}

/** The range of all changes with their drawn intervals, in steps of 25 points. */
function rangeOf(all: readonly CurveLine[]): Range {
  const changes = all
    .filter(({ isChange }) => isChange)
    .flatMap(({ isMain, points }) =>
      points.flatMap(({ value = 0, low = value, high = value }) => (isMain ? [low, high] : [value])),
    )
  const round = (share: number, to: (x: number) => number): number => to(share * 4 - 1e-9 * Math.sign(share)) / 4
  return {
    from: Math.min(-0.25, round(Math.min(0, ...changes), Math.floor)),
    to: Math.max(0, round(Math.max(0, ...changes), Math.ceil)),
  }
}

/** `checkpoint-200, all conditions: change of success −12.0 points, 95 % interval …; 50 of 50 episodes measured`. */
function describe(point: ChartPoint): string {
  const { model, column, metric, value, valid, planned } = point
  const figure = metric === 'success' ? `success ${percent(value!)} %` : `change of success ${signed(value!)} points`
  const coverage = valid === undefined ? '' : `; ${String(valid)} of ${String(planned)} episodes measured`
  return `${model}, ${column}: ${figure}${describeInterval(point)}${coverage}`
}
