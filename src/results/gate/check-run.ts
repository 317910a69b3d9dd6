import { count } from '../../tables/words.js'
import { ShaketableError } from '../../core/errors.js'
import { shortList } from '../compare/align-panels.js'
import { passTogether } from '../compare/pass-unchanged.js'
import type { PairedCell } from '../compare/pair-cells.js'
import type { CheckableRun } from './baseline.js'
import { describeDrift } from './baseline.js'
import type { Baseline } from './baseline-file.js'
import type { Check, CheckedCell, Rule } from './check.js'
import { compareSettings } from './settings.js'
import type { JudgedCell } from './judge.js'
import { decide, judgeCells } from './judge.js'
import { prepareCells } from './prepare-cells.js'
import { powerOfCell } from './test-difference.js'
import { describeCell, nameCell } from './words.js'

/**
 * Checks a run against a baseline, cell by cell; a cell is an environment × model × agent × condition over all tasks
 * and temperatures that both have, paired by task, temperature and seed, with the task as the
 * cluster. A cell that one side does not have is `unknown`.
 * @throws ShaketableError `bad-input` where the two have no task in common or were played with different limits.
 */
export function checkRun(run: CheckableRun, baseline: Baseline, rule: Rule): Check {
  const { outcomes, obstacle, played, took } = run
  const last = baseline.history.at(-1)
  const differ = compareSettings(baseline.settings, run.settings, 'the baseline')
  for (const { words, was, is } of differ.limits) {
    throw new ShaketableError(
      'bad-input',
      `Expected at most ${String(was)} ${words}, as in the baseline, but the run was played with ${String(is)}. ` +
        'Play it again with the limit of the baseline, or update the baseline.',
    )
  }
  const { prepared, pairing } = prepareCells(baseline.outcomes, outcomes, rule, (environment, condition) =>
    obstacle !== undefined ? 'partial' : differ.isOther(environment, condition) ? 'changed' : undefined,
  )
  const cells = judgeCells(prepared, rule)
  const judged = cells.filter(({ judgement }) => judgement !== undefined).length
  const decision = decide(cells, obstacle)
  const complete = cells.map((cell) => completeCell(cell, rule, judged))
  const all = passTogether(
    complete.flatMap(({ power }, place) => (cells[place]!.judgement ? [power?.passUnchanged] : [])),
  )
  return {
    schema: 2,
    ...decision,
    ...(obstacle !== undefined && { obstacle }),
    run: {
      ...{ source: outcomes.source, version: outcomes.version },
      ...(played !== undefined && { played }),
      ...(took !== undefined && { took }),
    },
    baseline: {
      source: baseline.outcomes.source,
      version: baseline.outcomes.version,
      why: last?.why ?? '',
      ...(last?.played !== undefined && { played: last.played }),
    },
    rule,
    judged,
    ...(all !== undefined && { passUnchanged: all }),
    cells: complete,
    notes: [
      ...outcomes.notes,
      ...baseline.outcomes.notes,
      ...describeDrift(baseline.history),
      ...pairing.unpaired,
      ...describeRenamed(pairing.cells),
      ...cells.flatMap(describeUnknown),
      ...differ.notes,
      ...(decision.verdict === 'inconclusive' ? [secondLook] : []),
    ],
  }
}

const secondLook =
  'More seeds or tasks may decide it. Adding them until a check passes more than doubles the rate of false passes: play a separate run for the second check.'

/** Adds the power of the gate in a cell, and the reason of its verdict. */
function completeCell(
  { cell, test, means, cause, unchanged, verdict, judgement }: JudgedCell,
  rule: Rule,
  judged: number,
): CheckedCell {
  const power = test && powerOfCell(test, unchanged, rule, judged)
  const moved = judgement?.moved
  const complete = {
    ...cell,
    verdict,
    ...(cause && { cause }),
    ...(moved && { moved }),
    ...(test && means && { difference: { ...means, ...test, adjusted: judgement?.adjusted ?? test.p } }),
    ...(power && { power }),
  }
  return { ...complete, reason: describeCell(complete, rule) }
}

/** Tasks that did not enter the verdict of a judged cell. */
function describeUnknown({ cell, judgement }: JudgedCell): string[] {
  const ids = cell.tasks.filter(({ state }) => state === 'unknown' || state === 'broken').map(({ id }) => id)
  if (judgement === undefined || ids.length === 0) return []
  return [`${nameCell(cell)}: ${count(ids.length, 'task')} without a pair did not enter: ${shortList(ids)}.`]
}

function describeRenamed(pairs: readonly PairedCell[]): string[] {
  const notes = pairs.flatMap(({ model, agent }) =>
    [['model', model] as const, ['agent', agent] as const]
      .filter(([, { first, second }]) => first !== second)
      .map(
        ([kind, { first, second }]) =>
          `The ${kind} ${second} is checked against ${first}, the only ${kind} of the baseline.`,
      ),
  )
  return [...new Set(notes)]
}
