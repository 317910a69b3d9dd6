import { ShaketableError } from '../core/errors.js'
import { number } from './_lines.js'

/** Reads a whole number that a flag gives. @throws ShaketableError `usage` for anything else, or beyond the bounds. */
export function readWhole(flag: string, text: string, low: number, high: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN
  if (value >= low && value <= high) return value
  throw new ShaketableError(
    'usage',
    `${flag}: expected a whole number from ${number(low)} to ${number(high)}, got '${text.slice(0, 100)}'.`,
  )
}
