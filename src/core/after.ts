/** What may be answered at once or with a promise. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Goes on with an answer when it is there: at once, or after its promise. Waiting only where there is something to wait
 * for keeps control runs quick.
 */
export function after<T, Result>(
  answer: MaybePromise<T>,
  then: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(answer) ? Promise.resolve(answer).then(then) : then(answer)
}

function isPromise<T>(answer: MaybePromise<T>): answer is Promise<T> {
  return typeof (answer as { then?: unknown } | null | undefined)?.then === 'function'
}
