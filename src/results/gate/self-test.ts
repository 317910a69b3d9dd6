import type { CellColumns } from '../compare/cell-tables.js'
import { cellTables } from '../compare/cell-tables.js'
import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import { describePassUnchanged, passesUnchanged } from '../compare/pass-unchanged.js'
import { ShaketableError } from '../../core/errors.js'
import type { Random } from '../../core/random.js'
import { placesOf, takeParts } from '../passes.js'
import { wilsonInterval } from '../../statistics/intervals.js'
import type { Table } from '../../tables/table.js'
import { count } from '../../tables/words.js'
import type { CellVerdict, CheckedCell, Rule, Verdict } from './check.js'
import { decide, judgeCells } from './judge.js'
import { prepareCells } from './prepare-cells.js'
import { describeRule, percent, points } from './words.js'

/** The verdicts of a gate on a run checked against itself, where every regression is a false alarm. */
export interface SelfTest {
  readonly rule: Rule
  /** Number of splits of the run into two halves. */
  readonly splits: number
  /** Seeds of a half. */
  readonly seeds: number
  /** Number of splits with each verdict on all cells together. */
  readonly verdicts: Readonly<Record<Verdict, number>>
  /** At all seeds of the run, against a baseline like it; see `passTogether`. Absent where a cell has no repeats. */
  readonly passUnchanged?: number
  /** Number of cells of that figure: those that a condition changed. */
  readonly judged: number
  readonly cells: readonly SelfTestCell[]
  readonly notes: readonly string[]
}

/** One environment × model × agent × condition of a self-test. */
interface SelfTestCell extends Pick<CheckedCell, 'environment' | 'model' | 'agent' | 'condition'> {
  readonly verdicts: Record<CellVerdict, number>
}

/**
 * Measures a gate's own false-alarm rate: splits the repeats of a run at random into two halves of one size, and checks
 * one against the other exactly as a run is checked. All cells are split alike, as two runs would be.
 * @throws ShaketableError `bad-input` for a run of one seed.
 */
export function selfTest(outcomes: Outcomes, rule: Rule, random: Random, splits = 200): SelfTest {
  const places = [...(outcomes.cells[0]?.seeds ?? []).keys()]
  const half = Math.floor(places.length / 2)
  if (half === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected a run of at least 2 seeds, got ${String(places.length)} in ${outcomes.source}. A self-test splits repeats in two: play it with more seeds, such as --seeds 10.`,
    )
  }
  const unchanged = passesUnchanged(outcomes, outcomes, rule)
  const verdicts = { pass: 0, fail: 0, inconclusive: 0, broken: 0 }
  const cells: SelfTestCell[] = []
  for (let split = 0; split < splits; split++) {
    const shuffled = random.shuffle(places)
    const [first, second] = [shuffled.slice(0, half), shuffled.slice(half, 2 * half)]
    const { prepared } = prepareCells(takeSeeds(outcomes, first), takeSeeds(outcomes, second), rule)
    const judged = judgeCells(prepared, rule)
    verdicts[decide(judged, undefined).verdict]++
    for (const [place, { cell, verdict }] of judged.entries()) {
      const { environment, model, agent, condition } = cell
      const none = { pass: 0, fail: 0, inconclusive: 0, unknown: 0, broken: 0 }
      cells[place] ??= { environment, model, agent, condition, verdicts: none }
      cells[place].verdicts[verdict]++
    }
  }
  return {
    rule,
    splits,
    seeds: half,
    verdicts,
    judged: unchanged.cells.length,
    ...(unchanged.all !== undefined && { passUnchanged: unchanged.all }),
    cells,
    notes: outcomes.notes,
  }
}

/** One half of a run, its seeds numbered from 0 so that the halves pair. */
function takeSeeds(outcomes: Outcomes, places: readonly number[]): Outcomes {
  const seeds = [...places.keys()]
  const take = ({ played, ...cell }: OutcomeCell): OutcomeCell => {
    return { ...cell, seeds, played: takeParts(played, { ...placesOf(played.shape), seeds: places }) }
  }
  return { ...outcomes, cells: outcomes.cells.map(take) }
}

/** A self-test as tables, one for each environment. */
export function selfTestTables({ rule, cells, splits, seeds }: SelfTest): Table[] {
  const share = (title: string, verdict: 'pass' | 'fail' | 'inconclusive') =>
    [
      title,
      'share',
      verdict,
      ({ verdicts }: SelfTestCell) => ({
        value: verdicts[verdict] / splits,
        ...wilsonInterval(verdicts[verdict], splits),
      }),
    ] as const
  const columns: CellColumns<SelfTestCell> = {
    Gate: [share('Pass', 'pass'), share('False alarm', 'fail'), share('Inconclusive', 'inconclusive')],
  }
  const describe = (environment: string) => ({
    name: 'self-test',
    title: `Verdicts of the gate where nothing changed: ${environment}`,
    notes: [
      `${count(splits, 'random split')} of the run's repeats into two halves of ${count(seeds, 'seed')}, one checked against the other.`,
      ...describeRule(rule, cells.length),
      'Shares of the splits in percent, in brackets their 95 % interval (Wilson). Splits share their episodes: the interval is about all splits of this run, not about other runs.',
    ],
    origin: [],
  })
  return cellTables(cells, columns, describe, true)
}

/** The results over all cells together, in sentences. */
export function describeSelfTest({ splits, seeds, verdicts, passUnchanged, judged, rule, cells }: SelfTest): string[] {
  const share = (number: number): string => {
    const { low, high } = wilsonInterval(number, splits)
    return `${percent(number / splits)} [${[low, high].map((bound) => (100 * bound).toFixed(1)).join(', ')}]`
  }
  const broken = verdicts.broken > 0 ? `, broken ${share(verdicts.broken)}` : ''
  const unjudged = cells.filter((cell) => cell.verdicts.unknown + cell.verdicts.broken > 0).length
  return [
    `All ${count(cells.length, 'cell')} together, at ${count(seeds, 'seed')} a side: pass ${share(verdicts.pass)}, false alarm ${share(verdicts.fail)}, inconclusive ${share(verdicts.inconclusive)}${broken}.`,
    ...(unjudged > 0 ? [`${count(unjudged, 'cell')} could not be judged in every split.`] : []),
    verdicts.fail / splits > rule.alpha
      ? `That is more false alarms than the ${percent(rule.alpha)} that is tolerated: the repeats of this run are not alike, or its tasks are too few. Find out why before you gate on it with a margin of ${points(rule.margin)} points.`
      : `That is within the ${percent(rule.alpha)} of false alarms that is tolerated.`,
    describePassUnchanged(passUnchanged, judged, rule.margin),
  ]
}
