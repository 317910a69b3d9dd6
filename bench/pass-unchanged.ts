import { passesUnchanged } from '../src/results/compare/pass-unchanged.js'
import { planPower } from '../src/results/compare/power.js'
import { mean } from '../src/statistics/index.js'
import { madeCells, madeOutcomes } from '../test/results/gate/_made.js'
import { type Draw, drawTasks, populations, printRow, replicatesOf, simulate } from './_simulate.js'
import { size } from './_measure.js'
import { isPassed } from './gate-level.js'

/** Outcomes of three cells by task: `1` or `0` for each seed. */
type Play = readonly (readonly string[])[]

/** What is convenient to assume about an unchanged model, and is varied here. */
interface Scenario {
  /** How tasks differ; see {@link populations}. */
  readonly tasks: string
  readonly success: number
  /** Share of the episodes of one cell that come out as in the first cell. */
  readonly alike?: number
  /** At temperature 0 a task has one outcome, except for this share of its episodes. */
  readonly flips?: number
}

const usual = { tasks: 'beta, ICC 0.3', success: 0.8 }
const scenarios: readonly Scenario[] = [
  ...[0.5, 0.6, 0.8, 0.92, 0.98].map((success) => ({ tasks: 'all alike', success })),
  ...['beta, ICC 0.3', 'beta, ICC 0.7', 'nearly always or never', 'some solved half the time', 'some mostly lost'].map(
    (tasks) => ({ tasks, success: 0.8 }),
  ),
  ...[0.5, 1].map((alike) => ({ ...usual, alike })),
  ...[0, 0.02, 0.1].map((flips) => ({ ...usual, flips })),
]

const options = { metric: 'success', margin: 0.05, alpha: 0.05, pass: 0.95, power: 0.8, drop: 0.1 } as const
const pilots = size(20, 1)

/** Plays every task in every cell. */
function play(panel: readonly number[], seeds: number, { alike = 0 }: Scenario, draw: Draw): Play {
  const signs = (of: (task: number, seed: number) => string): readonly string[] =>
    panel.map((_, task) => Array.from({ length: seeds }, (_, seed) => of(task, seed)).join(''))
  const anew = (task: number): string => (draw() < panel[task]! ? '1' : '0')
  const first = signs(anew)
  const other = (): readonly string[] => signs((task, seed) => (draw() < alike ? first[task]![seed]! : anew(task)))
  return [first, other(), other()]
}

function passes(first: Play, second: Play): boolean {
  const shareOf = (signs: string): number => mean([...signs].map(Number))!
  return first.every((before, cell) =>
    isPassed(before.map((signs, task) => shareOf(second[cell]![task]!) - shareOf(signs))),
  )
}

const outcomesOf = (played: Play) =>
  madeOutcomes(
    played.flatMap((tasks, cell) =>
      madeCells(
        tasks.map((signs) => [signs]),
        { condition: `condition-${String(cell)}` },
      ),
    ),
  )

/**
 * How often an unchanged model passes the gate of `docs/ci.md` (134 tasks, 3 cells, margin 5 points), with 2 seeds and
 * with those that `power` names for 95 % from a pilot of 3 seeds, beside the figure that `check` and `power` print.
 */
export function simulateUnchanged(): void {
  const rounds = Math.ceil(replicatesOf(400) / pilots)
  for (const scenario of scenarios) {
    const { tasks, success, flips } = scenario
    const name = JSON.stringify(scenario)
    const shares = simulate(`pass unchanged ${name}`, pilots, (draw) => {
      const panel = drawTasks(populations[tasks]!(success), 134, draw).map((chance) =>
        flips === undefined ? chance : draw() < chance ? 1 - flips : flips,
      )
      const { needed } = planPower(outcomesOf(play(panel, 3, scenario, draw)), options).environments[0]!
      const seeds = needed.seeds ?? 1
      const [before, planned] = [2, seeds].map((count) => {
        const runs = Array.from({ length: rounds }, () => play(panel, count, scenario, draw))
        const passed = runs.filter((first) => passes(first, play(panel, count, scenario, draw)))
        const outcomes = outcomesOf(runs[0]!)
        return { passes: passed.length / rounds, figure: passesUnchanged(outcomes, outcomes, options).all! }
      })
      return {
        passes: before!.passes,
        figure: before!.figure,
        'passes as planned': planned!.passes,
        'figure as planned': planned!.figure,
        seeds: seeds / 100,
      }
    })
    printRow(['unchanged model', name], shares)
  }
}
