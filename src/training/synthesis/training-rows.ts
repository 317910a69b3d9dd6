import { layTurns } from '../training-turns.js'
import type { Agent } from '../../core/agent.js'
import type { World } from '../../core/environment.js'
import { textOf } from '../../core/text.js'
import type { TrainingRow } from '../data-filter.js'
import type { ScriptedTurn } from '../verify/turn.js'
import { errorsOf } from '../verify/turn.js'

/**
 * Lays a verified trajectory out as an agent converses in an evaluation of its world: the prompt first, then replies
 * and observations. A reply whose answer signals an error has `loss: false`.
 * @returns undefined where the agent drops its oldest history
 */
export function layTrajectory(
  id: string,
  turns: readonly ScriptedTurn[],
  world: Pick<World, 'briefing' | 'opening'>,
  agent: Agent,
): TrainingRow | undefined {
  const conversation = agent.begin(world.briefing, textOf(world.opening))
  const exchanges = turns.flatMap((turn, place) => {
    if (turn.role !== 'Player') return []
    const answer = turns[place + 1]
    const messages = conversation.messages()
    const reply = agent.phrase(turn.Action, turn.Thought)
    conversation.read(reply)
    conversation.observe(turn.Action, answer?.role === 'DM' ? answer.Observation : '')
    return [{ messages, reply, loss: errorsOf(answer).length === 0 }]
  })
  const laid = layTurns(exchanges)
  return laid && { id, turns: laid }
}
