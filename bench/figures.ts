import { size } from './_size.js'
import { createRandom } from '../src/core/random.js'
import {
  expectedLowest,
  holm,
  intervalOverDraws,
  mean,
  meanBounds,
  noDifferenceP,
  normalQuantile,
  pairedDifference,
  ratioOfMeans,
  standardDeviation,
  studentQuantile,
  varianceShares,
} from '../src/statistics/index.js'
import type { Level } from '../src/statistics/index.js'
import { cohenKappa } from '../src/statistics/agreement.js'
import { populations } from './_simulated-tasks.js'

type Draw = () => number

/** A row of the table in `docs/statistics.md`: shares in percent, over replicates with tasks drawn afresh. */
export interface FigureRow {
  readonly figure: string
  readonly of: string
  readonly before: number
  /** Absent where there is no interval any more. */
  readonly now?: number
}

/** What one replicate finds, by the rule of before and by that of now; undefined where it tells nothing. */
type Found = { readonly before: boolean; readonly now?: boolean } | undefined

interface Simulation {
  readonly figure: string
  readonly of: string
  replicate(draw: Draw): Found
}

const holds = (interval: { readonly low: number; readonly high: number } | undefined, truth: number): boolean =>
  interval !== undefined && interval.low <= truth && truth <= interval.high

function pick(population: string, success: number, tasks: number, draw: Draw): number[] {
  const probabilities = populations[population]!(success)
  return Array.from({ length: tasks }, () => probabilities[Math.floor(draw() * probabilities.length)]!)
}

/** A task's share of successes; `numbers` are shared by the episodes that are played with them. */
function play(chance: number, numbers: readonly number[]): number {
  return mean(numbers.map((number) => Number(number < chance)))!
}

function numbersFor(seeds: number, draw: Draw): number[] {
  return Array.from({ length: seeds }, draw)
}

/** Whether an unharmed model's worst of three draws differs significantly from that of three of four clean repeats. */
function worstOfDraws(population: string, tasks: number, seeds: number): Simulation {
  return {
    figure: 'worst of draws: an unharmed model differs',
    of: `${population}, ${String(tasks)} × ${String(seeds)}`,
    replicate(draw) {
      const differences = pick(population, 0.7, tasks, draw).map((chance) => {
        // Draw k has the numbers of repeat k. Before, every draw had those of the clean twin, so that all were equal.
        const repeats = [1, 2, 3, 4].map(() => play(chance, numbersFor(seeds, draw)))
        const lowest = expectedLowest(repeats, 3)!
        return { before: repeats[0]! - lowest, now: Math.min(...repeats.slice(0, 3)) - lowest }
      })
      return {
        before: noDifferenceP(differences.map((one) => one.before)) < 0.05,
        now: noDifferenceP(differences.map((one) => one.now)) < 0.05,
      }
    },
  }
}

/** Whether the interval of a family's change holds its mean over all draws: over tasks alone, and over draws too. */
function family(draws: number, deviation: number, tasks: number, seeds: number): Simulation {
  return {
    figure: 'family: the interval holds it',
    of: `${String(draws)} draws ${String(100 * deviation)} points apart, ${String(tasks)} × ${String(seeds)}`,
    replicate(draw) {
      const chances = pick('beta, ICC 0.3', 0.7, tasks, draw).map((one) => 0.45 + 0.35 * one)
      const harms = Array.from(
        { length: draws },
        () => 0.1 + deviation * Math.max(-2, Math.min(2, normalQuantile(draw()))),
      )
      const clean = chances.map((chance) => play(chance, numbersFor(seeds, draw)))
      const changes = harms.map((harm) =>
        chances.map((chance, task) => play(chance - harm, numbersFor(seeds, draw)) - clean[task]!),
      )
      const overTasks = meanBounds(
        chances.map((_, task) => mean(changes.map((own) => own[task]!))!),
        0.025,
      )
      const overDraws = intervalOverDraws(
        changes.map((own) => mean(own)!),
        overTasks,
      )
      return { before: holds(overTasks, -0.1), now: holds(overDraws, -0.1) }
    },
  }
}

