import { z } from 'zod'
import type { TrainingRow, TrainingTurn } from './data-filter.js'
import { callText, labelsOf, textOf } from './record-texts.js'
import { isObject } from './verify/turn.js'

/** Whether a parsed record is a trajectory in the Agent Trajectory Interchange Format, of any version. */
export function isAtif(record: unknown): boolean {
  return (
    isObject(record) && typeof record['schema_version'] === 'string' && record['schema_version'].startsWith('ATIF-')
  )
}

const text = z.unknown().optional()
const call = z.looseObject({ function_name: text, arguments: text })
const trajectory = z.looseObject({
  steps: z
    .array(
      z.looseObject({
        source: z.enum(['system', 'user', 'agent']),
        message: text,
        reasoning_content: text,
        tool_calls: z.array(call).nullish(),
        observation: z.looseObject({ results: z.array(z.looseObject({ content: text })) }).nullish(),
        /** Not produced by the model: a worked example, or context of another trajectory. */
        is_copied_context: z.boolean().nullish(),
        extra: z.looseObject({ understood: z.boolean().nullish() }).nullish(),
      }),
    )
    .min(1),
})

/**
 * A trajectory in ATIF as a training row. Reasoning stands in `<think>` tags before the message, calls of functions
 * behind it. Not learned from are copied context and actions that `extra.understood` says were not understood.
 * @returns the row, or its problem in a sentence without a full stop
 */
export function rowOfAtif(record: Readonly<Record<string, unknown>>): TrainingRow | { readonly wrong: string } {
  const read = trajectory.safeParse(record)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    return { wrong: `${path.map(String).join('.')} is not as ATIF has it: ${message.slice(0, 200)}` }
  }
  const turns = read.data.steps.flatMap((step): TrainingTurn[] => {
    const message = textOf(step.message) ?? ''
    const results = step.observation?.results.map(({ content }) => textOf(content) ?? '').join('\n')
    const shown: TrainingTurn[] = results === undefined ? [] : [{ role: 'user', text: results }]
    if (step.source !== 'agent') return [{ role: step.source, text: message }, ...shown]
    const reasoning = textOf(step.reasoning_content) ?? ''
    const thought = reasoning === '' ? [] : [`<think>\n${reasoning}\n</think>`]
    const calls = (step.tool_calls ?? []).map((one) => callText(one.function_name, one.arguments))
    const text = [...thought, ...(message === '' ? [] : [message]), ...calls].join('\n')
    const isLearned = step.is_copied_context !== true && step.extra?.understood !== false
    return [{ role: 'assistant', text, ...(!isLearned && { loss: false }) }, ...shown]
  })
  const { trajectory_id: own, session_id: session, agent, extra } = record
  const id = [own, session].find((value) => typeof value === 'string')
  const labels = { ...labelsOf(agent), ...labelsOf(extra) }
  return { ...(id !== undefined && { id }), turns, ...(Object.keys(labels).length > 0 && { labels }) }
}
