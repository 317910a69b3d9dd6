import { figure } from '../../tables/table.js'
import { differenceNotes, speaksOf } from '../statements.js'
import type { Table } from '../../tables/table.js'
import type { CellColumns } from './cell-tables.js'
import { cellTables } from './cell-tables.js'
import type { ComparedCell, Comparison, Standing } from './compare.js'

const standingWords: Readonly<Record<Standing, string>> = {
  worse: 'worse',
  better: 'better',
  level: 'not told apart',
  equal: 'equal',
  unmeasured: 'no pair',
}

/** A comparison as tables, one for each environment, which every format of a report can print. */
export function compareTables(comparison: Comparison): Table[] {
  const { cells, metric, first, second } = comparison
  const hasArrows = cells.some(({ model, agent }) => model.first !== model.second || agent.first !== agent.second)
  return cellTables(cells, columnsFor(metric), (environment, shown) => ({
    name: 'compare',
    title: `B compared with A on ${environment}`,
    notes: describeColumns(comparison, shown),
    origin: [
      first.source === second.source
        ? `A and B are both of ${first.source} (shaketable ${first.version})${hasArrows ? '; A stands before the arrow' : ''}.`
        : `A is ${first.source} (shaketable ${first.version}), B is ${second.source} (shaketable ${second.version}).`,
    ],
  }))
}

function columnsFor(metric: Comparison['metric']): CellColumns<ComparedCell> {
  const coverage = ({ pairs, planned }: ComparedCell) => ({ valid: pairs, planned })
  const mean = (side: 'first' | 'second') => (cell: ComparedCell) => ({
    ...figure(cell.means?.[side]),
    ...coverage(cell),
  })
  const change = (cell: ComparedCell) => ({ ...figure(cell.difference), ...cell.interval, ...coverage(cell) })
  return {
    Verdict: [['B is', 'text', 'verdict', ({ standing }) => ({ text: standingWords[standing] })]],
    [metric === 'success' ? 'Success' : 'Progress']: [
      ['A', 'percent', `${metric}-a`, mean('first')],
      ['B', 'percent', `${metric}-b`, mean('second')],
      ['Change', 'change', `${metric}-change`, change],
    ],
    Test: [
      ['p', 'p', 'p', ({ test }) => test?.p],
      ['Holm', 'p', 'p-holm', ({ test }) => test?.holm],
    ],
    Sensitivity: [['Detectable', 'percent', 'detectable-difference', ({ detectable }) => detectable]],
    Pairs: [
      ['Pairs', 'coverage', 'pairs', coverage],
      ['Both', 'count', 'pairs-both', ({ flips }) => flips.both],
      ['Lost', 'count', 'pairs-lost', ({ flips }) => flips.lost],
      ['Gained', 'count', 'pairs-gained', ({ flips }) => flips.gained],
      ['Neither', 'count', 'pairs-neither', ({ flips }) => flips.neither],
    ],
  }
}

function describeColumns({ cells, metric, alpha }: Comparison, shown: readonly ComparedCell[]): string[] {
  const temperatures = new Set(shown.flatMap((cell) => cell.temperatures))
  return [
    `Pairs of one task${temperatures.size > 1 ? ', seed and temperature' : ' and seed'}; ${metric} in percent, change as B minus A in points with its 95 % interval, the task as the cluster.${temperatures.size > 1 ? ' Over several temperatures a figure is the mean of the means at each.' : ''} ${speaksOf.tasks}`,
    ...(shown.some(({ test }) => test) ? [`${differenceNotes.test}.`] : []),
    `Holm: the same, adjusted over all ${String(cells.length)} cells that were compared; B is called worse or better where it is at most ${String(alpha)}.`,
    'Detectable: the smallest true difference that is told apart with a probability of 80 %, however it is spread over tasks.',
    'Lost: solved by A alone; gained: by B alone.',
  ]
}
