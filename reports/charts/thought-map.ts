import { chartWidth } from './chart.js'
import { embed, frame } from './_frame.js'
import { drawKey, markerPaint, markerShape, styleChunks } from './_styles.js'
import { element, escapeText, number } from './_svg.js'

/** A group of points on a map, each of which has its text as its title. */
export interface MappedGroup {
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number; readonly text: string }[]
}

const height = 400
const inset = 6

/** A map as a file of its own, and for a page that has the style of charts. */
export interface DrawnMap {
  readonly file: string
  readonly embedded: string
}

/**
 * A map of groups of points as SVG: a colour and a shape for each, drawn in turns so that no group covers another. More
 * than seven groups are in several panels, each with the same scale.
 */
export function drawThoughtMap(groups: readonly MappedGroup[], title: string, caption: readonly string[]): DrawnMap {
  const all = groups.flatMap(({ points }) => points)
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)]
  const scaleX = scale(xs, inset, chartWidth - inset)
  const scaleY = scale(ys, height - inset, inset)
  const marks: string[] = []
  let top = 0
  for (const panel of styleChunks(groups)) {
    const key = drawKey(
      panel.map(({ of: { name }, style }) => ({ name, style })),
      top,
    )
    const from = top + key.height + 4
    const border = { x: 0, y: from, width: chartWidth, height, fill: 'none', stroke: 'grid' } as const
    marks.push(key.marks, element('rect', border))
    const most = Math.max(...panel.map(({ of: { points } }) => points.length))
    for (let place = 0; place < most; place++) {
      for (const { of, style } of panel) {
        const point = of.points[place]
        if (point === undefined) continue
        const { name, attributes } = markerShape(style, Number(number(scaleX(point.x))), from + scaleY(point.y))
        const words = element('title', {}, escapeText(`${of.name}: ${shorten(point.text)}`))
        marks.push(element(name, { ...attributes, ...markerPaint(style), 'fill-opacity': 0.7 }, words))
      }
    }
    top = from + height + 8
  }
  const drawing = { what: title, notes: caption, points: [], height: top, marks: marks.join('\n') }
  const words = { title, caption }
  return { file: frame(drawing, words, 'thought-map'), embedded: embed(drawing, words, 'thought-map') }
}

/** Letters of a thought in its title. */
const maxLetters = 160

function shorten(text: string): string {
  const letters = [...text.slice(0, 2 * maxLetters + 2)]
  return letters.length > maxLetters ? `${letters.slice(0, maxLetters).join('')}…` : letters.join('')
}

/** A linear scale to a range; the middle of it where all values are equal. */
function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return (value) => (high > low ? from + ((value - low) / (high - low)) * (to - from) : (from + to) / 2)
}
