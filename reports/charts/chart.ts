/** An SVG chart. All text in it is escaped, and the same aggregate gives the same bytes. */
export interface Chart {
  /** `heat-map`, `steps`, … */
  readonly name: string
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

/** A chart without its frame; the marks are in a box of {@link chartWidth} × `height`. */
export interface Drawing {
  /** Absent if the chart shows all environments of the run. */
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
