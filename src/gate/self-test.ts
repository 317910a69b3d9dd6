import type { Outcomes } from '../compare/outcomes.js'
import { differencesOf } from '../compare/pair-cells.js'
import { ShaketableError } from '../core/errors.js'
import type { Random } from '../core/random.js'
import { mean } from '../statistics/dispersion.js'
import type { CellVerdict, Rule, Verdict } from './check.js'
import { decide, rounding } from './judge.js'
import { prepareCells } from './prepare-cells.js'
import { settleCells } from './settle-cells.js'
import { chooseSplits, takeSeeds } from './split-seeds.js'

/** What a gate says of a run checked against itself, where every regression is a false alarm. Shares of 1. */
export interface SelfTest {
  readonly rule: Rule
  /** How often the run was split in two; `all` where these are all splits that there are. */
  readonly splits: number
  readonly all: boolean
  /** Seeds of a half. */
  readonly seeds: number
  /** Splits by the verdict on all cells together. */
  readonly verdicts: Readonly<Record<Verdict, number>>
  /** Splits in which the naive gate (red where any mean is below the other by more than the margin) turned red. */
  readonly naiveFails: number
  readonly cells: readonly SelfTestCell[]
  readonly notes: readonly string[]
}

/** One environment × model × agent × column of it. */
export interface SelfTestCell {
  readonly environment: string
  readonly model: string
  readonly agent: string
  readonly column: string
  readonly verdicts: Readonly<Record<CellVerdict, number>>
  readonly naiveFails: number
  /**
   * Noise floor: 95 % of the splits have halves whose means are at most so far apart. Absent where nothing was
   * measured.
   */
  readonly noise?: number
  /**
   * Share of pairs of single repeats that have another outcome: what flips between two identical runs of one seed.
   * Absent without a pair.
   */
  readonly flips?: number
}

/**
 * Measures a gate's own false-alarm rate: splits the repeats of a run into two halves, many times, and checks one
 * against the other by the rule and the functions that judge runs. All cells are split alike, as two runs would be.
 * @throws ShaketableError `bad-input` for a run of one seed.
 */
export function selfTest(
  outcomes: Outcomes,
  rule: Rule,
  { splits: most, random }: { readonly splits: number; readonly random: Random },
): SelfTest {
  const seeds = outcomes.cells[0]?.seeds.length ?? 0
  if (seeds < 2) {
    throw new ShaketableError(
      'bad-input',
      `Expected a run of at least 2 seeds, got ${String(seeds)} in ${outcomes.source}. Repeats are what is split in two: play it with more, such as --seeds 10.`,
    )
  }
  const { splits, all } = chooseSplits(seeds, most, random)
  const verdicts = { pass: 0, fail: 0, inconclusive: 0, broken: 0 }
  const counts: CellCount[] = []
  let naiveFails = 0
  for (const { first, second } of splits) {
    const { prepared, pairing } = prepareCells(takeSeeds(outcomes, first), takeSeeds(outcomes, second), rule)
    const settled = settleCells(prepared, rule)
    verdicts[decide(settled, undefined).verdict]++
    let isRed = false
    for (const [place, { cell, verdict, test }] of settled.entries()) {
      const count = (counts[place] ??= startCount(cell))
      count.verdicts[verdict]++
      if (test === undefined) continue
      count.apart.push(Math.abs(test.estimate))
      if (test.estimate < -rule.margin - rounding) {
        count.naiveFails++
        isRed = true
      }
      const pair = pairing.cells[place]!
      const gated = differencesOf(pair, 'success').filter((_, task) => !pair.unchanged[task])
      count.flips.push(mean(gated.flat().map(Math.abs)) ?? 0)
    }
    if (isRed) naiveFails++
  }
  return {
    rule,
    splits: splits.length,
    all,
    seeds: Math.floor(seeds / 2),
    verdicts,
    naiveFails,
    cells: counts.map(({ names, apart, flips, ...count }) => ({
      ...names,
      ...count,
      ...(apart.length > 0 && { noise: quantile(apart, 0.95), flips: mean(flips)! }),
    })),
    notes: outcomes.notes,
  }
}

interface CellCount {
  readonly names: Pick<SelfTestCell, 'environment' | 'model' | 'agent' | 'column'>
  readonly verdicts: Record<CellVerdict, number>
  naiveFails: number
  readonly apart: number[]
  readonly flips: number[]
}

function startCount({ environment, model, agent, column }: CellCount['names']): CellCount {
  return {
    names: { environment, model, agent, column },
    verdicts: { pass: 0, fail: 0, inconclusive: 0, unknown: 0, broken: 0 },
    naiveFails: 0,
    apart: [],
    flips: [],
  }
}

/** The smallest of the values that is at least as large as such a share of them. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
}
