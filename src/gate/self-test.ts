import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import { passesUnchanged } from '../compare/pass-unchanged.js'
import { ShaketableError } from '../core/errors.js'
import type { Random } from '../core/random.js'
import { placesOf, takeParts } from '../results/passes.js'
import type { CellVerdict, Rule, Verdict } from './check.js'
import { decide, judgeCells } from './judge.js'
import { prepareCells } from './prepare-cells.js'

/** The verdicts of a gate on a run checked against itself, where every regression is a false alarm. */
export interface SelfTest {
  readonly rule: Rule
  /** Number of splits of the run into two halves. */
  readonly splits: number
  /** Whether these are all possible splits. */
  readonly all: boolean
  /** Seeds of a half. */
  readonly seeds: number
  /** Number of splits with each verdict on all cells together. */
  readonly verdicts: Readonly<Record<Verdict, number>>
  /** At all seeds of the run, against a baseline like it; see `passTogether`. Absent where a cell has no repeats. */
  readonly passUnchanged?: number
  /** Number of cells of that figure: those that a column changed. */
  readonly judged: number
  readonly cells: readonly SelfTestCell[]
  readonly notes: readonly string[]
}

/** One environment × model × agent × column of a self-test. */
export interface SelfTestCell {
  readonly environment: string
  readonly model: string
  readonly agent: string
  readonly column: string
  readonly verdicts: Record<CellVerdict, number>
}

/**
 * Measures a gate's own false-alarm rate: splits the repeats of a run into two halves, up to `maxSplits` times, and
 * checks one against the other exactly as a run is checked. All cells are split alike, as two runs would be.
 * `baseline` is what the run is checked against, for `passUnchanged` alone; a baseline like the run where it is absent.
 * @throws ShaketableError `bad-input` for a run of one seed.
 */
export function selfTest(
  outcomes: Outcomes,
  rule: Rule,
  {
    splits: maxSplits,
    random,
    baseline,
  }: { readonly splits: number; readonly random: Random; readonly baseline?: Outcomes | undefined },
): SelfTest {
  const seeds = outcomes.cells[0]?.seeds.length ?? 0
  if (seeds < 2) {
    throw new ShaketableError(
      'bad-input',
      `Expected a run of at least 2 seeds, got ${String(seeds)} in ${outcomes.source}. A self-test splits repeats in two: play it with more seeds, such as --seeds 10.`,
    )
  }
  const { splits, all } = chooseSplits(seeds, maxSplits, random)
  const unchanged = passesUnchanged(baseline ?? outcomes, outcomes, rule)
  const verdicts = { pass: 0, fail: 0, inconclusive: 0, broken: 0 }
  const cells: SelfTestCell[] = []
  for (const { first, second } of splits) {
    const { prepared } = prepareCells(takeSeeds(outcomes, first), takeSeeds(outcomes, second), rule)
    const judged = judgeCells(prepared, rule)
    verdicts[decide(judged, undefined).verdict]++
    for (const [place, { cell, verdict }] of judged.entries()) {
      const { environment, model, agent, column } = cell
      const none = { pass: 0, fail: 0, inconclusive: 0, unknown: 0, broken: 0 }
      cells[place] ??= { environment, model, agent, column, verdicts: none }
      cells[place].verdicts[verdict]++
    }
  }
  return {
    rule,
    splits: splits.length,
    all,
    seeds: Math.floor(seeds / 2),
    verdicts,
    judged: unchanged.cells.length,
    ...(unchanged.all !== undefined && { passUnchanged: unchanged.all }),
    cells,
    notes: outcomes.notes,
  }
}

/**
 * Two halves of the repeats of a run, as places in its list of seeds. Both have the same size; with an odd number of
 * seeds one is left out.
 */
interface Split {
  readonly first: readonly number[]
  readonly second: readonly number[]
}

/**
 * All splits of the seeds into two ordered halves where there are at most `max` of them, otherwise `max` random ones.
 */
export function chooseSplits(
  seeds: number,
  max: number,
  random: Random,
): { readonly splits: readonly Split[]; readonly all: boolean } {
  const half = Math.floor(seeds / 2)
  const places = Array.from({ length: seeds }, (_, place) => place)
  if (choose(seeds, half) * choose(seeds - half, half) <= max) {
    const splits = subsets(places, half).flatMap((first) => {
      const rest = places.filter((place) => !first.includes(place))
      return subsets(rest, half).map((second) => ({ first, second }))
    })
    return { splits, all: true }
  }
  const splits = Array.from({ length: max }, () => {
    const shuffled = random.shuffle(places)
    return { first: shuffled.slice(0, half), second: shuffled.slice(half, 2 * half) }
  })
  return { splits, all: false }
}

/** One half of a run, its seeds numbered from 0 so that the halves pair. */
function takeSeeds(outcomes: Outcomes, places: readonly number[]): Outcomes {
  const seeds = places.map((_, seed) => seed)
  const take = ({ played, ...cell }: OutcomeCell): OutcomeCell => {
    return { ...cell, seeds, played: takeParts(played, { ...placesOf(played.shape), seeds: places }) }
  }
  return { ...outcomes, cells: outcomes.cells.map(take) }
}

function choose(from: number, count: number): number {
  let ways = 1
  for (let taken = 0; taken < count; taken++) ways = (ways * (from - taken)) / (taken + 1)
  return Math.round(ways)
}

function subsets(places: readonly number[], size: number): number[][] {
  if (size === 0) return [[]]
  return places.flatMap((place, index) => subsets(places.slice(index + 1), size - 1).map((rest) => [place, ...rest]))
}
