import { cellText } from '../../tables/table.js'
import { count } from '../../tables/words.js'
import type { ComparedCell, Comparison, Standing } from './compare.js'
import { nameOf } from './pair-cells.js'

/** Further cells that are worse or better are only counted. */
const maxCells = 20

/** The result in one sentence. */
export function headline({ cells }: Comparison): string {
  const of = cellsBy(cells)
  const [worse, better] = [of('worse'), of('better')]
  if (worse.length > 0 && better.length > 0)
    return `B is worse in ${shareOf(worse, cells)} and better in ${String(better.length)}.`
  if (worse.length > 0) return `B is worse in ${shareOf(worse, cells)}.`
  if (better.length > 0) return `B is better in ${shareOf(better, cells)}.`
  if (of('level').length > 0) return 'A and B cannot be told apart.'
  return of('equal').length > 0 ? 'A and B are equal on every pair.' : 'Nothing was measured on both sides.'
}

/**
 * The results behind the headline, in sentences: each cell that is worse or better, and the number of others by
 * standing.
 */
export function describeCells({ cells }: Comparison): string[] {
  const of = cellsBy(cells)
  const [level, equal, unmeasured] = [of('level'), of('equal'), of('unmeasured')]
  const apart = [...of('worse'), ...of('better')]
  return [
    ...apart.slice(0, maxCells).map(describeCell),
    ...(apart.length > maxCells
      ? [`And ${count(apart.length - maxCells, 'more cell')}; the table has all of them.`]
      : []),
    ...(level.length === 0 ? [] : [`Not told apart in ${shareOf(level, cells)}: ${describeDetectable(level)}`]),
    ...(equal.length === 0 ? [] : [`Equal on every pair in ${shareOf(equal, cells)}.`]),
    ...(unmeasured.length === 0 ? [] : [`Without a pair in ${shareOf(unmeasured, cells)}.`]),
  ]
}

function cellsBy(cells: readonly ComparedCell[]): (standing: Standing) => readonly ComparedCell[] {
  return (standing) => cells.filter((cell) => cell.standing === standing)
}

/** The tasks of a cell that flipped in most pairs, such as `lost 5 of 5 · task-3`, and how many more there are. */
export function describeFlips(
  { flipped }: ComparedCell,
  max: number,
): { readonly tasks: string[]; readonly more: number } {
  const tasks = flipped.slice(0, max).map(({ id, both, lost, gained, neither }) => {
    const parts = [lost > 0 ? `lost ${String(lost)}` : '', gained > 0 ? `gained ${String(gained)}` : '']
    return `${parts.filter(Boolean).join(', ')} of ${String(both + lost + gained + neither)} · ${id}`
  })
  return { tasks, more: flipped.length - tasks.length }
}

/** `household · reader · act · none`. */
export function nameCell({
  environment,
  model,
  agent,
  condition,
}: Pick<ComparedCell, 'environment' | 'model' | 'agent' | 'condition'>): string {
  return [environment, nameOf(model), nameOf(agent), condition].join(' · ')
}

function describeCell(cell: ComparedCell): string {
  const { standing, difference, interval, test, flips } = cell
  const change = cellText({ value: difference!, ...interval }, { title: '', metric: '', shows: 'change' })
  return (
    `B is ${standing} on ${nameCell(cell)}: ${change} points, Holm p ${printP(test!.holm!)}; ` +
    `${count(flips.lost, 'pair')} lost, ${String(flips.gained)} gained.`
  )
}

/** A p-value: `0.012`, `<0.001`. */
export function printP(p: number): string {
  return cellText({ value: p }, { title: '', metric: '', shows: 'p' })
}

function shareOf(some: readonly ComparedCell[], all: readonly ComparedCell[]): string {
  if (all.length === 1) return 'the only cell'
  return some.length === all.length
    ? `all ${count(all.length, 'cell')}`
    : `${String(some.length)} of ${count(all.length, 'cell')}`
}

function describeDetectable(level: readonly ComparedCell[]): string {
  const seen = level.map(({ detectable }) => detectable).filter((one) => one !== undefined)
  if (seen.length === 0) return 'no difference would be told apart there with a probability of 80 %.'
  const [low, high] = [Math.min(...seen), Math.max(...seen)].map((share) => (100 * share).toFixed(1)) as [
    string,
    string,
  ]
  const range = low === high ? low : `${low} to ${high}`
  return `the smallest true difference that would be told apart there with a probability of 80 % is ${range} points.`
}
