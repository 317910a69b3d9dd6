import type { CellColumns } from '../compare/cell-tables.js'
import { cellTables } from '../compare/cell-tables.js'
import { describePassUnchanged } from '../compare/pass-unchanged.js'
import { wilsonInterval } from '../statistics/intervals.js'
import type { Cell, Table } from '../tables/table.js'
import { count } from '../tables/words.js'
import type { SelfTest, SelfTestCell } from './self-test.js'
import { describeRule, percent, points } from './words.js'

/** A self-test as tables, one for each environment. */
export function selfTestTables({ rule, cells, splits, all, seeds }: SelfTest): Table[] {
  const describe = (environment: string) => ({
    name: 'self-test',
    title: `Verdicts of the gate where nothing changed: ${environment}`,
    notes: [
      `${all ? `All ${count(splits, 'split')}` : count(splits, 'random split')} of the run's repeats into two halves of ${count(seeds, 'seed')}, one checked against the other.`,
      ...describeRule(rule, cells.length),
      'Shares of the splits in percent, in brackets their 95 % interval (Wilson). Splits share their episodes: the interval is about all splits of this run, not about other runs.',
    ],
    origin: [],
  })
  return cellTables(cells, columnsFor(splits), describe, true)
}

function columnsFor(splits: number): CellColumns<SelfTestCell> {
  const share = (number: number): Cell => ({ value: number / splits, ...wilsonInterval(number, splits) })
  return {
    Gate: [
      { title: 'Pass', shows: 'share', metric: 'pass', of: ({ verdicts }) => share(verdicts.pass) },
      { title: 'False alarm', shows: 'share', metric: 'fail', of: ({ verdicts }) => share(verdicts.fail) },
      {
        title: 'Inconclusive',
        shows: 'share',
        metric: 'inconclusive',
        of: ({ verdicts }) => share(verdicts.inconclusive),
      },
    ],
  }
}

/** The results over all cells together, in sentences. */
export function describeSelfTest({ splits, seeds, verdicts, passUnchanged, judged, rule, cells }: SelfTest): string[] {
  const share = (number: number): string => {
    const { low, high } = wilsonInterval(number, splits)
    return `${percent(number / splits)} [${[low, high].map((bound) => (100 * bound).toFixed(1)).join(', ')}]`
  }
  const unjudged = cells.filter((cell) => cell.verdicts.unknown + cell.verdicts.broken > 0).length
  return [
    `All ${count(cells.length, 'cell')} together, at ${count(seeds, 'seed')} a side: pass ${share(verdicts.pass)}, false alarm ${share(verdicts.fail)}, inconclusive ${share(verdicts.inconclusive)}` +
      `${verdicts.broken > 0 ? `, broken ${share(verdicts.broken)}` : ''}.`,
    ...(unjudged > 0 ? [`${count(unjudged, 'cell')} could not be judged in every split.`] : []),
    describeRate(verdicts.fail, splits, rule),
    describePassUnchanged(passUnchanged, judged, rule.margin),
  ]
}

function describeRate(fails: number, splits: number, { alpha, margin }: SelfTest['rule']): string {
  if (fails / splits > alpha) {
    return (
      `That is more false alarms than the ${percent(alpha)} that is tolerated: the repeats of this run are not alike, or its tasks are too few. ` +
      `Find out why before you gate on it with a margin of ${points(margin)} points.`
    )
  }
  const isShown = wilsonInterval(fails, splits).high <= alpha
  return `That is within the ${percent(alpha)} of false alarms that is tolerated${isShown ? '' : `; ${count(splits, 'split')} are too few to be sure of it`}.`
}
