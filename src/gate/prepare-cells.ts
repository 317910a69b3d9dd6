import { groupCells, keyOf } from '../compare/group-cells.js'
import type { Outcomes } from '../compare/outcomes.js'
import type { PairedCell, Pairing } from '../compare/pair-cells.js'
import { pairCells } from '../compare/pair-cells.js'
import type { Rule } from './check.js'
import type { PreparedCell } from './prepare-cell.js'
import { prepareCell, unpairedCell } from './prepare-cell.js'

/** What {@link prepareCells} may be told. */
interface Circumstances {
  readonly quarantined?: ReadonlySet<string>
  /** The run is not whole. */
  readonly partial?: boolean
  /** Columns that are not what they were in the baseline. */
  isOther?(environment: string, column: string): boolean
}

/** All cells of both sides, ready to be judged together. */
interface PreparedCells {
  /** In the baseline's order; what only the run has comes last. */
  readonly prepared: readonly PreparedCell[]
  readonly pairing: Pairing
}

/**
 * Pairs a run with its baseline and tests what can be tested.
 * @throws ShaketableError `bad-input` where the two have no task in common.
 */
export function prepareCells(
  baseline: Outcomes,
  run: Outcomes,
  rule: Rule,
  { quarantined = new Set(), partial = false, isOther = () => false }: Circumstances = {},
): PreparedCells {
  const pairing = pairCells(baseline, run)
  const ownCells = groupCells(pairing.second)
  const paired = pairing.cells.map((pair) =>
    prepareCell(pair, {
      own: ownCells.get(keyOfPair(pair, 'second')) ?? [],
      rule,
      quarantined,
      partial,
      changed: isOther(pair.environment, pair.column),
    }),
  )
  return { prepared: [...paired, ...listUnpaired(baseline, run, pairing.cells)], pairing }
}

/** Cells that are not in any pair, in the order of their side. */
function listUnpaired(baseline: Outcomes, run: Outcomes, pairs: readonly PairedCell[]): PreparedCell[] {
  const listSide = (outcomes: Outcomes, other: Outcomes, side: 'first' | 'second', cause: 'missing' | 'new') => {
    const known = new Set(pairs.map((pair) => keyOfPair(pair, side)))
    const others = groupCells(other)
    return [...groupCells(outcomes)].flatMap(([key, [cell]]) => {
      if (known.has(key)) return []
      if (!others.has(key)) return [unpairedCell(cell!, cause)]
      return side === 'first' ? [unpairedCell(cell!, 'unpaired')] : []
    })
  }
  return [...listSide(baseline, run, 'first', 'missing'), ...listSide(run, baseline, 'second', 'new')]
}

function keyOfPair({ environment, model, agent, column }: PairedCell, side: 'first' | 'second'): string {
  return keyOf(environment, model[side], agent[side], column)
}
