/** A sequential probability ratio test: after each trial, its increment is added and the sum compared with both bounds. */
export interface SequentialTest {
  /** At or above it the second hypothesis is accepted: a regression. */
  readonly logA: number
  /** At or below it the first is accepted: no regression. */
  readonly logB: number
  /** What a success adds. */
  readonly success: number
  /** What a failure adds. */
  readonly failure: number
  /** Trials to be expected under the first and second hypothesis (Wald's approximation, overshoot ignored). */
  readonly expectedTrials: { readonly none: number; readonly regression: number }
  /** Goes through trials in their order, 1 a success, up to the one that decides. */
  decide(sequence: Iterable<0 | 1 | boolean>): SequentialDecision
}

/** Where a sequence has come to. */
export interface SequentialDecision {
  readonly decision: 'regression' | 'no-regression' | 'undecided'
  /** Trials gone through, that which decides included. */
  readonly trials: number
  /** The sum of increments there. */
  readonly logRatio: number
}

/**
 * Wald's sequential test (1945) of a chance of success p0 (as before) against p1 (a regression, below p0), with risks alpha of a false alarm and beta of
 * missing it. Only valid where the order of trials was fixed before the first and does not depend on how hard they are (shuffle tasks by the seed): easy
 * tasks first break it, and so does a test for a fixed number of trials that is looked at on the way. Undefined unless 0 < p1 < p0 < 1 and both risks
 * are above 0 and below 0.5.
 */
export function sprtBernoulli({
  p0,
  p1,
  alpha = 0.05,
  beta = 0.1,
}: {
  readonly p0: number
  readonly p1: number
  readonly alpha?: number
  readonly beta?: number
}): SequentialTest | undefined {
  if (!(0 < p1 && p1 < p0 && p0 < 1 && 0 < alpha && alpha < 0.5 && 0 < beta && beta < 0.5)) return undefined
  const logA = Math.log((1 - beta) / alpha)
  const logB = Math.log(beta / (1 - alpha))
  const success = Math.log(p1 / p0)
  const failure = Math.log((1 - p1) / (1 - p0))
  const drift = (p: number): number => p * success + (1 - p) * failure
  return {
    logA,
    logB,
    success,
    failure,
    expectedTrials: {
      none: ((1 - alpha) * logB + alpha * logA) / drift(p0),
      regression: (beta * logB + (1 - beta) * logA) / drift(p1),
    },
    decide(sequence) {
      let [trials, logRatio] = [0, 0]
      for (const outcome of sequence) {
        trials++
        logRatio += outcome === 1 || outcome === true ? success : failure
        if (logRatio >= logA) return { decision: 'regression', trials, logRatio }
        if (logRatio <= logB) return { decision: 'no-regression', trials, logRatio }
      }
      return { decision: 'undecided', trials, logRatio }
    },
  }
}

/**
 * The same for pairs of a task's two arms, of which only the discordant ones count: a success is a gained pair, a failure a lost one. `theta0` is the share
 * of discordant pairs that are lost where nothing changed (one half), `theta1` that of a regression.
 */
export function sprtDiscordant({
  theta0 = 0.5,
  theta1,
  ...risks
}: {
  readonly theta0?: number
  readonly theta1: number
  readonly alpha?: number
  readonly beta?: number
}): SequentialTest | undefined {
  return sprtBernoulli({ p0: 1 - theta0, p1: 1 - theta1, ...risks })
}
