import type { ChartPoint } from './chart.js'
import { chartWidth } from './chart.js'
import type { Line, Panel, Plot } from './_plot.js'
import { coincidences, drawPlot, drawShares, drawTicks, mergeLines } from './_plot.js'
import { pointText } from './_points.js'
import { linearScale, spread, ticksOf } from './_scale.js'
import type { Named } from './_styles.js'
import { chunks, drawKey, drawSample } from './_styles.js'
import { element, number } from './_svg.js'
import { label, nameRoom, textWidth } from './_text.js'

/** Panels that share a key: lines of the same thing look alike. */
export interface Section {
  readonly key: readonly Named[]
  readonly panels: readonly Panel[]
}

/** What all panels of a chart have in common. */
export interface Axes {
  readonly from: number
  readonly to: number
  /** Whether only whole numbers are written along the horizontal axis. */
  readonly isWhole: boolean
  readonly across: string
  readonly up: string
}

/** Figures along the horizontal axis, about `max` of them. */
function ticksAlong({ from, to, isWhole }: Axes, max: number): number[] {
  return ticksOf(from, to, max).filter((tick) => !isWhole || Number.isInteger(tick))
}

/** Marks and their height in the drawing's units. */
interface Drawn {
  readonly marks: string
  readonly height: number
}

/**
 * Up to four panels are drawn below each other, with a name at the end of each line; more are small, side by side, with
 * a key above them. Lines that coincide are drawn once, with all their names.
 */
export function drawPanels(sections: readonly Section[], axes: Axes): Drawn {
  const merged = sections.map(({ key, panels }) => ({
    key,
    panels: panels.map((panel) => ({ ...panel, lines: mergeLines(panel.lines) })),
  }))
  const panels = merged.flatMap((section) => section.panels)
  return panels.length <= maxNamed ? drawNamedPanels(panels, axes) : drawPanelGrid(merged, axes)
}

/** A panel in which each line is drawn once. */
interface MergedPanel extends Panel {
  readonly lines: ReturnType<typeof mergeLines>
}

/** The names of a panel's lines that are drawn as one. */
function coincidencesOf({ lines }: MergedPanel, width: number) {
  return coincidences(
    lines.map(({ names }) => names),
    width,
  )
}

const maxNamed = 4
const size = 10.5
const inset = 10
const named = { left: 30, titleHeight: 22, plotHeight: 96, gap: 10, namePitch: 12.5, leader: 12, sample: 20 }
const figureWidth = textWidth('100.0†', size)

function drawNamedPanels(panels: readonly MergedPanel[], axes: Axes): Drawn {
  const { left, titleHeight, plotHeight, gap, leader, sample } = named
  const beside = leader + sample + figureWidth + 6
  const names = panels.flatMap(({ lines }) => lines.map((line) => line.names.join(' = ')))
  const right = chartWidth - nameRoom(names, size, beside, beside + 110)
  const across = linearScale(axes.from, axes.to, left + inset, right - inset)
  const ticks = ticksAlong(axes, 6)
  const same = panels.map((panel) => coincidencesOf(panel, chartWidth))
  let bottom = 12 - gap
  const plots = panels.map((_, index) => {
    const top = bottom + gap + titleHeight + same[index]!.height
    bottom = top + plotHeight
    return { across, up: linearScale(0, 1, bottom, top), left, right }
  })
  const marks = [
    label(axes.up, { x: 0, y: 9, size: 10, fill: 'muted' }),
    ...panels.map((panel, index) => {
      const plot = plots[index]!
      const { height, drawAt } = same[index]!
      const y = plot.up(1) - 9 - height
      const title = label(panel.title, { x: 0, y, width: chartWidth, 'font-weight': 'bold' }) + drawAt(0, y + 11)
      return title + drawPlot(panel, plot, ticks) + drawShares(plot) + drawNames(panel.lines, plot)
    }),
    ...plots.slice(-1).map((plot) => drawTicks(plot, ticks)),
    label(axes.across, { x: (left + right) / 2, y: bottom + 28, size, 'text-anchor': 'middle' }),
  ]
  return { marks: marks.join('\n'), height: bottom + 32 }
}

