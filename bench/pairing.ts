import { createRandom } from '../src/index.js'
import { meanAboveP, meanBelowP, noDifferenceP } from '../src/statistics/index.js'
import { populations } from './_simulated-tasks.js'
import { size } from './_size.js'

/**
 * Seeds sent to a server that honours them: `one seed` for every call of all tasks, as in earlier versions; or a hash
 * per call, which the clean and the perturbed twin share (`common`) or do not share (`independent`).
 */
const schemes = ['one seed', 'common', 'independent'] as const
type Scheme = (typeof schemes)[number]

/**
 * How strongly equal seeds lead to equal replies. `first`: the probability that a call's first token decides whether it
 * is right. `inStep`: the probability, before each call, that the replies and prompts of twins are still equal; once
 * they differ, their random numbers are no longer comparable.
 */
const couplings = {
  'in step to the end': { first: 1, inStep: 1 },
  'part after a few calls': { first: 0.5, inStep: 0.7 },
  'apart from the start': { first: 0.25, inStep: 0 },
} as const
type Coupling = (typeof couplings)[keyof typeof couplings]

/** From much randomness within a task to little, as from a high temperature to a low one. */
const kinds = ['all alike', 'beta, ICC 0.3', 'beta, ICC 0.7'] as const
const sizes = [
  [20, 3],
  [60, 1],
  [60, 10],
  [134, 3],
] as const
const [clean, margin, alpha, calls] = [0.6, 0.05, 0.05, 5]

type Draw = () => number
/** A task's probabilities of success before and after. */
type Probabilities = readonly [before: number, after: number]

/** Every task changes: half of them gain what the others lose, in addition to a mean drop of `drop`. */
function drawTasks(probabilities: readonly number[], tasks: number, drop: number, draw: Draw): Probabilities[] {
  return Array.from({ length: tasks }, () => {
    const before = probabilities[Math.floor(draw() * probabilities.length)]!
    const after = before * (1 - drop / clean)
    const shift = 0.3 * Math.min(after, 1 - after)
    return [before, draw() < 0.5 ? after - shift : after + shift]
  })
}

/**
 * Plays the tasks on both sides. An episode is solved if all of its calls are right.
 * @returns per task and side a list over seeds, 1 where solved
 */
function play(tasks: readonly Probabilities[], seeds: number, scheme: Scheme, { first, inStep }: Coupling, draw: Draw) {
  const solved = tasks.map(() => ({ before: [] as number[], after: [] as number[] }))
  for (let seed = 0; seed < seeds; seed++) {
    const shared = draw()
    for (const [task, [before, after]] of tasks.entries()) {
      const right = [before ** (1 / calls), after ** (1 / calls)] as const
      const isSolved = [true, true]
      let isInStep = true
      for (let call = 0; call < calls; call++) {
        isInStep &&= draw() < inStep
        const byFirst = draw() < first
        const own = byFirst && scheme === 'one seed' ? shared : draw()
        const isShared: boolean = scheme !== 'independent' && (byFirst || isInStep)
        const answers: readonly boolean[] = [own < right[0], (isShared ? own : draw()) < right[1]]
        isInStep &&= answers[0] === answers[1]
        answers.forEach((isRight, side) => (isSolved[side] &&= isRight))
      }
      solved[task]!.before.push(Number(isSolved[0]))
      solved[task]!.after.push(Number(isSolved[1]))
    }
  }
  return solved
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const deviationOf = (values: readonly number[]): number => {
  const middle = meanOf(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1))
}

/** Whether the gate fails: the estimate is at or below −margin, and significantly below 0. */
function isFailed(differences: readonly number[]): boolean {
  return meanOf(differences) <= -margin + 1e-9 && meanBelowP(differences, 0) <= alpha
}

const isPassed = (differences: readonly number[]): boolean => meanAboveP(differences, -margin) < alpha

/** Rates of one design as shares of 1, and mean and spread of the clean column's score. */
export interface PairingFigures {
  readonly scheme: Scheme
  readonly coupling: string
  readonly kind: string
  readonly tasks: number
  readonly seeds: number
  /** Without a change of the mean: how often the gate fails, and how often a report's two-sided p is at most 0.05. */
  readonly falseAlarm: number
  readonly falseP: number
  /** How often the gate passes at a drop of the margin. */
  readonly falsePass: number
  /** How often the gate passes without a change of the mean, and how often it fails at twice the margin. */
  readonly pass: number
  readonly seen: number
  /** How often one half of the clean seeds fails against the other, in runs of two or more seeds. */
  readonly selfTest: number
  /** Mean of a clean run's score, 0.6 if calls are independent, and its standard deviation over seeds. */
  readonly mean: number
  readonly deviation: number
}

