import type { Check, Finding } from './finding.js'
import type { Sheet } from './sheet.js'
import { groupRows, keyOf, nameRow, settingKey, slack } from './sheet.js'

/** Progress is 1 wherever a task is solved, so that no progress rate is below its success rate. */
export function checkProgress(sheet: Sheet): Check {
  const rows = (['cell', 'average', 'weighted'] as const).flatMap((role) => sheet.of(role))
  const pairs = groupRows(rows, ({ table, model, setting, environment, perturbation, source }) =>
    keyOf(table, model, settingKey(setting), environment, perturbation, source),
  )
  const findings: Finding[] = []
  let [checked, unchecked] = [0, 0]
  for (const pair of pairs.values()) {
    const success = pair.find(({ metric }) => metric === 'success')
    const progress = pair.find(({ metric }) => metric === 'progress')
    if (success === undefined || progress === undefined) {
      if (success !== undefined || progress !== undefined) unchecked++
      continue
    }
    checked++
    if (progress.value >= success.value - sheet.unitOf(progress) - slack) continue
    findings.push({
      severity: 'contradiction',
      lines: [progress.line, success.line],
      message: `${progress.table}: ${nameRow(progress)} is printed as ${sheet.print(progress)}, below a success of ${sheet.print(success)}.`,
    })
  }
  return {
    name: 'progress',
    asks: 'is progress at least success?',
    checked,
    held: checked - findings.length,
    unchecked,
    findings,
  }
}
