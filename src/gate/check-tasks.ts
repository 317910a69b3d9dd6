import type { PairedCell } from '../compare/pair-cells.js'
import { taskMeans } from '../compare/pair-cells.js'
import { taskMean } from '../results/rates.js'
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

function scoreOf({ sides, temperatures }: PairedCell, side: 'first' | 'second', task: number): TaskScore {
  const { shape, state, success, progress } = sides[side]
  let [measured, successes] = [0, 0]
  for (let slot = task; slot < state.length; slot += shape.tasks) {
    if (state[slot] !== 2) continue
    measured++
    successes += success[slot]!
  }
  return {
    measured,
    successes,
    ...(measured > 0 && { progress: taskMean(progress, sides[side], [...temperatures.keys()], task) }),
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
