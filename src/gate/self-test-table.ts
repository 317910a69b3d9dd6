import { count } from '../tables/words.js'
import type { Cell, Table } from '../tables/table.js'
import { wilsonInterval } from '../statistics/intervals.js'
import { describeRule, percent, points } from './words.js'
import type { SelfTest, SelfTestCell } from './self-test.js'

/** A self-test as tables, one for each environment. */
export function selfTestTables(test: SelfTest): Table[] {
  const { rule, cells, splits } = test
  const environments = [...new Set(cells.map(({ environment }) => environment))]
  return environments.map((environment) => ({
    name: 'self-test',
    environment,
    title: `What the gate says where nothing changed: ${environment}`,
    notes: [
      describeSplits(test),
      ...describeRule(rule, cells.length),
      `Shares of the splits in percent, in brackets their 95 % interval (Wilson). Splits share their episodes: the interval says how well these splits tell of all splits, not how another run would do.`,
      `Naive: a gate that turns red where the mean is lower by more than the margin. Noise: in 95 % of the splits the halves' means are at most so many points apart. Flips: pairs of single repeats with another outcome.`,
    ],
    origin: [],
    heads: ['Model', 'Agent', 'Column'],
    groups: [
      {
        title: 'Gate',
        columns: [
          { title: 'Pass', shows: 'share', metric: 'pass' },
          { title: 'False alarm', shows: 'share', metric: 'fail' },
          { title: 'Inconclusive', shows: 'share', metric: 'inconclusive' },
        ],
      },
      { title: 'Naive', columns: [{ title: 'False alarm', shows: 'share', metric: 'naive-fail' }] },
      {
        title: 'Noise floor',
        columns: [
          { title: 'Noise', shows: 'percent', metric: 'noise' },
          { title: 'Flips', shows: 'percent', metric: 'flips' },
        ],
      },
    ],
    rows: cells
      .filter((cell) => cell.environment === environment)
      .map((cell) => ({
        heads: [cell.model, cell.agent, cell.column],
        model: cell.model,
        agent: cell.agent,
        label: cell.column,
        cells: cellsOf(cell, splits),
      })),
  }))
}

/** What all cells together come to, in sentences. */
export function describeSelfTest({ splits, verdicts, naiveFails, rule, cells }: SelfTest): string[] {
  const share = (count: number): string => {
    const { low, high } = wilsonInterval(count, splits)
    return `${percent(count / splits)} [${[low, high].map((bound) => (100 * bound).toFixed(1)).join(', ')}]`
  }
  const unjudged = cells.filter((cell) => cell.verdicts.unknown + cell.verdicts.broken > 0).length
  return [
    `All ${count(cells.length, 'cell')} together: pass ${share(verdicts.pass)}, false alarm ${share(verdicts.fail)}, inconclusive ${share(verdicts.inconclusive)}` +
      `${verdicts.broken > 0 ? `, broken ${share(verdicts.broken)}` : ''}. A naive gate: false alarm ${share(naiveFails)}.`,
    ...(unjudged > 0 ? [`${count(unjudged, 'cell')} could not be judged in every split.`] : []),
    describeRate(verdicts.fail, splits, rule),
  ]
}

function describeRate(fails: number, splits: number, { alpha, margin }: SelfTest['rule']): string {
  if (fails / splits > alpha) {
    return (
      `That is more false alarms than the ${percent(alpha)} that is tolerated: the repeats of this run are not alike, or its tasks are too few. ` +
      `Do not gate on it with a margin of ${points(margin)} points before you know why.`
    )
  }
  const isShown = wilsonInterval(fails, splits).high <= alpha
  return `That is within the ${percent(alpha)} of false alarms that is tolerated${isShown ? '' : `; ${count(splits, 'split')} are too few to be sure of it`}.`
}

function describeSplits({ splits, all, seeds }: SelfTest): string {
  const halves = `two halves of ${count(seeds, 'seed')}`
  return all
    ? `All ${count(splits, 'split')} of the run's repeats into ${halves}, one checked against the other.`
    : `${count(splits, 'random split')} of the run's repeats into ${halves}, one checked against the other.`
}

function cellsOf({ verdicts, naiveFails, noise, flips }: SelfTestCell, splits: number): Cell[] {
  const share = (count: number): Cell => ({ value: count / splits, ...wilsonInterval(count, splits) })
  const figure = (value: number | undefined): Cell => (value === undefined ? {} : { value })
  return [
    share(verdicts.pass),
    share(verdicts.fail),
    share(verdicts.inconclusive),
    share(naiveFails),
    figure(noise),
    figure(flips),
  ]
}
