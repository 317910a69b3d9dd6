import { chartWidth } from './chart.js'
import { drawKey } from './_key.js'
import type { Axes, Section } from './_panel.js'
import { isShort } from './_panel.js'
import { drawPlot, drawShares, drawTicks } from './_plot.js'
import { linearScale } from './_scale.js'
import { label } from './_text.js'

const left = 26
const inset = 10
const gap = 14
const plotHeight = 84
const titleHeight = 24
const tickHeight = 28
const rowHeight = titleHeight + plotHeight

/**
 * Small panels side by side, for each section under a key to its lines; figures stand along the left and under what has
 * nothing below it.
 */
export function drawPanelGrid(
  sections: readonly Section[],
  axes: Axes,
): { readonly marks: string; readonly height: number } {
  const ticks = axes.ticks(3)
  const marks = [label(axes.up, { x: 0, y: 9, size: 10, fill: 'muted' })]
  let top = 16
  for (const { key, panels } of sections) {
    const drawnKey = drawKey(key, top)
    marks.push(drawnKey.marks)
    top += drawnKey.height
    const perRow = panels.length === 2 || panels.length === 4 ? 2 : 3
    const plotWidth = (chartWidth - left - (perRow - 1) * gap) / perRow
    panels.forEach((panel, place) => {
      const plotLeft = left + (place % perRow) * (plotWidth + gap)
      const plotTop = top + Math.floor(place / perRow) * rowHeight + titleHeight
      const plot = {
        across: linearScale(axes.from, axes.to, plotLeft + inset, plotLeft + plotWidth - inset),
        up: linearScale(0, 1, plotTop + plotHeight, plotTop),
        left: plotLeft,
        right: plotLeft + plotWidth,
      }
      const title = label(panel.title + (panel.lines.some(isShort) ? '†' : ''), {
        x: plotLeft,
        y: plotTop - 7,
        size: 10.5,
        width: plotWidth,
        'font-weight': 'bold',
      })
      const shares = place % perRow === 0 ? drawShares(plot) : ''
      const below = place + perRow >= panels.length ? drawTicks(plot, ticks) : ''
      marks.push(title + drawPlot(panel, plot, ticks) + shares + below)
    })
    top += Math.ceil(panels.length / perRow) * rowHeight + tickHeight
  }
  marks.push(label(axes.across, { x: (left + chartWidth) / 2, y: top, size: 10.5, 'text-anchor': 'middle' }))
  return { marks: marks.join('\n'), height: top + 6 }
}
