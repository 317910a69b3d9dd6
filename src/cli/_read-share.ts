import { ShaketableError } from '../core/errors.js'

/** Bounds of a share: `from` and `to` may be reached, `above` and `below` may not. */
interface Bounds {
  readonly from?: number
  readonly to?: number
  readonly above?: number
  readonly below?: number
}

/**
 * Reads a share of 1 that an option gives, such as 0.05.
 * @throws ShaketableError `usage` for anything else, a percentage above all.
 */
export function readShare(flag: string, text: string, { from = 0, to = 1, above, below }: Bounds): number {
  const share = /^\d{0,3}(?:\.\d{1,12})?$/.test(text) && text !== '' ? Number(text) : NaN
  if (share >= from && share <= to && !(share <= (above ?? -1)) && !(share >= (below ?? 2))) return share
  const low = above === undefined ? `from ${String(from)}` : `above ${String(above)}`
  const high = below === undefined ? `to ${String(to)}` : `and below ${String(below)}`
  const hint = share > 1 && share <= 100 ? ` Write ${String(share / 100)} for ${text} %.` : ''
  throw new ShaketableError('usage', `${flag}: expected a number ${low} ${high}, got '${text.slice(0, 100)}'.${hint}`)
}
