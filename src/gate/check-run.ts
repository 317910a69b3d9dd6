import { count } from '../tables/words.js'
import { shortList } from '../compare/align-panels.js'
import type { Outcomes } from '../compare/outcomes.js'
import type { PairedCell } from '../compare/pair-cells.js'
import type { Baseline } from './baseline.js'
import { describeDrift } from './baseline.js'
import type { Check, CheckedCell, Rule } from './check.js'
import type { Conditions } from './conditions.js'
import { compareConditions } from './conditions.js'
import { describeCell } from './describe-cell.js'
import { decide } from './judge.js'
import { powerOfCell } from './power-of-cell.js'
import { prepareCells } from './prepare-cells.js'
import type { Quarantine } from './quarantine.js'
import type { SettledCell } from './settle-cells.js'
import { settleCells } from './settle-cells.js'
import { nameCell } from './words.js'

/** A run that is to be checked. */
export interface CheckableRun {
  readonly outcomes: Outcomes
  readonly conditions: Conditions
  /** Why it is not whole, in a sentence: then nothing is judged. */
  readonly obstacle?: string
}

/**
 * Checks a run against a baseline, cell by cell; a cell is an environment × model × agent × column over all tasks and
 * temperatures that both have, paired by task, temperature and, where both have the same seeds, by seed, with the task
 * as the cluster. What one side does not have stays in the result as `unknown`.
 * @throws ShaketableError `bad-input` where the two have no task in common or were played with different limits.
 */
export function checkRun(run: CheckableRun, baseline: Baseline, rule: Rule, quarantine?: Quarantine): Check {
  const { outcomes, obstacle } = run
  const differ = compareConditions(baseline.conditions, run.conditions)
  const { prepared, pairing } = prepareCells(baseline.outcomes, outcomes, rule, {
    ...(quarantine && { quarantined: quarantine.tasks }),
    partial: obstacle !== undefined,
    isOther: differ.isOther,
  })
  const settled = settleCells(prepared, rule)
  const judged = settled.filter(({ judgement }) => judgement !== undefined).length
  const decision = decide(settled, obstacle)
  return {
    schema: 1,
    ...decision,
    ...(obstacle !== undefined && { obstacle }),
    run: { source: outcomes.source, version: outcomes.version },
    baseline: {
      source: baseline.outcomes.source,
      version: baseline.outcomes.version,
      why: baseline.history.at(-1)?.why ?? '',
    },
    rule,
    judged,
    cells: settled.map((cell) => tellCell(cell, rule, judged)),
    notes: [
      ...outcomes.notes,
      ...describeDrift(baseline.history),
      ...pairing.unpaired,
      ...describeRenamed(pairing.cells),
      ...settled.flatMap(describeUnknown),
      ...differ.notes,
      ...(quarantine ? describeStrangers(quarantine, outcomes) : []),
      ...(decision.verdict === 'inconclusive' && rule.looks === undefined ? [secondLook] : []),
    ],
  }
}

const secondLook =
  'More seeds or tasks may decide it. Adding them until a check passes doubles the rate of false passes and more: decide on the number of looks before the first one (--looks 3), or take a run of its own for the second check.'

/** Puts a cell into words, beside what the gate could have seen in it. */
function tellCell(
  { cell, test, means, cause, verdict, judgement }: SettledCell,
  rule: Rule,
  judged: number,
): CheckedCell {
  const power = test && powerOfCell(test, rule, judged)
  const moved = judgement?.moved
  const told = {
    ...cell,
    verdict,
    ...(cause && { cause }),
    ...(moved && { moved }),
    ...(test && means && { difference: { ...means, ...test, adjusted: judgement?.adjusted ?? test.p } }),
    ...(power && { power }),
  }
  return { ...told, reason: describeCell(told, rule) }
}

/** Tasks that a judged cell says nothing of. */
function describeUnknown({ cell, judgement }: SettledCell): string[] {
  const ids = cell.tasks.filter(({ state }) => state === 'unknown' || state === 'broken').map(({ id }) => id)
  if (judgement === undefined || ids.length === 0) return []
  return [`${nameCell(cell)}: ${count(ids.length, 'task')} without a pair did not enter: ${shortList(ids)}.`]
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
  const unknown = [...tasks].filter((id) => !known.has(id))
  return unknown.length === 0 ? [] : [`${source} names tasks that the run does not have: ${shortList(unknown)}.`]
}