const [models, families] = [8, 9]

/**
 * Whether a run names a model worse or better: of eight unchanged models, or the one of which a family takes `drop`.
 */
function headline(drop: number, tasks: number, seeds: number): Simulation {
  return {
    figure: drop === 0 ? 'headline: a null run names a model' : `headline: a drop of ${String(100 * drop)} is named`,
    of: `tasks differ, ${String(tasks)} × ${String(seeds)}`,
    replicate(draw) {
      const ps = Array.from({ length: models }, (_, model) => {
        const chances = pick('beta, ICC 0.3', 0.7, tasks, draw)
        const clean = chances.map((chance) => play(chance, numbersFor(seeds, draw)))
        return Array.from({ length: families }, (_, place) => {
          const harm = model === 0 && place === 0 ? drop : 0
          return noDifferenceP(
            chances.map((chance, task) => play(chance * (1 - harm / 0.7), numbersFor(seeds, draw)) - clean[task]!),
          )
        })
      })
      const [each, all] = [ps.map((own) => holm(own)).flat(), holm(ps.flat())]
      const isNamed = (adjusted: readonly number[]): boolean =>
        drop === 0 ? adjusted.some((p) => p < 0.05) : adjusted[0]! < 0.05
      return { before: isNamed(each), now: isNamed(all) }
    },
  }
}

/** A percentile bootstrap over tasks, as ratios had it before. */
function percentiles(first: readonly number[], second: readonly number[], draw: Draw) {
  const ratios = Array.from({ length: 400 }, () => {
    let [before, after] = [0, 0]
    for (let drawn = 0; drawn < first.length; drawn++) {
      const task = Math.floor(draw() * first.length)
      before += first[task]!
      after += second[task]!
    }
    return after / before
  })
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  return { low: ratios[Math.floor(0.025 * ratios.length)]!, high: ratios[Math.ceil(0.975 * ratios.length) - 1]! }
}

/** Whether the interval of a ratio holds it, for a kind of ratio. */
function ratio(
  kind: 'drop rate' | 'area' | 'overhead',
  population: string,
  success: number,
  tasks: number,
  seeds: number,
): Simulation {
  return {
    figure: `${kind}: the interval holds it`,
    of: `${population}, ${String(100 * success)} %, ${String(tasks)} × ${String(seeds)}`,
    replicate(draw) {
      const chances = pick(population, success, tasks, draw)
      const rates = (left: number): number[] => chances.map((chance) => play(left * chance, numbersFor(seeds, draw)))
      if (kind === 'overhead') {
        // Steps, of which a tenth of the tasks takes three times as many under the perturbation.
        const first = chances.map((chance) => Math.round(4 + 20 * chance * draw()))
        const factors = first.map(() => (draw() < 0.1 ? 3 : 1.2))
        const second = first.map((steps, task) => steps * factors[task]!)
        const largest = [...first, ...second].reduce((one, other) => Math.max(one, other))
        return {
          before: holds(percentiles(first, second, draw), 1.38),
          now: holds(ratioOfMeans(first, second, largest)?.interval ?? { low: 0, high: Infinity }, 1.38),
        }
      }
      const clean = rates(1)
      const [half, whole] = [rates(0.9), rates(0.8)]
      const second = kind === 'area' ? clean.map((rate, task) => rate / 4 + half[task]! / 2 + whole[task]! / 4) : whole
      const truth = kind === 'area' ? 0.9 : 0.8
      return {
        before: holds(percentiles(clean, second, draw), truth),
        now: holds(ratioOfMeans(clean, second)?.interval ?? { low: 0, high: Infinity }, truth),
      }
    },
  }
}

