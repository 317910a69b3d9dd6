import type { VNode } from 'preact'
import type { Change } from '../../../src/results/summary/findings.js'

/** The range of bars of differences, in shares of 1. */
export interface Scale {
  readonly low: number
  readonly high: number
}

const width = 200
const height = 14
const middle = height / 2

/** A scale for several bars that includes zero, rounded outwards to ten points. */
export function scaleOf(bars: readonly Change[]): Scale {
  const ends = bars.flatMap(({ mean, interval }) => [mean, interval?.low ?? mean, interval?.high ?? mean])
  return {
    low: Math.floor(10 * Math.min(-0.1, ...ends)) / 10,
    high: Math.ceil(10 * Math.max(0.1, ...ends)) / 10,
  }
}

/**
 * A dot with its interval on a line with a mark at zero. The figures are written beside it, so it is hidden from screen
 * readers.
 */
export function intervalBar({ mean, interval }: Change, scale: Scale, kind: string): VNode {
  const at = (share: number): string => {
    const inside = Math.min(scale.high, Math.max(scale.low, share))
    return (4 + ((inside - scale.low) / (scale.high - scale.low)) * (width - 8)).toFixed(1)
  }
  const zero = at(0)
  return (
    <svg class={`bar ${kind}`} viewBox={`0 0 ${String(width)} ${String(height)}`} aria-hidden="true">
      <line class="bar-axis" x1={4} x2={width - 4} y1={middle} y2={middle} />
      <line class="bar-zero" x1={zero} x2={zero} y1={1} y2={height - 1} />
      {interval && <line class="bar-interval" x1={at(interval.low)} x2={at(interval.high)} y1={middle} y2={middle} />}
      <circle class="bar-mean" cx={at(mean)} cy={middle} r={3.5} />
    </svg>
  )
}
