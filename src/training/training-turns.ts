import type { Message } from '../core/model.js'
import type { TrainingTurn, TrainingRow } from './data-filter.js'
import type { Agent } from '../core/agent.js'
import type { World } from '../core/environment.js'
import { textOf } from '../core/text.js'
import type { ErrorFlag, ScriptedTurn } from './verify/turn.js'
import { errorsOf, masterTurn } from './verify/turn.js'
import type { Trajectory } from '../core/episode.js'
import type { MistakeKind } from './mistake.js'

/** One call of a model: its prompt and its reply. */
export interface Exchange {
  readonly messages: readonly Message[]
  readonly reply: string
  /** Whether the reply is learned from. */
  readonly loss: boolean
}

/**
 * Converts the calls of an episode to one conversation. The messages of a chat become its turns. For an agent with one
 * growing message, the additions to that message become turns; after the system message they concatenate to the
 * evaluation's prompts.
 * @returns undefined if a prompt does not continue the previous one, as when an agent drops its oldest history
 */
export function layTurns(exchanges: readonly Exchange[]): readonly TrainingTurn[] | undefined {
  const turns: TrainingTurn[] = []
  let before: Exchange | undefined
  for (const exchange of exchanges) {
    const added = before === undefined ? asTurns(exchange.messages) : growth(before, exchange.messages)
    if (added === undefined) return undefined
    if (before !== undefined) turns.push({ role: 'assistant', text: added.reply, loss: before.loss })
    turns.push(...added.turns)
    before = exchange
  }
  if (before !== undefined) turns.push({ role: 'assistant', text: before.reply, loss: before.loss })
  return turns
}

interface Growth {
  /** The reply as it occurs in the next prompt. */
  readonly reply: string
  readonly turns: readonly TrainingTurn[]
}

function asTurns(messages: readonly Message[]): Growth {
  return {
    reply: '',
    turns: messages.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, text: content })),
  }
}

/** What a prompt adds to the previous one: the reply and the new turns. */
function growth(before: Exchange, messages: readonly Message[]): Growth | undefined {
  const last = before.messages.length - 1
  if (!before.messages.every((message, index) => index === last || isSame(message, messages[index]))) return undefined
  const [then, now] = [before.messages[last]!.content, messages[last]?.content ?? '']
  if (messages.length > before.messages.length) {
    const [reply, ...rest] = messages.slice(last + 1)
    if (then !== now || reply?.role !== 'assistant') return undefined
    return { reply: reply.content, turns: asTurns(rest).turns }
  }
  if (!now.startsWith(then)) return undefined
  const grown = now.slice(then.length)
  const start = grown.search(/\S/)
  if (start === -1) return undefined
  const end = grown.indexOf('\n', start)
  if (end === -1) return { reply: grown, turns: [] }
  return { reply: grown.slice(0, end), turns: [{ role: 'user', text: grown.slice(end) }] }
}

function isSame(one: Message, other: Message | undefined): boolean {
  return one.role === other?.role && one.content === other.content
}

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

/** The error that the DM signals for a mistake. */
const flagOf: Readonly<Record<MistakeKind, ErrorFlag>> = {
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
  /** Its replies, each with the index of the resulting action; and the mistakes by that index. */
  readonly exchanges: readonly { readonly step: number; readonly reply: string }[]
  readonly mistakes: ReadonlyMap<number, MistakeKind>
  readonly trajectory: Trajectory
  readonly succeeded: boolean
}

/**
 * Converts an episode to AgentRefine's format: a DM gives the task and the observations; a Player thinks and acts. The
 * DM's thoughts are empty; a solved task ends with `Task Succeed`.
 */
export function layScript({
  agent,
  world,
  exchanges,
  mistakes,
  trajectory,
  succeeded,
}: ScriptSource): readonly ScriptedTurn[] {
  const reader = agent.begin(world.briefing, textOf(world.opening))
  const thoughts = new Map<number, string>()
  for (const { step, reply } of exchanges) {
    const { thought } = reader.read(reply)
    if (thought !== undefined) thoughts.set(step, [thoughts.get(step) ?? [], thought].flat().join('\n'))
  }
  const first = trajectory.prompt.filter(({ role }) => role === 'user').map(({ content }) => content)
  const turns: ScriptedTurn[] = [masterTurn(0, first.join('\n').trimEnd())]
  for (const [index, { action, observation, understood }] of trajectory.steps.entries()) {
    const kind = mistakes.get(index)
    const isLast = index === trajectory.steps.length - 1
    turns.push({ turn: turns.length, role: 'Player', Thought: thoughts.get(index) ?? '', Action: action })
    const shown = isLast && succeeded ? `${observation}\nTask Succeed` : observation
    const error = kind === undefined ? (understood ? undefined : 'parameter_error') : flagOf[kind]
    turns.push(masterTurn(turns.length, shown, error))
  }
  return turns
}
