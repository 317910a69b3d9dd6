import type { AggregateColumn } from '../aggregate/aggregate.js'
import type { Colour } from './palette.js'
import type { Attributes } from './_svg.js'
import { element, number } from './_svg.js'

/** How a line looks: colour, dashes and markers each tell lines apart without the other two. */
export interface LineStyle {
  readonly colour: Colour
  readonly dash?: string
  readonly shape: 'circle' | 'square' | 'up' | 'diamond' | 'down'
  readonly hollow?: true
}

/** The most lines of a panel. */
const styles: readonly LineStyle[] = [
  { colour: 'ink', shape: 'circle' },
  { colour: 'blue', dash: '6 2', shape: 'square' },
  { colour: 'vermillion', dash: '2.5 1.5', shape: 'up' },
  { colour: 'green', dash: '8 2 2 2', shape: 'diamond' },
  { colour: 'orange', dash: '4 1.5', shape: 'down' },
  { colour: 'purple', dash: '8 2 2 2 2 2', shape: 'circle', hollow: true },
  { colour: 'sky', dash: '1.5 1.5', shape: 'square', hollow: true },
]

/** Something with the style of its line. */
export interface Styled<Of> {
  readonly of: Of
  readonly style: LineStyle
}

/** Columns in panels of as many lines as are told apart, the clean one, solid and in ink, in each of them. */
export function stylePanels(columns: readonly AggregateColumn[]): readonly (readonly Styled<AggregateColumn>[])[] {
  const clean = columns.filter((column) => column.clean).map((of) => ({ of, style: styles[0]! }))
  const perturbed = columns.filter((column) => !column.clean)
  if (perturbed.length === 0) return [clean]
  return chunks(perturbed, styles.length - 1).map((chunk) => [
    ...clean,
    ...chunk.map((of, place) => ({ of, style: styles[place + 1]! })),
  ])
}

/** Anything else in panels of as many lines as are told apart. */
export function styleChunks<Of>(all: readonly Of[]): readonly (readonly Styled<Of>[])[] {
  return chunks(all, styles.length).map((chunk) => chunk.map((of, place) => ({ of, style: styles[place]! })))
}

/** A list in pieces of a size, the last one shorter. */
export function chunks<Of>(all: readonly Of[], size: number): Of[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, place) => all.slice(place * size, (place + 1) * size))
}

/** Attributes of a line. */
export function strokeOf({ colour, dash }: LineStyle): Attributes {
  return { fill: 'none', stroke: colour, 'stroke-width': 1.5, 'stroke-linejoin': 'round', 'stroke-dasharray': dash }
}

/** Attributes of markers. */
export function markerPaint({ colour, hollow }: LineStyle): Attributes {
  if (hollow) return { fill: 'paper', stroke: colour, 'stroke-width': 1.25 }
  return { fill: colour, stroke: 'paper', 'stroke-width': 0.75 }
}

/** The outline of a marker at a place. */
export function markerShape(
  { shape }: LineStyle,
  x: number,
  y: number,
): { readonly name: string; readonly attributes: Attributes } {
  if (shape === 'circle') return { name: 'circle', attributes: { cx: x, cy: y, r: 2.9 } }
  const corners = outlines[shape].map(([right, down]) => `${number(x + right)} ${number(y + down)}`)
  return { name: 'path', attributes: { d: `M${corners.join('L')}Z` } }
}

/** A short piece of a line with its marker, from `x` to the right. */
export function drawSample(style: LineStyle, x: number, y: number): string {
  const { name, attributes } = markerShape(style, x + 8, y)
  return (
    element('line', { x1: x, x2: x + 16, y1: y, y2: y, ...strokeOf(style) }) +
    element(name, { ...attributes, ...markerPaint(style) })
  )
}

const outlines = {
  square: [
    [-2.6, -2.6],
    [2.6, -2.6],
    [2.6, 2.6],
    [-2.6, 2.6],
  ],
  up: [
    [0, -3.5],
    [3.3, 2.4],
    [-3.3, 2.4],
  ],
  diamond: [
    [0, -3.7],
    [3.7, 0],
    [0, 3.7],
    [-3.7, 0],
  ],
  down: [
    [0, 3.5],
    [3.3, -2.4],
    [-3.3, -2.4],
  ],
} as const
