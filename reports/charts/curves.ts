import type { Aggregate, Group } from '../aggregate/aggregate.js'
import { findGroup } from '../tables/rows.js'
import type { ChartPoint, Drawing } from './chart.js'
import type { Axes, Section } from './_panels.js'
import { drawPanels } from './_panels.js'
import type { Subject } from './_points.js'
import { identityOf, percent, subjectsOf } from './_points.js'
import { ticksOf } from './_scale.js'
import { stylePanels } from './_styles.js'

/**
 * Share of episodes whose progress exceeds a threshold τ, for each column: the whole distribution of outcomes instead
 * of its mean (performance profile, rliable).
 */
export function profileDrawings(aggregate: Aggregate): Drawing[] {
  return drawCurves(aggregate, {
    what: 'Performance profile',
    notes: [
      'Share of episodes whose progress is above a threshold; a higher line is better everywhere, and lines that cross are better at one end only.',
    ],
    curvesOf: (group) => {
      const { profile } = group.pooled
      return profile ? [pooledCurve(group, 'share-above', profile, (index) => index / profile.length)] : []
    },
    describe: (point, subject) =>
      `${subject.name}, ${point.column}: ${percent(point.value!)} % of episodes with progress above ${percent(point.x!)} %`,
    axes: () => ({
      from: 0,
      to: 1,
      ticks: (max) => ticksOf(0, 1, max),
      across: 'Progress threshold τ',
      up: 'Share of episodes with progress above τ (%)',
      showsLast: false,
    }),
  })
}

/**
 * Mean progress after each step, clean and perturbed (AgentBoard's curve): whether a perturbation slows a model down or
 * stops it.
 */
export function stepsDrawings(aggregate: Aggregate): Drawing[] {
  return drawCurves(aggregate, {
    what: 'Progress over steps',
    notes: [
      'Mean progress rate after each step; an episode that has ended keeps its last rate. A figure beside a name is the rate at the end.',
    ],
    curvesOf: (group) => {
      const { curve } = group.pooled
      return curve ? [pooledCurve(group, 'progress-after', curve, (index) => index)] : []
    },
    describe: (point, subject) =>
      `${subject.name}, ${point.column}: progress ${percent(point.value!)} % after step ${String(point.x)}`,
    axes: (points) => {
      const to = Math.max(1, ...points.map(({ x }) => x!))
      return {
        from: 0,
        to,
        ticks: (max) => ticksOf(0, to, max).filter(Number.isInteger),
        across: 'Steps',
        up: 'Progress rate (%)',
        showsLast: true,
      }
    },
  })
}

/**
 * pass^k over k (tau-bench): the probability that k tries at a task all succeed, for each temperature. The faster a
 * line falls, the more of k = 1 is luck.
 */
export function passHatDrawings(aggregate: Aggregate): Drawing[] {
  const several = aggregate.temperatures.length > 1
  return drawCurves(aggregate, {
    what: 'pass^k over k',
    notes: [
      'Probability that k tries at a task all succeed, C(c, k)/C(n, k) of n measurements with c successes, mean over tasks; the seeds at one temperature are the tries.',
      'k goes as far as the task with the fewest measurements; a figure beside a name is the probability at that k. Lines that would hide each other are drawn side by side.',
    ],
    curvesOf: (group) =>
      group.temperatures.flatMap(({ temperature, trials, coverage }) => {
        if (trials?.passHatCurve === undefined) return []
        const identity = { ...identityOf(group), temperature, metric: 'pass-hat' }
        const points = trials.passHatCurve.map((value, index) => ({ ...identity, x: index + 1, value, ...coverage }))
        return [{ ...(several && { panel: `T = ${String(temperature)}` }), points }]
      }),
    describe: (point, subject) =>
      `${subject.name}, ${point.column}, temperature ${String(point.temperature)}: all of ${String(point.x)} tries succeed with ${percent(point.value!)} %`,
    axes: (points) => {
      const to = Math.max(2, ...points.map(({ x }) => x!))
      return {
        from: 1,
        to,
        ticks: (max) => [1, ...ticksOf(1, to, max).filter((tick) => Number.isInteger(tick) && tick > 1)],
        across: 'Tries k',
        up: 'Probability that all k succeed (%)',
        showsLast: true,
      }
    },
  })
}

/** A line, and the name of its panel where a model has several. */
interface Curve {
  readonly panel?: string
  readonly points: readonly ChartPoint[]
}

/** A chart with a line for each column. */
interface CurveChart extends Pick<Drawing, 'what' | 'notes'> {
  readonly curvesOf: (group: Group) => readonly Curve[]
  /** The tooltip of a point. */
  readonly describe: (point: ChartPoint, subject: Subject) => string
  readonly axes: (points: readonly ChartPoint[]) => Axes
}

/** A group's values over all seeds and temperatures as a line. */
function pooledCurve(group: Group, metric: string, values: readonly number[], at: (index: number) => number): Curve {
  const { coverage } = group.pooled
  return { points: values.map((value, index) => ({ ...identityOf(group), metric, x: at(index), value, ...coverage })) }
}

/** One or more panels for each model; no drawing for an environment in which no curve has two points. */
function drawCurves(aggregate: Aggregate, chart: CurveChart): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const sections = sectionsOf(aggregate, environment, chart)
    const lines = sections.flatMap(({ panels }) => panels.flatMap((panel) => panel.lines))
    if (!lines.some(({ points }) => points.length > 1)) return []
    const points = [...new Set(lines.flatMap((line) => line.points))]
    const { what, notes } = chart
    return [{ environment, what, notes, points, ...drawPanels(sections, chart.axes(points)) }]
  })
}

function sectionsOf(aggregate: Aggregate, environment: string, chart: CurveChart): Section[] {
  const subjects = subjectsOf(aggregate).map((subject) => {
    const curves = new Map(
      aggregate.columns.map(({ label }) => {
        const group = findGroup(aggregate, environment, subject.model, subject.agent, label)
        return [label, group ? chart.curvesOf(group) : []]
      }),
    )
    return { subject, curves }
  })
  const parts = stylePanels(aggregate.columns)
  return parts.map((columns, part) => ({
    key: columns.map(({ of, style }) => ({ name: of.label, style })),
    panels: subjects.flatMap(({ subject, curves }) =>
      [...new Set([...curves.values()].flat().map(({ panel }) => panel))].flatMap((name) => {
        const lines = columns.flatMap(({ of, style }) => {
          const curve = curves.get(of.label)!.find(({ panel }) => panel === name)
          if (curve === undefined || curve.points.length === 0) return []
          const describe = (point: ChartPoint): string => chart.describe(point, subject)
          return [{ name: of.label, style, points: curve.points, describe }]
        })
        const ofParts = parts.length > 1 ? `${String(part + 1)} of ${String(parts.length)}` : undefined
        const title = [subject.name, name, ofParts].filter((word) => word !== undefined).join(', ')
        return lines.length === 0 ? [] : [{ title, lines }]
      }),
    ),
  }))
}