function figuresOf(
  scheme: Scheme,
  coupling: keyof typeof couplings,
  kind: (typeof kinds)[number],
  [tasks, seeds]: readonly [number, number],
  replicates: number,
): PairingFigures {
  const probabilities = populations[kind]!(clean)
  const { next: draw } = createRandom(JSON.stringify(['pairing', scheme, coupling, kind, tasks, seeds]))
  const count = { falseAlarm: 0, falseP: 0, falsePass: 0, pass: 0, seen: 0, selfTest: 0, mean: 0, deviation: 0 }
  for (let replicate = 0; replicate < replicates; replicate++) {
    const differencesAt = (drop: number): number[] =>
      play(drawTasks(probabilities, tasks, drop, draw), seeds, scheme, couplings[coupling], draw).map(
        ({ before, after }) => meanOf(after) - meanOf(before),
      )
    const [none, atMargin, beyond] = [differencesAt(0), differencesAt(margin), differencesAt(2 * margin)]
    if (isFailed(none)) count.falseAlarm++
    if (noDifferenceP(none) <= alpha) count.falseP++
    if (isPassed(none)) count.pass++
    if (isPassed(atMargin)) count.falsePass++
    if (isFailed(beyond)) count.seen++
    const panel = drawTasks(probabilities, tasks, 0, draw)
    const repeats = play(panel, 2 * seeds, scheme, couplings[coupling], draw).map(({ before }) => before)
    const halves = repeats.map((own) => meanOf(own.slice(seeds)) - meanOf(own.slice(0, seeds)))
    if (isFailed(halves)) count.selfTest++
    const runs = repeats[0]!.map((_, seed) => meanOf(repeats.map((own) => own[seed]!)))
    count.mean += meanOf(runs)
    count.deviation += deviationOf(runs)
  }
  const shares = Object.fromEntries(Object.entries(count).map(([name, sum]) => [name, sum / replicates]))
  return { scheme, coupling, kind, tasks, seeds, ...(shares as typeof count) }
}

const rates = ['falseAlarm', 'falseP', 'falsePass', 'pass', 'seen', 'selfTest'] as const

/**
 * Error rates and power of the gate, of a report's p and of the self-test (`shaketable aa`) for each way of sending
 * seeds, by kind of tasks and over all kinds. Tasks are drawn anew in every replicate.
 */
export function pairing(replicates = Number(process.env['REPLICATES'] ?? size(400, 1))): PairingFigures[] {
  const error = (share: number): string =>
    (100 * Math.sqrt((share * (1 - share)) / replicates / kinds.length)).toFixed(1)
  console.log(
    `pairing: ${String(replicates)} replicates a kind, standard error over all kinds ${error(0.05)} points at 5 % and ${error(0.5)} at 50 %; ` +
      `margin 5 points, alpha 5 %; columns ${rates.join(' ')} in percent, mean and deviation of a run`,
  )
  const figures: PairingFigures[] = []
  for (const coupling of Object.keys(couplings) as (keyof typeof couplings)[])
    for (const size of sizes)
      for (const scheme of schemes) {
        // Independent seeds give the same results with any coupling.
        if (scheme === 'independent' && coupling !== 'apart from the start') continue
        const own = kinds.map((kind) => figuresOf(scheme, coupling, kind, size, replicates))
        figures.push(...own)
        const over = (name: keyof PairingFigures): number => meanOf(own.map((one) => Number(one[name])))
        const all = { kind: 'all', mean: over('mean'), deviation: over('deviation') }
        const pooled = { ...all, ...Object.fromEntries(rates.map((name) => [name, over(name)])) }
        for (const one of [...own, pooled as PairingFigures]) {
          const percents = rates.map((name) => (100 * one[name]).toFixed(1))
          const score = [one.mean.toFixed(2), one.deviation.toFixed(2)]
          console.log(['pairing', coupling, size.join('×'), scheme, one.kind, ...percents, ...score].join(' | '))
        }
      }
  return figures
}
