import { readReactReply } from '../agents/react-parser.js'
import { readTaggedReply } from '../agents/tagged.js'
import type { TrainingRow, TrainingTurn } from './data-filter.js'
import { type ScriptedTurn, masterTurn } from './verify/turn.js'
import { callText, labelsOf, textOf } from './record-texts.js'
import { isObject } from '../files/json.js'

type Fields = Readonly<Record<string, unknown>>

/** Whether a parsed record is a trajectory in the Agent Trajectory Interchange Format, of any version. */
export function isAtif(record: unknown): boolean {
  return (
    isObject(record) && typeof record['schema_version'] === 'string' && record['schema_version'].startsWith('ATIF-')
  )
}

/** A step of a trajectory in ATIF, as text. */
interface ReadStep {
  readonly source: 'system' | 'user' | 'agent'
  readonly message: string
  readonly reasoning: string
  /** Calls of functions as text: `take {"obj": "pen 1"}`. */
  readonly calls: readonly string[]
  /** Absent where nothing was observed. */
  readonly observation?: string
  /** The step was not produced by the model: a worked example, or context of another trajectory. */
  readonly isCopied: boolean
  readonly extra: Fields
}

/** @returns the steps, or what is wrong with them, in a sentence without a full stop */
function stepsOf(record: Fields): ReadStep[] | { readonly wrong: string } {
  const list = record['steps']
  if (!Array.isArray(list) || list.length === 0) return { wrong: "expected a list of steps under 'steps'" }
  const steps: ReadStep[] = []
  for (const [at, step] of (list as readonly unknown[]).entries()) {
    const source = isObject(step) ? step['source'] : undefined
    if (!isObject(step) || (source !== 'system' && source !== 'user' && source !== 'agent')) {
      return { wrong: `step ${String(at + 1)}: expected an object with the source system, user or agent` }
    }
    const results = isObject(step['observation']) ? listOf(step['observation']['results']) : undefined
    steps.push({
      source,
      message: textOf(step['message']) ?? '',
      reasoning: textOf(step['reasoning_content'] ?? null) ?? '',
      calls: listOf(step['tool_calls'])
        .filter(isObject)
        .map((call) => callText(call['function_name'], call['arguments'])),
      ...(results && {
        observation: results.map((result) => (isObject(result) && textOf(result['content'])) || '').join('\n'),
      }),
      isCopied: step['is_copied_context'] === true,
      extra: isObject(step['extra']) ? step['extra'] : {},
    })
  }
  return steps
}

/**
 * A trajectory in ATIF as a training row. Reasoning stands in `<think>` tags before the message, calls of functions
 * behind it. Not learned from are copied context and actions that `extra.understood` says were not understood.
 * @returns the row, or its problem in a sentence without a full stop
 */
export function rowOfAtif(record: Fields): TrainingRow | { readonly wrong: string } {
  const steps = stepsOf(record)
  if ('wrong' in steps) return steps
  const turns = steps.flatMap(({ source, message, reasoning, calls, observation, isCopied, extra }): TrainingTurn[] => {
    const shown: TrainingTurn[] = observation === undefined ? [] : [{ role: 'user', text: observation }]
    if (source !== 'agent') return [{ role: source, text: message }, ...shown]
    const thought = reasoning === '' ? [] : [`<think>\n${reasoning}\n</think>`]
    const text = [...thought, ...(message === '' ? [] : [message]), ...calls].join('\n')
    const loss = !isCopied && extra['understood'] !== false
    return [loss ? { role: 'assistant', text } : { role: 'assistant', text, loss }, ...shown]
  })
  const { trajectory_id: trajectoryId, session_id: session, agent, extra } = record
  const id = [trajectoryId, session].find((value) => typeof value === 'string')
  const labels = { ...labelsOf(agent), ...labelsOf(extra) }
  return { ...(id !== undefined && { id }), turns, ...(Object.keys(labels).length > 0 && { labels }) }
}

/**
 * A trajectory in ATIF as turns of a Player and a DM, for Algorithm 1 of AgentRefine. The steps before the first action
 * are left out. An action that `extra.understood` says was not understood is a parameter error; where `extra.outcome`
 * is `success`, the last observation says "Task Succeed", as the algorithm demands.
 * @returns the turns, or what is wrong with the record
 */
export function scriptedTurnsOf(record: Fields): ScriptedTurn[] | { readonly wrong: string } {
  const steps = stepsOf(record)
  if ('wrong' in steps) return steps
  const acted = steps.filter(
    ({ source, isCopied, observation }) => source === 'agent' && !isCopied && observation !== undefined,
  )
  const isSuccess = isObject(record['extra']) && record['extra']['outcome'] === 'success'
  return acted.flatMap((step, at): ScriptedTurn[] => {
    const { thought, action } = readAction(step)
    const isEnd = isSuccess && at === acted.length - 1 && !step.observation!.includes('Task Succeed')
    const shown = isEnd ? `${step.observation!}\nTask Succeed` : step.observation!
    return [
      { turn: 2 * at, role: 'Player', Thought: step.reasoning === '' ? thought : step.reasoning, Action: action },
      masterTurn(2 * at + 1, shown, step.extra['understood'] === false ? 'parameter_error' : undefined),
    ]
  })
}

/** The action of a step: what the record says it was, a call of a function, or what the message says. */
function readAction({ message, calls, extra }: ReadStep): { readonly thought: string; readonly action: string } {
  const { actions, firstLine, ...react } = readReactReply(message)
  const isTagged = /<action>/i.test(message)
  const { thought, action } = isTagged ? readTaggedReply(message) : { ...react, action: actions[0] ?? firstLine }
  if (typeof extra['action'] === 'string') return { thought, action: extra['action'] }
  return calls.length === 0 ? { thought, action } : { thought: message, action: calls[0]! }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
