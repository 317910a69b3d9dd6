import { mean, noDifferenceP, standardDeviation } from '../src/statistics/index.js'
import type { Draw } from './_simulate.js'
import { drawTasks, populations, printRow, replicatesOf, simulate } from './_simulate.js'
import { isFailed, isPassed } from './gate-level.js'

/**
 * Seeds sent to a server that honours them: `one seed` for every call of all tasks, as in earlier versions; or a hash
 * per call, which the clean and the perturbed twin share (`common`) or do not share (`independent`).
 */
const schemes = ['one seed', 'common', 'independent'] as const

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

const [clean, margin, calls] = [0.6, 0.05, 5]

/** A task's probabilities of success before and after. */
type Chances = readonly [before: number, after: number]

/** Every task changes: half of them gain what the others lose, in addition to a mean drop of `drop`. */
function drawChances(kind: string, tasks: number, drop: number, draw: Draw): Chances[] {
  return drawTasks(populations[kind]!(clean), tasks, draw).map((before) => {
    const after = before * (1 - drop / clean)
    const shift = 0.3 * Math.min(after, 1 - after)
    return [before, draw() < 0.5 ? after - shift : after + shift]
  })
}

/**
 * Plays the tasks on both sides. An episode is solved if all of its calls are right.
 * @returns per task and side a list over seeds, 1 where solved
 */
function play(
  tasks: readonly Chances[],
  seeds: number,
  scheme: (typeof schemes)[number],
  { first, inStep }: (typeof couplings)[keyof typeof couplings],
  draw: Draw,
) {
  const solved = tasks.map(() => ({ before: [] as number[], after: [] as number[] }))
  for (let seed = 0; seed < seeds; seed++) {
    const shared = draw()
    for (const [task, chances] of tasks.entries()) {
      const right = chances.map((chance) => chance ** (1 / calls))
      const isSolved = [true, true]
      let isInStep = true
      for (let call = 0; call < calls; call++) {
        isInStep &&= draw() < inStep
        const byFirst = draw() < first
        const own = byFirst && scheme === 'one seed' ? shared : draw()
        const isShared: boolean = scheme !== 'independent' && (byFirst || isInStep)
        const answers: readonly boolean[] = [own < right[0]!, (isShared ? own : draw()) < right[1]!]
        isInStep &&= answers[0] === answers[1]
        answers.forEach((isRight, side) => (isSolved[side] &&= isRight))
      }
      solved[task]!.before.push(Number(isSolved[0]))
      solved[task]!.after.push(Number(isSolved[1]))
    }
  }
  return solved
}

/**
 * Error rates and power of the gate, of a report's p and of the self-test (`shaketable check --self`) for each way of
 * sending seeds, and the mean (0.6 if calls are independent) and deviation of a clean run's score.
 */
export function pairing(): void {
  for (const [name, coupling] of Object.entries(couplings))
    for (const [tasks, seeds] of [
      [20, 3],
      [60, 1],
      [60, 10],
      [134, 3],
    ] as const)
      for (const scheme of schemes) {
        // Independent seeds give the same results with any coupling.
        if (scheme === 'independent' && name !== 'apart from the start') continue
        // From much randomness within a task to little, as from a high temperature to a low one.
        for (const kind of ['all alike', 'beta, ICC 0.3', 'beta, ICC 0.7']) {
          const names = ['pairing', name, `${String(tasks)}×${String(seeds)}`, scheme, kind]
          const rates = simulate(JSON.stringify(names), replicatesOf(400), (draw) => {
            const differencesAt = (drop: number): number[] =>
              play(drawChances(kind, tasks, drop, draw), seeds, scheme, coupling, draw).map(
                ({ before, after }) => mean(after)! - mean(before)!,
              )
            const [none, atMargin, beyond] = [0, margin, 2 * margin].map(differencesAt) as [
              number[],
              number[],
              number[],
            ]
            const panel = drawChances(kind, tasks, 0, draw)
            const repeats = play(panel, 2 * seeds, scheme, coupling, draw).map(({ before }) => before)
            const runs = repeats[0]!.map((_, seed) => mean(repeats.map((own) => own[seed]!))!)
            return {
              'false alarm': isFailed(none),
              'false p': noDifferenceP(none) <= 0.05,
              'false pass': isPassed(atMargin),
              pass: isPassed(none),
              seen: isFailed(beyond),
              'self-test': isFailed(repeats.map((own) => mean(own.slice(seeds))! - mean(own.slice(0, seeds))!)),
              mean: mean(runs),
              deviation: standardDeviation(runs),
            }
          })
          printRow(names, rates)
        }
      }
}
