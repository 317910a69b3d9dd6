import { chartWidth } from './chart.js'
import type { Named } from './_panel.js'
import { drawSample } from './_styles.js'
import { label, textWidth } from './_text.js'

const size = 10.5
const sample = 21
const gap = 14

/** What each line is of, side by side in as many rows as it takes. */
export function drawKey(lines: readonly Named[], top: number): { readonly marks: string; readonly height: number } {
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
