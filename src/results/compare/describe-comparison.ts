import { differenceNotes, speaksOf } from '../statements.js'
import { interval as intervalText, points, pValue } from '../summary/figures.js'
import { type Table, figure } from '../../tables/table.js'
import { count } from '../../tables/words.js'
import { type CellColumns, cellTables, nameCell, shareOfCells } from './cell-tables.js'
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
  const isPooled = new Set(shown.flatMap((cell) => cell.temperatures)).size > 1
  return [
    `Pairs of one task${isPooled ? ', seed and temperature' : ' and seed'}; ${metric} in percent, change as B minus A in points with its 95 % interval, the task as the cluster.${isPooled ? ' Over several temperatures a figure is the mean of the means at each.' : ''} ${speaksOf.tasks}`,
    ...(shown.some(({ test }) => test) ? [`${differenceNotes.test}.`] : []),
    `Holm: the same, adjusted over all ${String(cells.length)} cells that were compared; B is called worse or better where it is at most ${String(alpha)}.`,
    'Detectable: the smallest true difference that is told apart with a probability of 80 %, however it is spread over tasks.',
    'Lost: solved by A alone; gained: by B alone.',
  ]
}

/** The result in one sentence. */
export function headline({ cells }: Comparison): string {
  const of = cellsBy(cells)
  const [worse, better] = [of('worse').length, of('better').length]
  if (worse > 0)
    return `B is worse in ${shareOfCells(worse, cells.length)}${better > 0 ? ` and better in ${String(better)}` : ''}.`
  if (better > 0) return `B is better in ${shareOfCells(better, cells.length)}.`
  if (of('level').length > 0) return 'A and B cannot be told apart.'
  return of('equal').length > 0 ? 'A and B are equal on every pair.' : 'Nothing was measured on both sides.'
}

/** Further cells that are worse or better are only counted. */
const maxCells = 20

/**
 * The results behind the headline, in sentences: each cell that is worse or better, and the number of others by
 * standing.
 */
export function describeCells({ cells }: Comparison): string[] {
  const of = cellsBy(cells)
  const apart = [...of('worse'), ...of('better')]
  const [level, equal, unmeasured] = [of('level'), of('equal'), of('unmeasured')]
  const share = (some: readonly ComparedCell[]): string => shareOfCells(some.length, cells.length)
  return [
    ...apart.slice(0, maxCells).map(describeCell),
    apart.length > maxCells && `And ${count(apart.length - maxCells, 'more cell')}; the table has all of them.`,
    level.length > 0 && `Not told apart in ${share(level)}: ${describeDetectable(level)}`,
    equal.length > 0 && `Equal on every pair in ${share(equal)}.`,
    unmeasured.length > 0 && `Without a pair in ${share(unmeasured)}.`,
  ].filter((sentence) => sentence !== false)
}

function cellsBy(cells: readonly ComparedCell[]): (standing: Standing) => readonly ComparedCell[] {
  return (standing) => cells.filter((cell) => cell.standing === standing)
}

function describeCell(cell: ComparedCell): string {
  const { standing, difference, interval, test, flips } = cell
  const change = `${points(difference!)}${interval ? ` ${intervalText(interval)}` : ''}`
  return (
    `B is ${standing} on ${nameCell(cell)}: ${change} points, Holm ${pValue(test!.holm!)}; ` +
    `${count(flips.lost, 'pair')} lost, ${String(flips.gained)} gained.`
  )
}

function describeDetectable(level: readonly ComparedCell[]): string {
  const seen = level.map(({ detectable }) => detectable).filter((bound) => bound !== undefined)
  if (seen.length === 0) return 'no difference would be told apart there with a probability of 80 %.'
  const range = [...new Set([Math.min(...seen), Math.max(...seen)].map((share) => (100 * share).toFixed(1)))]
  return `the smallest true difference that would be told apart there with a probability of 80 % is ${range.join(' to ')} points.`
}

/** Tasks whose outcome changed that are named in each cell. */
const namedFlips = 5

/** The tasks of each cell that flipped in most pairs, a line each, and how many more there are. */
export function describeFlips({ cells }: Comparison): string[] {
  const lines = cells.flatMap((cell) => {
    const { flipped } = cell
    const tasks = flipped.slice(0, namedFlips).map(({ id, both, lost, gained, neither }) => {
      const parts = [lost > 0 ? `lost ${String(lost)}` : '', gained > 0 ? `gained ${String(gained)}` : '']
      return `  ${parts.filter(Boolean).join(', ')} of ${String(both + lost + gained + neither)} · ${id}`
    })
    const more = flipped.length - tasks.length
    if (more > 0) tasks.push(`  … and ${String(more)} more`)
    return tasks.length === 0 ? [] : [`${nameCell(cell)}:`, ...tasks]
  })
  return lines.length === 0 ? [] : ['Tasks that flipped most:', ...lines]
}
