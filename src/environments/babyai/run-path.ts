import type { Simulation } from './simulator/simulation.js'
import type { Verdict } from './simulator/verifier.js'
import { encodeView } from './simulator/view.js'

/** How BabyAI is played in text: AgentBoard's way with its faults, or without them. */
export type Rules = 'agentboard' | 'fixed'

/** What came of a row of low-level actions. */
export interface Ran {
  /** That of the last one that was taken. */
  readonly verdict: Verdict
  readonly steps: number
}

/**
 * Takes a row of actions until one of them leaves the view as it was. By the rules `agentboard` the row goes on where the task ends in the midst
 * of it, and only the last step's verdict is told; by the rules `fixed` it stops there.
 */
export function runPath(simulation: Simulation, path: readonly number[], rules: Rules): Ran {
  const { board } = simulation
  let verdict: Verdict = 'continue'
  let steps = 0
  let before = encodeView(board, simulation.view())
  for (const action of path) {
    ;({ verdict } = simulation.step(action))
    steps++
    if (rules === 'fixed' && verdict !== 'continue') break
    const after = encodeView(board, simulation.view())
    if (after.every((value, index) => value === before[index])) break
    before = after
  }
  return { verdict, steps }
}
