/** Contrast ratio of WCAG 2 of two colours, each red, green and blue as shares of 1. */
export function contrast(one: readonly number[], other: readonly number[]): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: readonly number[]): number {
  const parts = colour.map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * parts[0]! + 0.7152 * parts[1]! + 0.0722 * parts[2]!
}
