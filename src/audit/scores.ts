import type { PublishedRow } from '../results/published/parse-published.js'
import type { Check, Finding, Sheet } from './sheet.js'
import { clean, groupBy, keyOf, nameRow, settingKey, slack } from './sheet.js'
import type { Weighting } from './weighted.js'
import { figuresOf, scoreOf } from './weighted.js'

/** Scores of a model's unperturbed cells of one table over several environments, in the unit of the cells. */
export interface ModelScore {
  readonly table: string
  readonly model: string
  readonly setting: PublishedRow['setting']
  readonly metric: string
  /** Over all environments with a known number of tasks, weighted by it. */
  readonly all: number
  /** By each of the weightings that reproduce printed scores. Null where the model lacks a cell. */
  readonly printed: readonly (number | null)[]
  /** Over the environments without training data of the model, weighted by their tasks; null where there are none. */
  readonly heldOut: number | null
  /** The environments of `heldOut`. */
  readonly heldOutEnvironments: readonly string[]
}

/**
 * Weighted scores of every model with cells, in one table, in all environments with a known number of tasks (at least
 * 2).
 */
export function scoreModels(sheet: Sheet, weightings: readonly Weighting[]): ModelScore[] {
  const cells = sheet.of('cell').filter(({ perturbation }) => perturbation === clean)
  const known = [...sheet.tasks.keys()].filter((name) => cells.some(({ environment }) => environment === name))
  if (known.length < 2) return []
  const models = groupBy(cells, ({ table, model, setting, metric }) => keyOf(table, model, settingKey(setting), metric))
  return [...models.values()].flatMap((rows): ModelScore[] => {
    const figures = figuresOf(rows)
    if (!known.every((environment) => figures.has(environment))) return []
    const { table, model, setting, metric } = rows[0]!
    const heldOut = known.filter((environment) => !figures.get(environment)!.some(({ heldIn }) => heldIn))
    return [
      {
        table,
        model,
        setting,
        metric,
        all: scoreOf(sheet, figures, { environments: known, by: 'tasks' }),
        printed: weightings.map((weighting) =>
          weighting.environments.every((environment) => figures.has(environment))
            ? scoreOf(sheet, figures, weighting)
            : null,
        ),
        heldOut: heldOut.length === 0 ? null : scoreOf(sheet, figures, { environments: heldOut, by: 'tasks' }),
        heldOutEnvironments: heldOut,
      },
    ]
  })
}

/** Progress is 1 wherever a task is solved, so no progress rate is below its success rate. */
export function checkProgress(sheet: Sheet): Check {
  const rows = (['cell', 'average', 'weighted'] as const).flatMap((role) => sheet.of(role))
  const pairs = groupBy(rows, ({ table, model, setting, environment, perturbation, source }) =>
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
