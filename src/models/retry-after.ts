import type { AnswerHeaders } from './fetch.js'

/**
 * The wait that a server asks for, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date relative
 * to the server's clock, or to ours where it sends no date. Undefined for none and for unreadable values.
 */
export function readRetryAfter(headers: AnswerHeaders): number | undefined {
  const inMs = headers.get('retry-after-ms')?.trim() ?? ''
  if (isNumber(inMs)) return Number(inMs)
  const text = headers.get('retry-after')?.trim() ?? ''
  if (isNumber(text)) return Number(text) * 1000
  if (!/^[A-Z][a-z]{2}/.test(text)) return undefined
  const now = Date.parse(headers.get('date') ?? '')
  const wait = Date.parse(text) - (Number.isNaN(now) ? Date.now() : now)
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** A time in its largest unit, rounded up to whole seconds or minutes: `8 s`, `5 min`, `1.5 h`. */
export function formatDuration(ms: number): string {
  if (ms < 60_000) return `${String(Math.ceil(ms / 1000))} s`
  if (ms < 3_600_000) return `${String(Math.ceil(ms / 60_000))} min`
  return `${(ms / 3_600_000).toFixed(1).replace(/\.0$/, '')} h`
}

function isNumber(text: string): boolean {
  return /^\d{1,12}(?:\.\d{1,12})?$/.test(text)
}
