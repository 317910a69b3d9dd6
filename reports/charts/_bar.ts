import type { ChartPoint } from './chart.js'
import type { Scale } from './_scale.js'
import { element, number } from './_svg.js'

/** A bar's place. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const hatchStep = 4

/**
 * Slanted lines across a bar. They are drawn one by one, since a pattern would need an id and not every converter knows
 * patterns.
 */
export function drawHatch({ x, y, width, height }: Box): string {
  const bottom = y + height
  let path = ''
  for (let start = hatchStep - height; start < width; start += hatchStep) {
    const [from, to] = [Math.max(0, start), Math.min(width, start + height)]
    path += `M${number(x + from)} ${number(bottom - from + start)}L${number(x + to)} ${number(bottom - to + start)}`
  }
  if (path === '') return ''
  return element('path', {
    d: path,
    fill: 'none',
    stroke: 'muted',
    'stroke-width': 0.75,
    'pointer-events': 'none',
  })
}

/** A point's interval along a horizontal scale, with a cap at each end; nothing where it has none. */
export function drawInterval({ low, high }: ChartPoint, scale: Scale, middle: number): string {
  if (low === undefined || high === undefined) return ''
  const cap = (x: number): string => `M${number(x)} ${number(middle - 2.5)}v5`
  return element('path', {
    d: `M${number(scale(low))} ${number(middle)}H${number(scale(high))}${cap(scale(low))}${cap(scale(high))}`,
    fill: 'none',
    stroke: 'ink',
    'stroke-width': 1,
    'pointer-events': 'none',
  })
}
