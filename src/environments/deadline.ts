import { ShaketableError } from '../core/errors.js'

/** The option `deadline` of environments that run in another process or on a server. */
export const deadline = {
  type: 'number',
  summary: 'seconds to wait for an answer; an episode that gets none ends as an environment error',
} as const

/** A deadline in milliseconds. @throws ShaketableError `usage` where it is not more than 0 s and at most a day */
export function deadlineMs(seconds: number): number {
  if (seconds > 0 && seconds <= 86_400) return seconds * 1000
  throw new ShaketableError('usage', `deadline: expected seconds, more than 0 and up to 86400, got ${String(seconds)}.`)
}
