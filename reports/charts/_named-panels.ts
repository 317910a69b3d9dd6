import type { ChartPoint } from './chart.js'
import { chartWidth } from './chart.js'
import type { Axes, Line, Panel, Plot } from './_panel.js'
import { isShort } from './_panel.js'
import { drawPlot, drawShares, drawTicks } from './_plot.js'
import { pointText } from './_points.js'
import { linearScale, spread } from './_scale.js'
import { drawSample } from './_styles.js'
import { element, number } from './_svg.js'
import { label, nameRoom, textWidth } from './_text.js'

const size = 10.5
const left = 30
const inset = 10
const titleHeight = 22
const plotHeight = 96
const gap = 10
const pitch = titleHeight + plotHeight + gap
const namePitch = 12.5
const leader = 12
const sample = 20
const figureWidth = textWidth('100.0†', size)

/** Panels under each other, each line named at its end. */
export function drawNamedPanels(
  panels: readonly Panel[],
  axes: Axes,
): { readonly marks: string; readonly height: number } {
  const beside = leader + sample + (axes.showsLast ? figureWidth + 6 : 0)
  const names = panels.flatMap(({ lines }) => lines.map(({ name }) => name))
  const right = chartWidth - nameRoom(names, size, beside, beside + 110)
  const across = linearScale(axes.from, axes.to, left + inset, right - inset)
  const ticks = axes.ticks(6)
  const plots = panels.map((_, place) => {
    const top = 12 + place * pitch + titleHeight
    return { across, up: linearScale(0, 1, top + plotHeight, top), left, right }
  })
  const bottom = 12 + panels.length * pitch - gap
  const marks = [
    label(axes.up, { x: 0, y: 9, size: 10, fill: 'muted' }),
    ...panels.map((panel, place) => {
      const plot = plots[place]!
      const title = label(panel.title, { x: 0, y: plot.up(1) - 9, width: chartWidth, 'font-weight': 'bold' })
      return title + drawPlot(panel, plot, ticks) + drawShares(plot) + drawNames(panel.lines, plot, axes.showsLast)
    }),
    ...plots.slice(-1).map((plot) => drawTicks(plot, ticks)),
    label(axes.across, { x: (left + right) / 2, y: bottom + 28, size, 'text-anchor': 'middle' }),
  ]
  return { marks: marks.join('\n'), height: bottom + 32 }
}

/**
 * The name of each line at its end with a sample of it and, where wanted, its last figure; what would lie on each other
 * is moved apart.
 */
function drawNames(lines: readonly Line[], { across, up, right }: Plot, showsLast: boolean): string {
  const ends = lines.map((line) => {
    const last = line.points.at(-1)!
    return { line, last, x: across(last.x!), y: up(last.value!) }
  })
  const wanted = ends.map(({ y }) => y)
  const places = spread(wanted, namePitch, up(1) - 2, up(0) + 2)
  return ends
    .map(({ line, last, x, y }, index) => {
      const place = places[index]!
      const way = `M${number(x + 4)} ${number(y)}H${number(right)}L${number(right + leader - 1)} ${number(place)}`
      return (
        element('path', { d: way, fill: 'none', stroke: 'axis', 'stroke-width': 0.5 }) +
        drawName(line, showsLast ? last : undefined, right + leader, place)
      )
    })
    .join('')
}

function drawName(line: Line, last: ChartPoint | undefined, x: number, y: number): string {
  const figureEnd = x + sample + figureWidth
  const start = last ? figureEnd + 6 : x + sample
  const figure = last ? label(pointText(last), { x: figureEnd, y: y + 3.5, size, 'text-anchor': 'end' }) : ''
  const name = line.name + (!last && isShort(line) ? '†' : '')
  const place = { x: start, y: y + 3.5, size, width: chartWidth - start + 0.5 }
  return drawSample(line.style, x, y) + figure + label(name, place)
}
