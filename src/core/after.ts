/** A value, at once or as a promise. */
export type MaybePromise<T> = T | Promise<T>

/** Applies a function to a value, at once or after its promise; control runs stay fast without needless waits. */
export function after<T, Result>(
  answer: MaybePromise<T>,
  then: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  const isPromise = typeof (answer as { then?: unknown } | null | undefined)?.then === 'function'
  return isPromise ? Promise.resolve(answer).then(then) : then(answer as T)
}