/**
 * The name of each line at its end, with a sample of the line and its last figure. Names that would overlap are moved
 * apart.
 */
function drawNames(lines: MergedPanel['lines'], { across, up, right }: Plot): string {
  const ends = lines.map((line) => {
    const last = line.points.at(-1)!
    return { line, last, x: across(last.x!), y: up(last.value!) }
  })
  const heights = spread(
    ends.map(({ y }) => y),
    named.namePitch,
    up(1) - 2,
    up(0) + 2,
  )
  return ends
    .map(({ line, last, x, y }, index) => {
      const height = heights[index]!
      const end = right + named.leader
      const path = `M${number(x + 4)} ${number(y)}H${number(right)}L${number(end - 1)} ${number(height)}`
      return (
        element('path', { d: path, fill: 'none', stroke: 'axis', 'stroke-width': 0.5 }) +
        drawName(line, last, end, height)
      )
    })
    .join('')
}

function drawName(line: MergedPanel['lines'][number], last: ChartPoint, x: number, y: number): string {
  const figureEnd = x + named.sample + figureWidth
  const start = figureEnd + 6
  const figure = label(pointText(last), { x: figureEnd, y: y + 3.5, size, 'text-anchor': 'end' })
  const attributes = { x: start, y: y + 3.5, size, width: chartWidth - start + 0.5 }
  return drawSample(line.style, x, y) + figure + label(line.names.join(' = '), attributes)
}

const grid = { left: 26, titleHeight: 24, plotHeight: 84, gap: 14, tickHeight: 28 }

/** Figures are written along the left, and below each panel that has no other panel below it. */
function drawPanelGrid(
  sections: readonly (Omit<Section, 'panels'> & { readonly panels: readonly MergedPanel[] })[],
  axes: Axes,
): Drawn {
  const { left, titleHeight, plotHeight, gap, tickHeight } = grid
  const ticks = ticksAlong(axes, 3)
  const marks = [label(axes.up, { x: 0, y: 9, size: 10, fill: 'muted' })]
  let top = 16
  for (const { key, panels } of sections) {
    const drawnKey = drawKey(key, top)
    marks.push(drawnKey.marks)
    top += drawnKey.height
    const perRow = panels.length === 2 || panels.length === 4 ? 2 : 3
    const plotWidth = (chartWidth - left - (perRow - 1) * gap) / perRow
    const rows = chunks(panels, perRow)
    for (const [place, row] of rows.entries()) {
      const same = row.map((panel) => coincidencesOf(panel, plotWidth))
      const rowTop = top + titleHeight
      const plotTop = rowTop + Math.max(...same.map(({ height }) => height))
      top = plotTop + plotHeight
      row.forEach((panel, index) => {
        const plotLeft = left + index * (plotWidth + gap)
        const plot = {
          across: linearScale(axes.from, axes.to, plotLeft + inset, plotLeft + plotWidth - inset),
          up: linearScale(0, 1, plotTop + plotHeight, plotTop),
          left: plotLeft,
          right: plotLeft + plotWidth,
        }
        const title = label(panel.title + (panel.lines.some(isIncomplete) ? '†' : ''), {
          x: plotLeft,
          y: rowTop - 7,
          size,
          width: plotWidth,
          'font-weight': 'bold',
        })
        const shares = index === 0 ? drawShares(plot) : ''
        const below = index < (rows[place + 1]?.length ?? 0) ? '' : drawTicks(plot, ticks)
        marks.push(title + same[index]!.drawAt(plotLeft, rowTop + 3) + drawPlot(panel, plot, ticks) + shares + below)
      })
    }
    top += tickHeight
  }
  marks.push(label(axes.across, { x: (left + chartWidth) / 2, y: top, size, 'text-anchor': 'middle' }))
  return { marks: marks.join('\n'), height: top + 6 }
}

/** Whether measurements are missing under a line. */
function isIncomplete({ points }: Line): boolean {
  return points.some(({ valid, planned }) => valid !== undefined && planned !== undefined && valid < planned)
}
