import { describe, expect, it } from 'vitest'
import type { Colour } from '../../../reports/charts/palette.js'
import { dark, light } from '../../../reports/charts/palette.js'

type Triple = readonly [number, number, number]
const lines: readonly Colour[] = ['ink', 'blue', 'vermillion', 'green', 'orange', 'purple', 'sky']

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

/** Matrices for the complete lack of one type of cone: Machado, Oliveira and Fernandes 2009, severity 1. */
const eyes: Readonly<Record<string, readonly Triple[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** CIE L*a*b* of a colour as seen with a kind of colour vision. */
function seen(hex: string, eye: readonly Triple[]): Triple {
  const colour = linear(hex)
  const dot = (row: Triple, by: Triple): number => row[0] * by[0] + row[1] * by[1] + row[2] * by[2]
  const [red, green, blue] = eye.map((row) => Math.min(1, Math.max(0, dot(row, colour)))) as unknown as Triple
  const root = (value: number): number => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)
  const x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
  const y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
  const z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
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

  it.each(Object.entries(eyes))('has distinct lines for %s colour vision', (_, eye) => {
    for (const [place, one] of lines.entries()) {
      for (const other of lines.slice(place + 1)) {
        const distance = Math.hypot(
          ...seen(palette[one], eye).map((part, axis) => part - seen(palette[other], eye)[axis]!),
        )
        expect(distance, `${one} and ${other}`).toBeGreaterThan(12)
      }
    }
  })
})
