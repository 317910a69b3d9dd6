import type { Agent } from '../core/agent.js'
import type { World } from '../core/environment.js'
import type { Trajectory } from '../core/episode.js'
import { textOf } from '../core/text.js'
import type { Fallible } from './fallible.js'
import type { MistakeKind } from './mistake.js'

/** A turn with the keys of AgentRefine's Figure 4. */
export type ScriptedTurn = Readonly<Record<string, string | number | boolean>>

/** The error that the DM signals for a mistake. */
const flagOf: Readonly<Record<MistakeKind, 'parameter_error' | 'place_error' | 'logic_error'>> = {
  wording: 'parameter_error',
  item: 'parameter_error',
  place: 'place_error',
  skip: 'logic_error',
  order: 'logic_error',
}

/** An episode to lay out. */
interface ScriptSource {
  readonly agent: Agent
  readonly world: World
  readonly fallible: Pick<Fallible, 'exchanges' | 'mistakes'>
  readonly trajectory: Trajectory
  readonly succeeded: boolean
}

/**
 * Converts an episode to AgentRefine's format: a DM gives the task and the observations; a Player thinks and acts. The
 * DM's thoughts are empty; a solved task ends with `Task Succeed`.
 */
export function layScript({ agent, world, fallible, trajectory, succeeded }: ScriptSource): readonly ScriptedTurn[] {
  const reader = agent.begin(world.briefing, textOf(world.opening))
  const thoughts = new Map<number, string>()
  for (const { step, reply } of fallible.exchanges) {
    const { thought } = reader.read(reply)
    if (thought !== undefined) thoughts.set(step, [thoughts.get(step) ?? [], thought].flat().join('\n'))
  }
  const first = trajectory.prompt.filter(({ role }) => role === 'user').map(({ content }) => content)
  const turns: ScriptedTurn[] = [master(0, first.join('\n').trimEnd(), undefined)]
  for (const [index, { action, observation, understood }] of trajectory.steps.entries()) {
    const kind = fallible.mistakes.get(index)
    const isLast = index === trajectory.steps.length - 1
    turns.push({ turn: turns.length, role: 'Player', Thought: thoughts.get(index) ?? '', Action: action })
    const shown = isLast && succeeded ? `${observation}\nTask Succeed` : observation
    turns.push(
      master(turns.length, shown, kind === undefined ? (understood ? undefined : 'parameter_error') : flagOf[kind]),
    )
  }
  return turns
}

function master(turn: number, observation: string, error: string | undefined): ScriptedTurn {
  const flags = ['parameter_error', 'place_error', 'logic_error'].map((flag) => [flag, flag === error] as const)
  return { turn, role: 'DM', Thought: '', Observation: observation, ...Object.fromEntries(flags) }
}
