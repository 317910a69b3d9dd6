import { shortList } from '../compare/check-panels.js'
import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import type { PairedCell } from '../compare/pair-cells.js'
import { pairCells } from '../compare/pair-cells.js'
import type { Baseline } from './baseline.js'
import type { CellVerdict, Check, CheckedCell, Rule } from './check.js'
import type { Conditions } from './conditions.js'
import { compareConditions } from './conditions.js'
import { describeCell } from './describe-cell.js'
import { decide, judge } from './judge.js'
import { powerOfCell } from './power-of-cell.js'
import type { PreparedCell } from './prepare-cell.js'
import { prepareCell, unpairedCell } from './prepare-cell.js'
import type { Quarantine } from './quarantine.js'

/** A run that is to be checked. */
export interface CheckableRun {
  readonly outcomes: Outcomes
  readonly conditions: Conditions
  /** Why it is not whole, in a sentence: then nothing is judged. */
  readonly obstacle?: string
}

/**
 * Checks a run against a baseline, cell by cell; a cell is an environment × model × agent × column over all seeds and temperatures that both have, paired by task,
 * seed and temperature, with the task as the cluster. What one side does not have stays in the result as `unknown`.
 * @throws ShaketableError `bad-input` where the two were played on different panels or with different limits.
 */
export function checkRun(run: CheckableRun, baseline: Baseline, rule: Rule, quarantine?: Quarantine): Check {
  const differ = compareConditions(baseline.conditions, run.conditions)
  const { cells: pairs, unpaired } = pairCells(baseline.outcomes, run.outcomes)
  const ownCells = groupCells(run.outcomes)
  const paired = pairs.map((pair) =>
    prepareCell(pair, {
      own: ownCells.get(keyOf(namesOf(pair, 'second'))) ?? [],
      rule,
      quarantined: quarantine?.tasks ?? new Set(),
      partial: run.obstacle !== undefined,
      changed: differ.columns.has(pair.column),
    }),
  )
  const { cells, judged } = judgeCells([...paired, ...listUnpaired(baseline.outcomes, run.outcomes, pairs)], rule)
  return {
    schema: 1,
    ...decide(cells, run.obstacle),
    ...(run.obstacle !== undefined && { obstacle: run.obstacle }),
    run: { source: run.outcomes.source, version: run.outcomes.version },
    baseline: {
      source: baseline.outcomes.source,
      version: baseline.outcomes.version,
      why: baseline.history.at(-1)?.why ?? '',
    },
    rule,
    judged,
    cells,
    notes: [
      ...run.outcomes.notes,
      ...unpaired,
      ...describeRenamed(pairs),
      ...differ.notes,
      ...(quarantine ? describeStrangers(quarantine, run.outcomes) : []),
    ],
  }
}

/** Judges together what can be judged, and puts all into words. */
function judgeCells(prepared: readonly PreparedCell[], rule: Rule): { cells: CheckedCell[]; judged: number } {
  const judgeable = prepared.filter(({ test, cause }) => test !== undefined && cause === undefined)
  const judgements = judge(
    judgeable.map(({ test }) => test!),
    rule,
  )
  const judged = judgeable.length
  const cells = prepared.map((one): CheckedCell => {
    const { cell, test, means, cause } = one
    const judgement = judgements[judgeable.indexOf(one)]
    const verdict: CellVerdict =
      judgement?.verdict ?? (cause === 'errors' || cause === 'partial' ? 'broken' : 'unknown')
    const moved = judgement?.moved
    const power = test && powerOfCell(test, rule, judged)
    const told = {
      ...cell,
      verdict,
      ...(cause && { cause }),
      ...(moved && { moved }),
      ...(test && means && { difference: { ...means, ...test, adjusted: judgement?.adjusted ?? test.p } }),
      ...(power && { power }),
    }
    return { ...told, reason: describeCell(told, rule) }
  })
  return { cells, judged }
}

type Names = Pick<OutcomeCell, 'environment' | 'model' | 'agent' | 'column'>

/** Cells that are not in any pair, in the order of their side. */
function listUnpaired(baseline: Outcomes, run: Outcomes, pairs: readonly PairedCell[]): PreparedCell[] {
  const listSide = (outcomes: Outcomes, other: Outcomes, side: 'first' | 'second', cause: 'missing' | 'new') => {
    const known = new Set(pairs.map((pair) => keyOf(namesOf(pair, side))))
    const others = groupCells(other)
    return [...groupCells(outcomes)].flatMap(([key, [cell]]) => {
      if (known.has(key)) return []
      if (!others.has(key)) return [unpairedCell(cell!, cause)]
      return side === 'first' ? [unpairedCell(cell!, 'unpaired')] : []
    })
  }
  return [...listSide(baseline, run, 'first', 'missing'), ...listSide(run, baseline, 'second', 'new')]
}

function groupCells({ cells }: Outcomes): Map<string, OutcomeCell[]> {
  const groups = new Map<string, OutcomeCell[]>()
  for (const cell of cells) {
    const key = keyOf(cell)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [cell])
    else group.push(cell)
  }
  return groups
}

function namesOf({ environment, model, agent, column }: PairedCell, side: 'first' | 'second'): Names {
  return { environment, model: model[side], agent: agent[side], column }
}

function keyOf({ environment, model, agent, column }: Names): string {
  return JSON.stringify([environment, model, agent, column])
}

function describeRenamed(pairs: readonly PairedCell[]): string[] {
  const told = pairs.flatMap(({ model, agent }) =>
    (
      [
        ['model', model],
        ['agent', agent],
      ] as const
    )
      .filter(([, { first, second }]) => first !== second)
      .map(
        ([kind, { first, second }]) =>
          `The ${kind} ${second} is checked against ${first}, the only ${kind} of the baseline.`,
      ),
  )
  return [...new Set(told)]
}

function describeStrangers({ source, tasks }: Quarantine, { panels }: Outcomes): string[] {
  const known = new Set(panels.flatMap((panel) => panel.tasks.map(({ id }) => id)))
  const strangers = [...tasks].filter((id) => !known.has(id))
  return strangers.length === 0 ? [] : [`${source} names tasks that the run does not have: ${shortList(strangers)}.`]
}
