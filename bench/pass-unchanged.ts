import { passesUnchanged } from '../src/compare/pass-unchanged.js'
import { planPower } from '../src/compare/power.js'
import { createRandom } from '../src/index.js'
import { meanAboveP } from '../src/statistics/index.js'
import { madeCells, madeOutcomes } from '../test/gate/_made.js'
import { populations } from './_simulated-tasks.js'
import { size } from './_size.js'

type Draw = () => number
/** Outcomes by cell, task and seed. */
type Play = readonly (readonly (readonly number[])[])[]

/** What is convenient to assume about an unchanged model, and is varied here. */
interface Scenario {
  readonly name: string
  /** How tasks differ; see {@link populations}. */
  readonly tasks: string
  readonly success: number
  /** Number of tasks; 134 where absent. */
  readonly panel?: number
  /** Seeds of both columns; 2 and those that `power` names where absent. */
  readonly repeats?: number
  /** Share of the episodes of one cell that come out as in the first cell. */
  readonly alike?: number
  /** Share of the episodes of the second run that are played as in the first, as with a server that honours seeds. */
  readonly replayed?: number
  /** At temperature 0 a task has one outcome, except for this share of its episodes. */
  readonly flips?: number
}

const scenarios: readonly Scenario[] = [
  ...[0.5, 0.6, 0.8, 0.92, 0.98].map((success) => ({
    name: `success ${String(success)}`,
    tasks: 'all alike',
    success,
  })),
  ...['beta, ICC 0.3', 'beta, ICC 0.7', 'nearly always or never', 'some solved half the time', 'some mostly lost'].map(
    (tasks) => ({ name: tasks, tasks, success: 0.8 }),
  ),
  {
    name: '60 tasks × 5, some solved half the time',
    tasks: 'some solved half the time',
    success: 0.95,
    panel: 60,
    repeats: 5,
  },
  { name: '60 tasks × 5, some mostly lost', tasks: 'some mostly lost', success: 0.95, panel: 60, repeats: 5 },
  { name: 'cells half alike', tasks: 'beta, ICC 0.3', success: 0.8, alike: 0.5 },
  { name: 'cells alike', tasks: 'beta, ICC 0.3', success: 0.8, alike: 1 },
  { name: 'half of the second run replayed', tasks: 'beta, ICC 0.3', success: 0.8, replayed: 0.5 },
  { name: 'temperature 0', tasks: 'beta, ICC 0.3', success: 0.8, flips: 0 },
  { name: 'temperature 0, 2 % differ', tasks: 'beta, ICC 0.3', success: 0.8, flips: 0.02 },
  { name: 'temperature 0, 10 % differ', tasks: 'beta, ICC 0.3', success: 0.8, flips: 0.1 },
]

const [tasks, cells, margin, alpha, pass] = [134, 3, 0.05, 0.05, 0.95]
const options = { metric: 'success', margin, alpha, pass, power: 0.8, drop: 2 * margin } as const
const pilots = size(20, 1)

/** Results of a scenario as shares of 1; seeds are means over pilots. */
export interface DesignFigures {
  readonly name: string
  /** By the old example: 2 seeds. How often an unchanged model passes, and the mean figure of its runs. */
  readonly before: { readonly passes: number; readonly figure: number }
  /** With the seeds that `power` names for a pilot of 3 seeds. */
  readonly design: { readonly seeds: number; readonly passes: number; readonly figure: number }
}

function figuresOf(scenario: Scenario, replicates: number): DesignFigures {
  const { name, flips, panel: size = tasks, repeats: usual = 2 } = scenario
  const draw = createRandom(`pass unchanged ${name}`).next
  const probabilities = populations[scenario.tasks]!(scenario.success)
  const totals = { before: { passes: 0, figure: 0 }, design: { seeds: 0, passes: 0, figure: 0 } }
  for (let pilot = 0; pilot < pilots; pilot++) {
    const panel = Array.from({ length: size }, () => {
      const chance = probabilities[Math.floor(draw() * probabilities.length)]!
      return flips === undefined ? chance : draw() < chance ? 1 - flips : flips
    })
    const { needed } = planPower(outcomesOf(play(panel, 3, scenario, draw)), options).environments[0]!
    const seeds = scenario.repeats ?? needed.seeds ?? 1
    totals.design.seeds += seeds / pilots
    for (const [repeats, total] of [
      [usual, totals.before],
      [seeds, totals.design],
    ] as const) {
      const rounds = Math.ceil(replicates / pilots)
      for (let round = 0; round < rounds; round++) {
        const first = play(panel, repeats, scenario, draw)
        if (passes(first, play(panel, repeats, scenario, draw, first))) total.passes += 1 / rounds / pilots
        if (round === 0) {
          const outcomes = outcomesOf(first)
          total.figure += passesUnchanged(outcomes, outcomes, options).all! / pilots
        }
      }
    }
  }
  return { name, ...totals }
}

/** Plays every task in every cell; `before` is the run of which a share is replayed. */
function play(panel: readonly number[], seeds: number, scenario: Scenario, draw: Draw, before?: Play): Play {
  const { alike = 0, replayed = 0 } = scenario
  const played: number[][][] = []
  for (let cell = 0; cell < cells; cell++)
    played.push(
      panel.map((chance, task) =>
        Array.from({ length: seeds }, (_, seed) => {
          if (cell > 0 && draw() < alike) return played[0]![task]![seed]!
          if (before !== undefined && draw() < replayed) return before[cell]![task]![seed]!
          return Number(draw() < chance)
        }),
      ),
    )
  return played
}

function passes(first: Play, second: Play): boolean {
  return first.every((before, cell) => {
    const differences = before.map((values, task) => {
      const after = second[cell]![task]!
      return values.reduce((sum, value, seed) => sum + after[seed]! - value, 0) / values.length
    })
    return meanAboveP(differences, -margin) < alpha
  })
}

function outcomesOf(played: Play) {
  return madeOutcomes(
    played.flatMap((byTask, cell) =>
      madeCells(
        byTask.map((values) => [values.join('')]),
        { column: `column-${String(cell)}` },
      ),
    ),
  )
}

/**
 * How often an unchanged model passes the gate of `docs/ci.md` (134 tasks, 3 cells, margin 5 points), with 2 seeds and
 * with those that `power` names for 95 %, beside the figure that `check`, `power` and `aa` print.
 */
export function simulateUnchanged(replicates = Number(process.env['REPLICATES'] ?? size(400, 2))): DesignFigures[] {
  const percent = (share: number): string => (Number.isNaN(share) ? '–' : (100 * share).toFixed(1))
  console.log(
    `unchanged model: ${String(tasks)} tasks, ${String(cells)} cells, margin 5 points, ${String(replicates)} replicates over ${String(pilots)} pilots of 3 seeds`,
  )
  console.log('scenario | 2 seeds: passes, figure | seeds for 95 %: number, passes, figure')
  return scenarios.map((scenario) => {
    const figures = figuresOf(scenario, replicates)
    const { name, before, design } = figures
    console.log(
      `${name} | ${percent(before.passes)}, ${percent(before.figure)} | ${design.seeds.toFixed(1)}, ${percent(design.passes)}, ${percent(design.figure)}`,
    )
    return figures
  })
}
