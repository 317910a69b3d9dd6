import { chartWidth } from './chart.js'
import type { Colour } from './palette.js'
import type { Attributes } from './_svg.js'
import { element, number } from './_svg.js'
import { label, textWidth } from './_text.js'

/** How a line looks: each of colour, dashes and markers alone distinguishes lines. */
export interface LineStyle {
  readonly colour: Colour
  readonly dash?: string
  readonly shape: 'circle' | 'square' | 'up' | 'diamond' | 'down'
  readonly hollow?: true
}

/** The styles of a panel's lines, and so its maximum number of lines. */
const styles: readonly LineStyle[] = [
  { colour: 'ink', shape: 'circle' },
  { colour: 'blue', dash: '6 2', shape: 'square' },
  { colour: 'vermillion', dash: '2.5 1.5', shape: 'up' },
  { colour: 'green', dash: '8 2 2 2', shape: 'diamond' },
  { colour: 'orange', dash: '4 1.5', shape: 'down' },
  { colour: 'purple', dash: '8 2 2 2 2 2', shape: 'circle', hollow: true },
  { colour: 'sky', dash: '1.5 1.5', shape: 'square', hollow: true },
]

/** What a line is of, and how it looks. */
export interface Named {
  readonly name: string
  readonly style: LineStyle
}

/** Lines in parts of as many as there are styles; those `inEachPart` are the first in each of them. */
export function styleParts(names: readonly string[], inEachPart: readonly string[]): readonly (readonly Named[])[] {
  const others = names.filter((name) => !inEachPart.includes(name))
  const parts = others.length === 0 ? [[]] : chunks(others, styles.length - inEachPart.length)
  return parts.map((part) => [...inEachPart, ...part].map((name, place) => ({ name, style: styles[place]! })))
}

/** A list in pieces of a size; the last one may be shorter. */
export function chunks<Of>(all: readonly Of[], size: number): Of[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
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

/** The outline of a marker with its centre at `x` and `y`. */
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

/** A key to lines: a sample and a name of each, side by side in as many rows as needed. */
export function drawKey(lines: readonly Named[], top: number): { readonly marks: string; readonly height: number } {
  const { size, sample, gap } = key
  let [x, y] = [0, top + 6]
  const marks = lines.map(({ name, style }) => {
    const width = Math.min(textWidth(name, size), 120)
    if (x > 0 && x + sample + width > chartWidth) [x, y] = [0, y + 15]
    const drawn = drawSample(style, x, y) + label(name, { x: x + sample, y: y + 3.5, size, width: width + 0.5 })
    x += sample + width + gap
    return drawn
  })
  return { marks: marks.join(''), height: y - top + 12 }
}

const key = { size: 10.5, sample: 21, gap: 14 }

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
