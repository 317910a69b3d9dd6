/**
 * A figure in hand-written SVG with the figures behind it. All text in it is escaped, and the same aggregate gives the
 * same bytes.
 */
export interface Chart {
  /** What is drawn: `degradation`, `heat-map`, … */
  readonly name: string
  /** Absent where all environments of the run are in it. */
  readonly environment?: string
  /**
   * The name of its files without an ending, in lower-case letters, digits and hyphens; no other chart of the run has
   * it. Every id in the SVG begins with it.
   */
  readonly file: string
  readonly title: string
  /** What stands under it, one sentence each. */
  readonly caption: readonly string[]
  readonly svg: string
  /** A line for each point, unrounded shares of 1. */
  readonly csv: string
  readonly points: readonly ChartPoint[]
}

/** One figure that a chart shows. Rates and differences are unrounded shares of 1. */
export interface ChartPoint {
  readonly environment: string
  readonly model: string
  readonly agent: string
  /** Label of the perturbation column. */
  readonly column: string
  /** Absent where it is over all temperatures. */
  readonly temperature?: number
  readonly metric: string
  /**
   * Where it stands on a chart's horizontal axis, where that is a number: a threshold of progress, a step, k, an
   * intensity.
   */
  readonly x?: number
  /** Absent where nothing was measured. */
  readonly value?: number
  /** 95 % interval. */
  readonly low?: number
  readonly high?: number
  readonly valid?: number
  readonly planned?: number
  /** The kind of task that it is about. Absent where it is over all of them. */
  readonly kind?: string
}

/** A chart before it has its frame: what is in it, and its marks in a box of {@link chartWidth} × `height`. */
export interface Drawing {
  readonly name: string
  readonly environment?: string
  /** What is shown: `Success and progress under each perturbation`. */
  readonly what: string
  /** What the marks are, one sentence each. */
  readonly notes: readonly string[]
  readonly points: readonly ChartPoint[]
  readonly height: number
  readonly marks: string
}

/**
 * Width of every chart in its own units: at the width of a paper's column (about 241 points) its smallest letters are
 * still 5.5 points high.
 */
export const chartWidth = 440
