import type { PairedCell } from '../compare/pair-cells.js'
import { measuredAt, taskMeans } from '../compare/pair-cells.js'
import { mean } from '../statistics/dispersion.js'
import type { CheckedTask, Rule, TaskScore, TaskState } from './check.js'

interface TaskOptions {
  readonly quarantined: ReadonlySet<string>
  /** Episodes of the run that ended in an error, by task. */
  readonly errors: readonly number[]
  readonly rule: Pick<Rule, 'metric' | 'margin'>
}

/** The state and scores of each task of a cell. */
export function checkTasks(cell: PairedCell, { quarantined, errors, rule }: TaskOptions): CheckedTask[] {
  return cell.tasks.map(({ id }, place) => {
    const [baseline, run] = [scoreOf(cell, 'first', place), scoreOf(cell, 'second', place)]
    const task = { id, baseline, run, errors: errors[place]! }
    if (quarantined.has(id)) return { ...task, state: 'quarantined' }
    if (cell.unchanged) return { ...task, state: 'unchanged' }
    return { ...task, state: compareTask(cell, place, task, rule) }
  })
}

/** Whether a task's pairs enter the verdict. */
export function isGated({ state }: CheckedTask): boolean {
  return state !== 'quarantined' && state !== 'unchanged'
}

/** Whether a task has both successes and failures among its measurements. */
export function isFlaky({ measured, successes }: TaskScore): boolean {
  return successes > 0 && successes < measured
}

function scoreOf(cell: PairedCell, side: 'first' | 'second', task: number): TaskScore {
  const successes = cell.success[side][task]!.filter((value) => value !== null)
  const centre = mean([...measuredAt(cell, side, 'progress', task).values()].map((values) => mean(values)!))
  return {
    measured: successes.length,
    successes: successes.filter((value) => value === 1).length,
    ...(centre !== undefined && { progress: centre }),
  }
}

function compareTask(
  cell: PairedCell,
  place: number,
  { run, errors }: Pick<CheckedTask, 'run' | 'errors'>,
  { metric, margin }: TaskOptions['rule'],
): TaskState {
  const means = taskMeans(cell, metric, place)
  if (means === undefined) return run.measured === 0 && errors > 0 ? 'broken' : 'unknown'
  const { first: before, second: after } = means
  const change =
    metric === 'success'
      ? Number(after >= 0.5) - Number(before >= 0.5)
      : Math.abs(after - before) < margin
        ? 0
        : after - before
  return change < 0 ? 'lost' : change > 0 ? 'gained' : 'kept'
}
