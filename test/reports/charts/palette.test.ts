import { describe, expect, it } from 'vitest'
import { dark, light } from '../../../reports/charts/palette.js'

type Triple = readonly [number, number, number]

function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Triple
}

function mix(over: string, under: string, share: number): string {
  const part = (hex: string, at: number): number => parseInt(hex.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(share * part(over, at) + (1 - share) * part(under, at)))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** Contrast ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const luminance = ([red, green, blue]: Triple): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const [low, high] = [luminance(linear(one)), luminance(linear(other))].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s palette', (_, palette) => {
  it('has legible text on paper and on the strongest cells', () => {
    expect(contrast(palette.ink, palette.paper)).toBeGreaterThan(7)
    expect(contrast(palette.muted, palette.paper)).toBeGreaterThan(4.5)
    for (const colour of ['vermillion', 'blue'] as const) {
      expect(contrast(palette.ink, mix(palette[colour], palette.paper, 0.65))).toBeGreaterThan(4.5)
    }
    expect(contrast(palette.ink, palette.cell)).toBeGreaterThan(7)
  })
})
