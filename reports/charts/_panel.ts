import type { ChartPoint } from './chart.js'
import type { Scale } from './_scale.js'
import type { LineStyle } from './_styles.js'

/** Lines over one horizontal axis; the vertical one is a share from 0 to 100 %. */
export interface Panel {
  readonly title: string
  readonly lines: readonly Line[]
}

/** Panels whose lines look alike where they are of the same thing. */
export interface Section {
  readonly key: readonly Named[]
  readonly panels: readonly Panel[]
}

/** What a line is of, and how it looks. */
export interface Named {
  readonly name: string
  readonly style: LineStyle
}

/** One line. Each point has an `x` and a `value`; they stand in the order of `x`. */
export interface Line extends Named {
  readonly points: readonly ChartPoint[]
  /** What is told where the pointer rests on a point. */
  readonly describe: (point: ChartPoint) => string
}

/** What all panels of a chart have in common. */
export interface Axes {
  readonly from: number
  readonly to: number
  /** Figures along the horizontal axis, about as many as there is room for. */
  readonly ticks: (most: number) => readonly number[]
  readonly across: string
  readonly up: string
  /** Whether a line's last figure stands with its name. */
  readonly showsLast: boolean
}

/** Where a panel's marks lie. */
export interface Plot {
  readonly across: Scale
  readonly up: Scale
  readonly left: number
  readonly right: number
}

/** Whether measurements are missing under a line. */
export function isShort({ points }: Line): boolean {
  return points.some(({ valid, planned }) => valid !== undefined && planned !== undefined && valid < planned)
}
