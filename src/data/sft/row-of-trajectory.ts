import type { TrainingRow, TrainingTurn } from '../../core/training.js'
import { errorsOf, readTurn } from '../verify/turn.js'

/**
 * A trajectory of a Player and a DM as a training row, the way AgentRefine converts them: what the DM shows is the user's, thought and action of the
 * Player are the assistant's, and an action is wrong where the DM's next turn signals an error.
 * @returns the row, or what is wrong with the trajectory, in a sentence without a full stop
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
