import { normalCdf, studentQuantile } from './distributions.js'
import { logGamma } from './special-functions.js'
import { meanAboveP, meanBelowP } from './mean-bounds.js'

/** The rule of a gate, and the variances of the differences, candidate minus baseline in shares of 1. */
export interface GateSetting {
  readonly margin: number
  /** One-sided. 0.05 where absent. */
  readonly alpha?: number
  /** True drop of the mean score, above 0 where the candidate is worse. 0 where absent. */
  readonly drop?: number
  /** Variance of the tasks' true differences (Miller's ω²): 0 where all tasks drop by the same. */
  readonly taskVariance: number
  /**
   * Variance, within a task, of the difference of one pair of episodes: the sum of both arms' variances of an episode.
   */
  readonly pairVariance: number
  /**
   * Effective share of the tasks whose differences vary, (Σv)²/(T·Σv²) of their variances v: 1 where all vary alike, as
   * where it is absent. Where few vary, their sum is less certain and the rule expects more from the tasks not drawn.
   */
  readonly varying?: number
}

/** How many tasks are played, and how many pairs of episodes on each. */
export interface GateSize {
  readonly tasks: number
  readonly seeds: number
}

/** Probabilities of the three verdicts, 1 in sum. */
export interface GatePower {
  readonly pass: number
  readonly fail: number
  readonly inconclusive: number
  /** Expected standard error of the mean difference. */
  readonly standardError: number
}

/**
 * Probabilities of a gate's verdicts by its rule: pass where a drop of the margin is rejected, fail where the upper
 * one-sided bound of the mean difference is below 0 and the estimate at or below −margin, else inconclusive; tests and
 * bounds as in `meanAboveP`.
 *
 * For tasks' differences that are normal with variance taskVariance + pairVariance/seeds: the probability given the
 * sample deviation, averaged over its distribution. Successes lie on a lattice and are skewed where few tasks change;
 * against simulated gates of 50 and 134 tasks with 1 to 10 seeds the probabilities are within 0.03
 * (`bench/gate-level.ts`). Without any variance the verdict is certain. Undefined below two tasks.
 */
export function powerOfGate({
  margin,
  alpha = 0.05,
  drop = 0,
  taskVariance,
  pairVariance,
  varying = 1,
  tasks,
  seeds,
}: GateSetting & GateSize): GatePower | undefined {
  const df = tasks - 1
  if (df <= 0) return undefined
  const standardError = Math.sqrt((taskVariance + pairVariance / seeds) / tasks)
  if (standardError === 0) return { ...certain(margin, alpha, drop, tasks), standardError }
  // The additional task of the bounds lies E|z|³/2 deviations below 0: 0.8 where differences are normal.
  const additional = (0.8 * Math.sqrt(tasks / varying)) / (tasks + 1)
  const spreadDf = Math.max(1, varying * tasks - 1)
  const critical = studentQuantile(1 - alpha, df) + additional
  const toZero = drop / standardError
  const toMargin = (drop - margin) / standardError
  const steps = passSteps(margin, alpha, tasks)
  const pass = overSpread(spreadDf, (v) => {
    const needed = Math.max(
      ...steps.map(({ from, deviations }) => from / standardError + (deviations + additional) * v),
    )
    return normalCdf(-toZero - needed)
  })
  const fail = overSpread(
    spreadDf,
    (v) => normalCdf(Math.min(toMargin, toZero - critical * v)),
    margin / (critical * standardError),
  )
  return { pass, fail: Math.min(fail, 1 - pass), inconclusive: Math.max(0, 1 - pass - fail), standardError }
}

const shares = 16

/**
 * What an estimate has to exceed to pass: `from` plus `deviations` standard errors, for each share q of tasks that may
 * be lost without having been drawn. With q = 0 this is the t test at −margin; shares that would almost certainly have
 * been seen set no condition.
 */
function passSteps(margin: number, alpha: number, tasks: number): { from: number; deviations: number }[] {
  return Array.from({ length: shares + 1 }, (_, place) => margin * (place / shares)).flatMap((q) => {
    const level = alpha / (1 - q) ** tasks
    return level >= 1 ? [] : [{ from: -(margin - q) / (1 - q), deviations: studentQuantile(1 - level, tasks - 1) }]
  })
}

function certain(margin: number, alpha: number, drop: number, tasks: number) {
  const same = Array.from({ length: tasks }, () => -drop)
  const pass = meanAboveP(same, -margin) < alpha
  const fail = meanBelowP(same, 0) <= alpha && drop >= margin
  return { pass: Number(pass), fail: Number(fail && !pass), inconclusive: Number(!pass && !fail) }
}

const steps = 512

/**
 * Mean of `probability(v)` where v = s/σ is the sample standard deviation of normal values over the true one, with `df`
 * > 0 degrees of freedom (v² · df is chi-square). It turns probabilities for a known σ into those of a t test.
 * Simpson's rule on either side of `kink`, where `probability` may bend; the weights are scaled to 1 in sum, so that a
 * mean of probabilities is one.
 */
function overSpread(df: number, probability: (v: number) => number, kink = Infinity): number {
  const reach = 10 / Math.sqrt(2 * df)
  const low = Math.max(0, 1 - reach)
  const high = 1 + reach
  const bend = Math.min(high, Math.max(low, kink))
  const logFront = Math.LN2 + (df / 2) * Math.log(df / 2) - logGamma(df / 2)
  let [sum, weights] = [0, 0]
  for (const [from, to] of [
    [low, bend],
    [bend, high],
  ] as const) {
    const width = (to - from) / steps
    if (width === 0) continue
    for (let step = 0; step <= steps; step++) {
      const v = from + step * width
      const simpson = step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2
      const weight = simpson * width * Math.exp(logFront + logPower(v, df - 1) - (df * v * v) / 2)
      sum += weight * probability(v)
      weights += weight
    }
  }
  return Math.min(1, sum / weights)
}

/** ln(v^exponent), with 0^0 = 1. */
function logPower(v: number, exponent: number): number {
  return exponent === 0 ? 0 : exponent * Math.log(v)
}
