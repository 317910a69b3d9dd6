import { overSpread } from './_over-spread.js'
import { nonInferiorityT } from './non-inferiority.js'
import { normalCdf } from './normal.js'
import { studentQuantile } from './student.js'

/** How a gate is set and what is known of what it will see. Differences are candidate minus baseline in shares of 1. */
export interface GateSetting {
  readonly margin: number
  /** One-sided. 0.05 where absent. */
  readonly alpha?: number
  /** Fail only where the upper bound is below −margin. */
  readonly strict?: boolean
  /** True drop of the mean score, above 0 where the candidate is worse. 0 where absent. */
  readonly drop?: number
  /** Variance of the tasks' true differences (Miller's ω²): 0 where every task drops alike. */
  readonly taskVariance: number
  /** Variance, within a task, of the difference of one pair of episodes: the sum of both arms' variances of an episode. */
  readonly pairVariance: number
}

/** How many tasks are played, and how many pairs of episodes on each. */
export interface GateSize {
  readonly tasks: number
  readonly seeds: number
}

/** Chances of the three verdicts, 1 in sum. */
export interface GatePower {
  readonly pass: number
  readonly fail: number
  readonly inconclusive: number
  /** Standard error of the mean difference that is to be expected. */
  readonly standardError: number
}

/**
 * Chances of a gate's verdicts by its rule: pass where the lower one-sided bound of the mean difference is above −margin, fail where the upper one is
 * below 0 and the estimate at or below −margin (strict: where the upper bound is below −margin), else inconclusive; bounds by t over the tasks' mean
 * differences as in `nonInferiorityT`.
 *
 * Exact for tasks' differences that are normal with variance taskVariance + pairVariance/seeds: the chance given the sample deviation, averaged over its
 * distribution. Differences of successes are on a lattice and skewed when few tasks change; against simulated gates of 50 and 134 tasks with 1 to 10 seeds
 * the chances are within 0.02. That `nonInferiorityT` widens its bounds where fewer than seven tasks differ is left out, so passes are
 * overstated for panels on which next to nothing changes. Without any variance the verdict is certain and is found from the bounds themselves.
 * Undefined below two tasks, and unless alpha is between 0 and 0.5 and the variances are numbers.
 */
export function powerOfGate({
  margin,
  alpha = 0.05,
  strict = false,
  drop = 0,
  taskVariance,
  pairVariance,
  tasks,
  seeds,
}: GateSetting & GateSize): GatePower | undefined {
  const df = tasks - 1
  const standardError = Math.sqrt((taskVariance + pairVariance / seeds) / tasks)
  const isSet = Number.isFinite(margin - drop) && alpha > 0 && alpha < 0.5 && df > 0 && seeds > 0
  if (!isSet || !Number.isFinite(standardError)) return undefined
  if (standardError === 0) return { ...certain(margin, alpha, strict, drop, tasks), standardError }
  const critical = studentQuantile(1 - alpha, df)
  const [toMargin, toZero] = [(drop - margin) / standardError, drop / standardError]
  const pass = overSpread(df, (v) => normalCdf(-toMargin - critical * v))
  const fail = strict
    ? overSpread(df, (v) => normalCdf(toMargin - critical * v))
    : overSpread(df, (v) => normalCdf(Math.min(toMargin, toZero - critical * v)), margin / (critical * standardError))
  return { pass, fail, inconclusive: Math.max(0, 1 - pass - fail), standardError }
}

function certain(margin: number, alpha: number, strict: boolean, drop: number, tasks: number) {
  const same = Array.from({ length: tasks }, () => [-drop])
  const { lower, upper, estimate } = nonInferiorityT(same, margin, alpha)!
  const pass = lower > -margin
  const fail = strict ? upper < -margin : upper < 0 && estimate <= -margin
  return { pass: Number(pass), fail: Number(fail && !pass), inconclusive: Number(!pass && !fail) }
}
