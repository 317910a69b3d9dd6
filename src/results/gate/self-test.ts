import type { Outcomes } from '../compare/outcomes.js'
import { pairCells } from '../compare/pair-cells.js'
import { describePassUnchanged, passesUnchanged } from '../compare/pass-unchanged.js'
import { ShaketableError } from '../../core/errors.js'
import type { Random } from '../../core/random.js'
import { placesOf, takeParts } from '../passes.js'
import { percent, size } from '../summary/figures.js'
import { wilsonInterval } from '../../statistics/intervals.js'
import { count, listFirst } from '../../tables/words.js'
import type { Rule, Verdict } from './check.js'
import { judgeCells } from './check-run.js'
import { describeRule, nameCheckedCell } from './describe-check.js'
import { decide } from './judge.js'

/**
 * Measures a gate's own false-alarm rate: splits the repeats of a run at random into two halves of one size, and checks
 * one against the other exactly as a run is checked, so that every regression is a false alarm. All cells are split
 * alike, as two runs would be.
 * @throws ShaketableError `bad-input` for a run of one seed.
 */
export function selfTest(outcomes: Outcomes, rule: Rule, random: Random, splits = 200) {
  const places = [...(outcomes.cells[0]?.seeds ?? []).keys()]
  const half = Math.floor(places.length / 2)
  if (half === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected a run of at least 2 seeds, got ${String(places.length)} in ${outcomes.source}. A self-test splits repeats in two: play it with more seeds, such as --seeds 10.`,
    )
  }
  const unchanged = passesUnchanged(outcomes, outcomes, rule)
  const verdicts: Record<Verdict, number> = { pass: 0, fail: 0, inconclusive: 0, broken: 0 }
  /** In how many splits a cell raised a false alarm, by its name. */
  const alarms = new Map<string, number>()
  for (let split = 0; split < splits; split++) {
    const shuffled = random.shuffle(places)
    const [first, second] = [shuffled.slice(0, half), shuffled.slice(half, 2 * half)]
    const judged = judgeCells(pairCells(takeSeeds(outcomes, first), takeSeeds(outcomes, second)), rule)
    verdicts[decide(judged.map(({ cell }) => cell)).verdict]++
    for (const { cell } of judged.filter(({ cell }) => cell.verdict === 'fail'))
      alarms.set(nameCheckedCell(cell), (alarms.get(nameCheckedCell(cell)) ?? 0) + 1)
  }
  return {
    ...{ rule, splits, seeds: half, cells: outcomes.cells.length, verdicts, alarms },
    // At all seeds of the run, against a baseline like it.
    ...{ judged: unchanged.cells.length, passUnchanged: unchanged.all },
  }
}

/** One half of a run, its seeds numbered from 0 so that the halves pair. */
function takeSeeds(outcomes: Outcomes, places: readonly number[]): Outcomes {
  const seeds = [...places.keys()]
  return {
    ...outcomes,
    cells: outcomes.cells.map(({ played, ...cell }) => ({
      ...{ ...cell, seeds, played: takeParts(played, { ...placesOf(played.shape), seeds: places }) },
    })),
  }
}

/** A self-test in sentences: the rule, what was done, and the results over all cells together. */
export function describeSelfTest(result: ReturnType<typeof selfTest>): string[] {
  const { splits, seeds, cells, verdicts, alarms, passUnchanged, judged, rule } = result
  const share = (number: number): string => {
    const { low, high } = wilsonInterval(number, splits)
    return `${percent(number / splits)} [${[low, high].map((bound) => (100 * bound).toFixed(1)).join(', ')}]`
  }
  const broken = verdicts.broken > 0 ? `, broken ${share(verdicts.broken)}` : ''
  const named = [...alarms].map(([name, number]) => `${name} (${String(number)})`)
  return [
    ...describeRule(rule, cells),
    `${count(splits, 'random split')} of the run's repeats into two halves of ${count(seeds, 'seed')}, one checked against the other. In brackets the 95 % interval of a share (Wilson): the splits share their episodes, so it is about all splits of this run, not about other runs.`,
    `All ${count(cells, 'cell')} together, at ${count(seeds, 'seed')} a side: pass ${share(verdicts.pass)}, false alarm ${share(verdicts.fail)}, inconclusive ${share(verdicts.inconclusive)}${broken}.`,
    ...(named.length === 0 ? [] : [`False alarms by cell: ${listFirst(named, 20)}.`]),
    verdicts.fail / splits > rule.alpha
      ? `That is more false alarms than the ${percent(rule.alpha)} that is tolerated: the repeats of this run are not alike, or its tasks are too few. Find out why before you gate on it with a margin of ${size(rule.margin)} points.`
      : `That is within the ${percent(rule.alpha)} of false alarms that is tolerated.`,
    describePassUnchanged(passUnchanged, judged, rule.margin),
  ]
}
