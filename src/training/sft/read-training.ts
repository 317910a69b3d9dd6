import type { TrainingRow, TrainingTurn } from '../../training/data-filter.js'
import { readBeginning } from '../container.js'
import type { ReadRowsOptions } from '../read-rows.js'
import { createIdCheck, readRows } from '../read-rows.js'
import { readTrajectories } from '../read-trajectories.js'
import { errorsOf, readTurn } from '../verify/turn.js'

/**
 * Reads training data of any known format, including trajectories of a Player and a DM, row by row in bounded memory.
 * @throws ShaketableError `bad-input` for a path that is not a file, or a file without JSON in UTF-8
 */
export function* readTraining(path: string, options: ReadRowsOptions = {}): Generator<TrainingRow, void, undefined> {
  if (!isScripted(path)) {
    for (const { row } of readRows(path, options)) yield row
    return
  }
  const { problem, maxBytes } = options
  const checkId = createIdCheck()
  for (const found of readTrajectories(path, maxBytes === undefined ? {} : { maxBytes })) {
    const { record, line } = found
    const report = (message: string, skipped: boolean): void =>
      problem?.({ file: path, line, record, message, skipped })
    if (found.problem !== undefined) {
      report(found.problem, !found.isBetween)
      continue
    }
    const row = rowOfTrajectory(found.turns, found.id)
    if ('wrong' in row) {
      report(row.wrong, true)
      continue
    }
    const remark = checkId(row.id)
    if (remark !== undefined) report(remark, false)
    yield row
  }
}

/** Whether a file holds turns of a Player and a DM, judged by its beginning. */
export function isScripted(path: string): boolean {
  return /"role"\s*:\s*"(?:Player|DM)"/.test(readBeginning(path).toString('utf8'))
}

/**
 * Converts a trajectory of a Player and a DM to a training row, as AgentRefine does. Observations of the DM become user
 * turns, thoughts and actions of the Player become assistant turns, and an action is wrong if the DM's next turn
 * signals an error.
 * @returns the row, or what is wrong with the trajectory, as a sentence without a full stop
 */
export function rowOfTrajectory(turns: readonly unknown[], id?: string): TrainingRow | { readonly wrong: string } {
  const rows: TrainingTurn[] = []
  for (const [index, value] of turns.entries()) {
    const turn = readTurn(value, 'required')
    if ('problem' in turn) return { wrong: `turn ${String(index + 1)}: ${turn.problem}` }
    if (turn.role === 'DM') {
      rows.push({ role: 'user', text: turn.Observation })
      continue
    }
    const thought = turn.Thought === '' ? '' : `Thought: ${turn.Thought}\n`
    rows.push({
      role: 'assistant',
      text: `${thought}Action: ${turn.Action}`,
      loss: errorsOf(turns[index + 1]).length === 0,
    })
  }
  return { ...(id !== undefined && { id }), turns: rows }
}