/** Whether a drop rate excludes 0 where the change beside it does not, or the other way round. */
function contradiction(tasks: number, seeds: number): Simulation {
  return {
    figure: 'drop rate contradicts the change',
    of: `tasks differ, ${String(tasks)} × ${String(seeds)}`,
    replicate(draw) {
      const chances = pick('beta, ICC 0.3', 0.8, tasks, draw)
      const [first, second] = [1, 0.88].map((left) =>
        chances.map((chance) => play(left * chance, numbersFor(seeds, draw))),
      ) as [number[], number[]]
      const change = pairedDifference(first.map((before, task) => [second[task]! - before])).interval
      const isTold = !holds(change, 0)
      const now = ratioOfMeans(first, second)?.interval
      return {
        before: isTold === holds(percentiles(first, second, draw), 1),
        now: now !== undefined && isTold === holds(now, 1),
      }
    },
  }
}

/** Whether kappa's interval holds it, for two judges of two labels whose items repeat within a trajectory. */
function kappa(agree: readonly [number, number], trajectories: number, turns: number, copied: number): Simulation {
  const [both, other] = agree
  const one = (1 - both - other) / 2
  const chance = (both + one) ** 2 + (other + one) ** 2
  const truth = (both + other - chance) / (1 - chance)
  return {
    figure: 'kappa: the interval holds it',
    of: `${String(Math.round(100 * (both + one)))} % of one label, ${String(trajectories)} × ${String(turns)}`,
    replicate(draw) {
      const item = (): readonly [number, number] => {
        const number = draw()
        return number < both ? [0, 0] : number < both + one ? [0, 1] : number < both + 2 * one ? [1, 0] : [1, 1]
      }
      const tables = Array.from({ length: trajectories }, () => {
        const [table, shared] = [[0, 0].map(() => [0, 0]), item()]
        for (let turn = 0; turn < turns; turn++) {
          const [first, second] = draw() < copied ? shared : item()
          table[first]![second]!++
        }
        return table
      })
      const counts = [0, 1].map((i) => [0, 1].map((j) => tables.reduce((sum, table) => sum + table[i]![j]!, 0)))
      const [items, clustered] = [cohenKappa(counts), cohenKappa(counts, tables)]
      if (items?.kappa === undefined) return undefined
      return {
        before: Math.abs(items.kappa - truth) <= 1.96 * items.standardError!,
        now: holds(clustered!.interval, truth),
      }
    },
  }
}

/**
 * Whether the interval of a share of variance holds it. Before, by the jackknife over tasks, for every source; now by
 * the F distribution, for the tasks alone.
 */
function shareOfVariance(
  source: 'tasks' | 'temperatures' | 'seeds',
  points: Readonly<Record<'temperatures' | 'seeds', number>>,
  tasks: number,
): Simulation {
  const effects = [1, -1].flatMap((sign) =>
    [-1, 0, 1].map((seed) => (sign * points.temperatures) / 200 + (seed * points.seeds) / 200),
  )
  const narrowed = (chances: readonly number[]): number[] => chances.map((chance) => 0.3 + 0.4 * chance)
  /** Of a play, with or without the task at a place. */
  const sharesOf = (scores: readonly (readonly number[])[]) => {
    const levelOf = (members: readonly number[], parent?: number): Level => ({
      sums: Float64Array.from(scores, (ofTask) => members.reduce((sum, member) => sum + ofTask[member]!, 0)),
      counts: Float64Array.from(scores, () => members.length),
      ...(parent !== undefined && { parent }),
    })
    const [cold, warm] = [
      [0, 1, 2],
      [3, 4, 5],
    ] as const
    const squares = Float64Array.from(scores, (ofTask) => ofTask.reduce((sum, score) => sum + score ** 2, 0))
    return varianceShares(levelOf([...cold, ...warm]), squares, [
      { name: 'temperatures', levels: [levelOf(cold), levelOf(warm)] },
      { name: 'seeds', levels: effects.map((_, run) => levelOf([run], run < 3 ? 0 : 1)), within: 'temperatures' },
    ])?.find(({ name }) => name === source)
  }
  const truth = (() => {
    const many = narrowed(populations['beta, ICC 0.3']!(0.6)).map((chance) => effects.map((effect) => chance + effect))
    const chance = mean(many.flat().map((one) => one * (1 - one)))!
    const squared = (values: readonly number[]): number => {
      const centre = mean(values)!
      return values.reduce((sum, value) => sum + (value - centre) ** 2, 0)
    }
    const runs = effects.map((_, run) => mean(many.map((ofTask) => ofTask[run]!))!)
    const components = {
      tasks: squared(many.map((ofTask) => mean(ofTask)!)) / many.length,
      temperatures: squared([mean(runs.slice(0, 3))!, mean(runs.slice(3))!]),
      seeds: (squared(runs.slice(0, 3)) + squared(runs.slice(3))) / 4,
    }
    return components[source] / (components.tasks + components.temperatures + components.seeds + chance)
  })()
  return {
    figure: `share of variance: the interval of the ${source} holds it`,
    of: `temperatures ${String(points.temperatures)} and seeds ${String(points.seeds)} points apart, ${String(tasks)} × 3`,
    replicate(draw) {
      const chances = narrowed(pick('beta, ICC 0.3', 0.6, tasks, draw))
      const scores = chances.map((chance) => effects.map((effect) => Number(draw() < chance + effect)))
      const found = sharesOf(scores)!
      const without = scores.map((_, left) => sharesOf(scores.filter((_own, task) => task !== left))!.share)
      const half = (studentQuantile(0.975, tasks - 1) * (tasks - 1) * standardDeviation(without)!) / Math.sqrt(tasks)
      return {
        before: holds({ low: Math.max(0, found.share - half), high: found.share + half }, truth),
        ...(found.interval && { now: holds(found.interval, truth) }),
      }
    },
  }
}

