import { ShaketableError } from '../../src/core/errors.js'

/** What a person reads where something is refused. */
export function messageFrom(work: () => unknown): string {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof ShaketableError) return thrown.message
    throw thrown
  }
  throw new Error('nothing was refused')
}
