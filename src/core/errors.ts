import { copyText } from './text.js'

/** The kind of an error. The command line maps it to an exit code; no code depends on the wording of a message. */
export type ErrorCode =
  /** A flag, option or experiment file that cannot be used as given. */
  | 'usage'
  /** A file or folder that is missing, unreadable or not what it should be. */
  | 'bad-input'
  /** An environment that cannot go on. It stops its episode, not the grid. */
  | 'environment'
  /** A model that cannot be reached, or an unusable answer. */
  | 'model'
  /** The conversation no longer fits the model's context; an outcome of its own. */
  | 'context-overflow'
  /** A run folder that is in use, damaged, or belongs to another experiment. */
  | 'store'
  /** A queue that cannot be reached or used. */
  | 'queue'
  /** A perturbation that breaks its promise, such as two actions that end up with the same words. */
  | 'perturbation'

/**
 * An error for users. The message has three parts: what was expected, what came, what to do. `retryable` is set where
 * the error is made and nowhere else.
 */
export class ShaketableError extends Error {
  override readonly name: string = 'ShaketableError'
  readonly code: ErrorCode
  readonly retryable: boolean

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly retryable?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
  }
}

/** An error of a flag, an option or an experiment file. */
export function usageError(message: string): ShaketableError {
  return new ShaketableError('usage', message)
}

/** A perturbation for which an environment lacks something, such as words or objects: it cannot be played there. */
export class NotApplicable extends ShaketableError {
  override readonly name = 'NotApplicable'
  /** What it needs, without its subject: `needs a vocabulary with 'verbs', but …`. */
  readonly needs: string

  constructor(family: string, needs: string) {
    super('perturbation', `'${family}' ${needs}`)
    this.needs = needs
  }
}

/** An episode was given up between two trials or before a call; it has no result. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/** The message of anything that was thrown, on one line of at most 601 characters. */
export function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  const line = text
    .trim()
    .slice(0, 5000)
    .replace(/\s*\n\s*/g, ' ')
    .trim()
  return copyText(line.length > 600 ? `${line.slice(0, 600)}…` : line)
}

/** The candidate nearest to a mistyped name; undefined where none is near. */
export function nearMiss(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, 100).toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** ` Did you mean 'act'?`, or nothing where no candidate is near. */
export function suggest(name: string, candidates: Iterable<string>): string {
  const near = nearMiss(name, candidates)
  return near === undefined ? '' : ` Did you mean '${near}'?`
}

/** A message for an unknown name: the name, the near miss, and all known names. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  return `Unknown ${kind} '${name.slice(0, 100)}'.${suggest(name, known)} Known: ${known.join(', ')}.`
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substituted = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(substituted, previous[column]! + 1, current[column - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