const simulations: readonly Simulation[] = [
  worstOfDraws('beta, ICC 0.3', 100, 2),
  worstOfDraws('all alike', 60, 1),
  ...[0, 0.05, 0.1].map((deviation) => family(3, deviation, 134, 3)),
  family(3, 0.1, 60, 1),
  family(8, 0.1, 134, 3),
  headline(0, 50, 1),
  headline(0, 134, 1),
  headline(0.1, 134, 3),
  headline(0.2, 134, 1),
  headline(0.3, 50, 1),
  ratio('drop rate', 'half at the ceiling', 0.97, 10, 1),
  ratio('drop rate', 'nearly always or never', 0.8, 20, 1),
  ratio('drop rate', 'beta, ICC 0.3', 0.8, 134, 3),
  ratio('area', 'nearly always or never', 0.8, 20, 1),
  ratio('overhead', 'beta, ICC 0.3', 0.8, 20, 1),
  ratio('overhead', 'beta, ICC 0.3', 0.8, 134, 1),
  contradiction(20, 1),
  contradiction(134, 3),
  ...[20, 40, 60].map((tasks) => shareOfVariance('tasks', { temperatures: 20, seeds: 0 }, tasks)),
  ...[2, 10, 20].map((points) => shareOfVariance('temperatures', { temperatures: points, seeds: 0 }, 60)),
  ...[0, 10].map((points) => shareOfVariance('seeds', { temperatures: 20, seeds: points }, 60)),
  kappa([0.9, 0.04], 50, 1, 0),
  kappa([0.9, 0.04], 500, 1, 0),
  kappa([0.47, 0.41], 20, 10, 0.57),
  kappa([0.47, 0.41], 100, 5, 0.57),
]

/** Simulates the figures of a report around the one test, by the rules of earlier versions and by those of now. */
export function simulateFigures(replicates = Number(process.env['REPLICATES'] ?? size(300, 2))): FigureRow[] {
  return simulations.map(({ figure, of, replicate }) => {
    const draw = createRandom(`${figure} ${of}`).next
    const found = Array.from({ length: replicates }, () => replicate(draw)).filter((one) => one !== undefined)
    const share = (rule: 'before' | 'now'): number => (100 * found.filter((one) => one[rule]).length) / found.length
    const isTold = found.some(({ now }) => now !== undefined)
    const row = { figure, of, before: share('before'), ...(isTold && { now: share('now') }) }
    console.log(`${figure} | ${of} | ${row.before.toFixed(1)} | ${row.now?.toFixed(1) ?? '–'}`)
    return row
  })
}
