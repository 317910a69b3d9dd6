import { expect, it } from 'vitest'
import { dark, light } from '../../../reports/charts/palette.js'
import { contrast } from '../contrast.js'

const shares = (hex: string): number[] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)

it.each([light, dark])('a palette has legible text on paper and on the strongest cells', (palette) => {
  const [ink, paper] = [shares(palette.ink), shares(palette.paper)]
  expect(contrast(ink, paper)).toBeGreaterThan(7)
  expect(contrast(shares(palette.muted), paper)).toBeGreaterThan(4.5)
  for (const colour of [palette.vermillion, palette.blue]) {
    const strongest = shares(colour).map((share, part) => 0.65 * share + 0.35 * paper[part]!)
    expect(contrast(ink, strongest)).toBeGreaterThan(4.5)
  }
  expect(contrast(ink, shares(palette.cell))).toBeGreaterThan(7)
})
