import type { Aggregate, Group } from '../aggregate/aggregate.js'
import { findGroup } from '../tables/rows.js'
import type { ChartPoint, Drawing } from './chart.js'
import type { Axes, Section } from './_panel.js'
import { drawPanels } from './_panels.js'
import type { Subject } from './_points.js'
import { subjectsOf } from './_points.js'
import { stylePanels } from './_styles.js'

/** What a chart of a curve for each column is about. */
interface Curves extends Pick<Drawing, 'name' | 'what' | 'notes'> {
  /** The curves of a group, each in a panel of its own that may have a name. */
  readonly curvesOf: (group: Group) => readonly { readonly panel?: string; readonly points: readonly ChartPoint[] }[]
  readonly describe: (point: ChartPoint, subject: Subject) => string
  readonly axes: (points: readonly ChartPoint[]) => Axes
}

/** A panel for each model with a line for each column; none for an environment where no curve has two points. */
export function drawCurves(aggregate: Aggregate, curves: Curves): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const sections = sectionsOf(aggregate, environment, curves)
    const lines = sections.flatMap(({ panels }) => panels.flatMap((panel) => panel.lines))
    if (!lines.some(({ points }) => points.length > 1)) return []
    const points = [...new Set(lines.flatMap((line) => line.points))]
    const { name, what, notes } = curves
    return [{ name, environment, what, notes, points, ...drawPanels(sections, curves.axes(points)) }]
  })
}

function sectionsOf(aggregate: Aggregate, environment: string, curves: Curves): Section[] {
  const known = subjectsOf(aggregate).map((subject) => ({
    subject,
    curves: curvesOf(aggregate, environment, subject, curves),
  }))
  const parts = stylePanels(aggregate.columns)
  return parts.map((columns, part) => ({
    key: columns.map(({ of, style }) => ({ name: of.label, style })),
    panels: known.flatMap((one) => {
      const kinds = new Set([...one.curves.values()].flat().map(({ panel }) => panel))
      return [...kinds].flatMap((kind) => {
        const lines = columns.flatMap(({ of, style }) => {
          const curve = one.curves.get(of.label)?.find(({ panel }) => panel === kind)
          if (curve === undefined || curve.points.length === 0) return []
          const describe = (point: ChartPoint): string => curves.describe(point, one.subject)
          return [{ name: of.label, style, points: curve.points, describe }]
        })
        const ofParts = parts.length > 1 ? `${String(part + 1)} of ${String(parts.length)}` : undefined
        const title = [one.subject.name, kind, ofParts].filter((word) => word !== undefined).join(', ')
        return lines.length === 0 ? [] : [{ title, lines }]
      })
    }),
  }))
}

type Known = ReadonlyMap<string, ReturnType<Curves['curvesOf']>>

function curvesOf(aggregate: Aggregate, environment: string, subject: Subject, curves: Curves): Known {
  return new Map(
    aggregate.columns.flatMap(({ label }) => {
      const group = findGroup(aggregate, environment, subject.model, subject.agent, label)
      return group ? [[label, curves.curvesOf(group)] as const] : []
    }),
  )
}
