import type { Agent } from '../core/agent.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import { act, actOpenWeights } from './act.js'
import { reactAgentBoard } from './react-agentboard.js'
import { reactPrompt } from './react-prompt.js'
import { react } from './react.js'
import { tagged } from './tagged.js'
import { tools } from './tools.js'
import { createTrials } from './trials.js'

/** Agents that play a task once. */
const plain: readonly Agent[] = [act, actOpenWeights, react, reactAgentBoard, reactPrompt, tagged, tools]

/** Names of agents that play a task several times, each trial by a plain agent. */
const wrappers = ['reflexion', 'best-of-n'] as const
const wrapperOf = (name: string) => wrappers.find((wrapper) => wrapper === name)

/** All agents, without options. */
export const agents: readonly Agent[] = [...plain, ...wrappers.map((name) => createTrials(name, undefined, findPlain))]

/**
 * Finds an agent by its name: `act`, `act:client=open-weights`, `reflexion:trials=3:agent=react`. Options at their
 * defaults are left out of the agent's name.
 * @param plugins agents of plug-ins; they may play trials too
 * @throws ShaketableError `usage` for an unknown name, or options that cannot be used
 */
export function findAgent(spec: string, plugins: readonly Agent[] = []): Agent {
  const [name = '', ...rest] = spec.split(':')
  const wrapper = wrapperOf(name)
  if (wrapper === undefined) return find([...agents, ...plugins], spec)
  return createTrials(wrapper, rest.length === 0 ? undefined : rest.join(':'), (other) => findPlain(other, plugins))
}

function findPlain(name: string, plugins: readonly Agent[] = []): Agent {
  const known = [...plain, ...plugins]
  const [first = ''] = name.split(':')
  if (wrapperOf(first) === undefined) return find(known, name)
  throw new ShaketableError(
    'usage',
    `A trial is played by an agent that plays a task once, got '${name.slice(0, 100)}'. Choose one of ${known.map((agent) => agent.name).join(', ')}.`,
  )
}

function find(known: readonly Agent[], name: string): Agent {
  const agent = known.find((candidate) => candidate.name === name)
  if (agent !== undefined) return agent
  const names = known.map((candidate) => candidate.name)
  throw new ShaketableError('usage', unknownName('agent', name, names))
}
