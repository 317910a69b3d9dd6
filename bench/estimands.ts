import { size } from './_size.js'
import type { Tally } from '../src/results/tally.js'
import { emptyTally } from '../src/results/tally.js'
import { differenceOver } from '../src/results/differences.js'
import { pairTallies } from '../src/results/pairs.js'
import { findCopies } from '../src/results/passes.js'
import type { Plan } from '../src/run/plan.js'
import { createRandom } from '../src/core/random.js'
import { mean } from '../src/statistics/dispersion.js'
import { pairedDifference } from '../src/statistics/paired-difference.js'
import { populations } from './_simulated-tasks.js'

/** A clean and a perturbed group, and what another rule would say of their change. */
interface Played {
  readonly clean: Tally
  readonly perturbed: Tally
  /** Differences by task under the rule that the reports do not follow. */
  readonly other: readonly number[]
}

/** A way in which reports could go wrong, with the change that is true of its population. */
interface Case {
  readonly name: string
  readonly otherRule: string
  readonly temperatures: number
  readonly seeds: readonly number[]
  play(clean: Tally, perturbed: Tally, chances: readonly number[], next: () => number): Played
}

const replicates = size(2000, 2)
const sizes = [50, 134]
const names = ['all alike', 'beta, ICC 0.3', 'always or never', 'some mostly lost']
const success = 0.6

/** In all of them the condition does nothing: the true change is 0. */
const cases: readonly Case[] = [
  {
    name: 'touches 90 % of failed and 20 % of solved episodes',
    otherRule: 'without untouched tasks',
    temperatures: 1,
    seeds: [1, 3],
    play(clean, perturbed, chances, next) {
      const touched = new Set<number>()
      fill(clean, chances, next)
      fill(perturbed, chances, next, (slot, task) => {
        if (next() < (perturbed.success[slot] === 1 ? 0.2 : 0.9)) touched.add(task)
      })
      const { difference } = pairTallies(clean, perturbed, [0]).success
      return { clean, perturbed, other: [...difference].filter((_, task) => touched.has(task)) }
    },
  },
  {
    name: '90 % at temperature 0, where all clean seeds are copies',
    otherRule: 'pooled over distinct runs',
    temperatures: 2,
    seeds: [3],
    play(clean, perturbed, chances, next) {
      fill(perturbed, chances, next)
      fill(clean, chances, next)
      const { tasks, seeds } = clean.shape
      for (const tally of [clean, perturbed])
        for (let slot = 0; slot < seeds * tasks; slot++) set(tally, slot, slot % tasks < 0.9 * tasks)
      perturbed.prints[tasks] = 1
      perturbed.prints[2 * tasks] = 2
      for (const tally of [clean, perturbed]) findCopies(tally)
      const pooled = (tally: Tally, task: number): number =>
        mean(
          [...tally.sameAs.keys()]
            .filter((pass) => tally.sameAs[pass] === pass % seeds)
            .map((pass) => tally.success[pass * tasks + task]!),
        )!
      return {
        clean,
        perturbed,
        other: Array.from({ length: tasks }, (_, task) => pooled(perturbed, task) - pooled(clean, task)),
      }
    },
  },
  {
    name: '20 % of the failures of the perturbed arm are missing',
    otherRule: 'measured pairs alone',
    temperatures: 1,
    seeds: [1, 3],
    play(clean, perturbed, chances, next) {
      fill(clean, chances, next)
      fill(perturbed, chances, next, (slot) => {
        if (perturbed.success[slot] === 0 && next() < 0.2) perturbed.state[slot] = 1
      })
      return { clean, perturbed, other: [...pairTallies(clean, perturbed, [0]).success.difference] }
    },
  },
]

function set(tally: Tally, slot: number, isSolved: boolean): void {
  tally.state[slot] = 2
  tally.success[slot] = isSolved ? 1 : 0
}

function fill(
  tally: Tally,
  chances: readonly number[],
  next: () => number,
  after: (slot: number, task: number) => void = () => undefined,
): void {
  tally.state.forEach((_, slot) => {
    const task = slot % tally.shape.tasks
    set(tally, slot, next() < chances[task]!)
    after(slot, task)
  })
}

/** How far changes are off and how often their intervals hold 0, with tasks drawn afresh from each population. */
export function estimands(): void {
  console.log(
    `estimands: no true change, ${String(replicates)} replicates in each of ${String(names.length)} populations`,
  )
  for (const { name, otherRule, temperatures, seeds: counts, play } of cases)
    for (const tasks of sizes)
      for (const seeds of counts) {
        const figures = names.map((population) => {
          const chancesOf = populations[population]!(success)
          const { next } = createRandom(`${name} ${population} ${String(tasks)} ${String(seeds)}`)
          const own: number[] = []
          const other: number[] = []
          let [held, heldByOther] = [0, 0]
          for (let replicate = 0; replicate < replicates; replicate++) {
            const chances = Array.from({ length: tasks }, () => chancesOf[Math.floor(next() * chancesOf.length)]!)
            const empty = (): Tally =>
              emptyTally({ temperatures, seeds, tasks }, {
                temperatures: [0, 1].slice(-temperatures),
                stepLimit: 1,
              } as unknown as Plan)
            const played = play(empty(), empty(), chances, next)
            const all = [0, 1].slice(0, temperatures)
            const change = differenceOver(pairTallies(played.clean, played.perturbed, all).success)
            const { low, high } = change.worstCase ?? change.interval!
            const byOther = pairedDifference(played.other.map((one) => [one]))
            own.push(change.mean!)
            other.push(byOther.mean ?? 0)
            if (low <= 0 && high >= 0) held++
            const interval = byOther.interval ?? { low: -1, high: 1 }
            if (interval.low <= 0 && interval.high >= 0) heldByOther++
          }
          const bias = (values: readonly number[]): number => Math.abs(100 * mean(values)!)
          return { bias: bias(own), held, other: bias(other), heldByOther }
        })
        const most = (of: (one: (typeof figures)[number]) => number): string => Math.max(...figures.map(of)).toFixed(1)
        const least = (of: (one: (typeof figures)[number]) => number): string =>
          ((100 * Math.min(...figures.map(of))) / replicates).toFixed(1)
        console.log(
          `estimands: ${name}, ${String(tasks)} × ${String(seeds)}: off by at most ${most(({ bias }) => bias)} points, 0 held in ${least(({ held }) => held)} % or more; ` +
            `${otherRule}: ${most(({ other }) => other)} points, ${least(({ heldByOther }) => heldByOther)} %`,
        )
      }
}
