/** An SVG chart with its figures. All text in it is escaped, and the same aggregate gives the same bytes. */
export interface Chart {
  /** `heat-map`, `steps`, … */
  readonly name: string
  /** Absent if the chart shows all environments of the run. */
  readonly environment?: string
  /**
   * The name of its files without an extension, in lower-case letters, digits and hyphens; unique in the run. Every id
   * in the SVG begins with it.
   */
  readonly file: string
  readonly title: string
  /** The sentences for the text around the chart: what the marks are, the experiment and its coverage. */
  readonly caption: readonly string[]
  /** Those that explain the marks. */
  readonly notes: readonly string[]
  readonly svg: string
}

/** One figure that a chart shows. Rates and differences are unrounded shares of 1. */
export interface ChartPoint {
  readonly environment: string
  readonly model: string
  readonly agent: string
  /** Label of the perturbation column. */
  readonly column: string
  readonly metric: string
  /** Its position on a numeric horizontal axis: a step, an intensity, a checkpoint. */
  readonly x?: number
  /** Absent if nothing was measured. */
  readonly value?: number
  /** 95 % interval. */
  readonly low?: number
  readonly high?: number
  readonly valid?: number
  readonly planned?: number
  /** Of a change: the shares of tasks and of steps that the condition touched. Absent where it promises identity. */
  readonly touchedTasks?: number
  readonly touchedSteps?: number
}

/** A chart without its frame; the marks are in a box of {@link chartWidth} × `height`. */
export interface Drawing {
  readonly environment?: string
  /** Title without the environment: `Change under perturbation`. */
  readonly what: string
  /** Sentences that explain the marks. */
  readonly notes: readonly string[]
  readonly height: number
  readonly marks: string
}

/**
 * Width of every chart in its own units: in a paper's column (about 241 points wide) its smallest letters are still 5.5
 * points high.
 */
export const chartWidth = 440
