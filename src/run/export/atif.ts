import type { Reflection, Step, Trajectory, Trial } from '../../core/episode.js'
import type { Message } from '../../core/model.js'
import type { EpisodeRow } from '../../results/episode-row.js'
import { parseJsonInput } from '../../files/read-json.js'
import { isObject } from '../../files/json.js'
import { withoutAbsent } from '../model-choice.js'

/**
 * The version of the Agent Trajectory Interchange Format (Harbor's RFC 0001) whose rules are followed: that of Harbor
 * 0.26.
 */
export const atifVersion = 'ATIF-v1.8'

/** A step in ATIF, as far as it is written here. Keys that are unknown to the format stand under `extra`. */
interface AtifStep {
  readonly step_id: number
  readonly source: 'system' | 'user' | 'agent'
  readonly message: string
  readonly reasoning_content?: string
  readonly tool_calls?: readonly ToolCall[]
  readonly observation?: { readonly results: readonly { readonly source_call_id?: string; readonly content: string }[] }
  readonly metrics?: { readonly prompt_tokens?: number; readonly completion_tokens?: number }
  /** True for the turns of the agent in a worked example: no model wrote them. */
  readonly is_copied_context?: true
  readonly llm_call_count?: number
  readonly extra?: Readonly<Record<string, unknown>>
}

interface ToolCall {
  readonly tool_call_id: string
  readonly function_name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly extra?: Readonly<Record<string, unknown>>
}

type Unnumbered = Omit<AtifStep, 'step_id'>

/**
 * A stored episode in ATIF. The first prompt becomes the steps before the agent's own; each action is a step of the
 * agent with the observation that followed it. What the format has no place for stands under `extra`: both wordings,
 * progress, whether the action was understood.
 * @param version the version of shaketable that played it
 */
export function atifOf(row: EpisodeRow, trajectory: Trajectory, version: string) {
  const { key, environment, task, condition, model, agent, temperature, seed, outcome, progress, measures } = row
  const { prompt, opening, steps: played, trials = [] } = trajectory
  const reflections = trials.flatMap(({ reflection }, at) =>
    reflection === undefined ? [] : [{ behind: trials[at + 1]?.from ?? played.length, reflection }],
  )
  const steps = [
    ...prompt.map(stepOfMessage),
    ...played.flatMap((step, at) => [
      ...(step.thoughts ?? []).map((message): Unnumbered => ({ source: 'agent', message, llm_call_count: 1 })),
      stepOfAction(step, at, trials),
      ...reflections.filter(({ behind }) => behind === at + 1).map(({ reflection }) => stepOfReflection(reflection)),
    ]),
  ]
  // The format demands a step. An episode that broke before its first prompt has only what its world opened with.
  if (steps.length === 0) steps.push({ source: 'system', message: opening.observation })
  const { date, dose, error } = row
  return {
    schema_version: atifVersion,
    session_id: key,
    trajectory_id: key,
    agent: { name: agent, version, model_name: model },
    steps: steps.map((step, at): AtifStep => ({ step_id: at + 1, ...step })),
    final_metrics: {
      total_prompt_tokens: measures.promptTokens,
      total_completion_tokens: measures.completionTokens,
      total_steps: steps.length,
    },
    extra: withoutAbsent({
      ...{ environment, task, condition, temperature, seed },
      ...{ outcome, progress, date, dose, error },
    }),
  }
}

function stepOfMessage({ role, content }: Message): Unnumbered {
  if (role === 'assistant') return { source: 'agent', message: content, is_copied_context: true }
  return { source: role === 'system' ? 'system' : 'user', message: content }
}

function stepOfAction(step: Step, at: number, trials: readonly Trial[]): Unnumbered {
  const { action, command, observation, reply, reasoning = [], toolCalls = [] } = step
  const { original, progress, understood, memorised, formatError, fault, failed, cut } = step
  const calls = toolCalls.map((call, index) => ({
    tool_call_id: `call_${String(at + 1)}_${String(index + 1)}`,
    function_name: call.name,
    ...argumentsOf(call.arguments),
  }))
  const trial = trials.findLastIndex(({ from }) => from <= at)
  return {
    source: 'agent',
    message: reply ?? action,
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('\n') }),
    ...(calls.length > 0 && { tool_calls: calls }),
    observation: { results: [{ ...(calls[0] && { source_call_id: calls[0].tool_call_id }), content: observation }] },
    ...tokensOf(step),
    llm_call_count: 1,
    extra: withoutAbsent({
      ...{ action, command, original_observation: original, progress, understood, memorised },
      ...{ format_error: formatError, fault, failed, left_out: cut, ...(trial > 0 && { trial: trial + 1 }) },
    }),
  }
}

function stepOfReflection(reflection: Reflection): Unnumbered {
  const { reply, reasoning } = reflection
  return {
    source: 'agent',
    message: reply,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...tokensOf(reflection),
    llm_call_count: 1,
    extra: { reflection: true },
  }
}

function tokensOf({ promptTokens, completionTokens }: Pick<Step, 'promptTokens' | 'completionTokens'>) {
  const metrics = withoutAbsent({ prompt_tokens: promptTokens, completion_tokens: completionTokens })
  return Object.keys(metrics).length > 0 && { metrics }
}

/** The arguments of a call as an object; text that is none stands under `extra` as it came. */
function argumentsOf(text: string): Pick<ToolCall, 'arguments' | 'extra'> {
  const { value } = parseJsonInput(text)
  return isObject(value) ? { arguments: value } : { arguments: {}, extra: { arguments_text: text } }
}
