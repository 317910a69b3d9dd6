import { expect } from 'vitest'

/** Expects a number within a relative tolerance of another; within 1e−13 if that is 0. */
export function expectRelative(found: number | undefined, expected: number, tolerance = 1e-10): void {
  if (expected === 0) expect(Math.abs(found!)).toBeLessThanOrEqual(1e-13)
  else expect(Math.abs(found! / expected - 1), `${String(found)} is not ${expected}`).toBeLessThanOrEqual(tolerance)
}

/** Rows of numbers as one text, such as `1 0.5 / 0 NaN`. */
export function grid(text: string): number[][] {
  return text.split(' / ').map((row) => row.split(' ').map(Number))
}
