import type { Briefing, Example, Note } from '../core/environment.js'
import { textOf } from '../core/text.js'

/** The labels of the lines of a history or a worked example. */
export interface Labels {
  readonly action: string
  /** Text after an action. Default: none. */
  readonly afterAction?: string
  readonly observation: string
}

/** AgentBoard's labels. */
export const agentBoardLabels: Labels = { action: 'Action: ', observation: 'Observation: ' }

/** Everything above the history, as in AgentBoard's VanillaAgent: instruction, worked examples, goal, help commands. */
export function layBriefing(
  briefing: Briefing,
  labels: Labels = agentBoardLabels,
  parts: { readonly format?: string; readonly beforeGoal?: string } = {},
): string {
  const { instruction, examples, goal, help, memory = [] } = briefing
  const { format = '', beforeGoal = '' } = parts
  return [
    textOf(instruction),
    format === '' ? '' : `\n${format}\n`,
    examples.length === 0 ? '' : '\nHere are examples:\n',
    ...examples.map((example) => `${layExample(example, labels)}\n`),
    ...layMemory(memory),
    beforeGoal,
    `You should perform actions to accomplish the goal: ${goal}\n`,
    ...help.map(
      (command) => `You should use the following commands for help when your action cannot be understood: ${command}\n`,
    ),
  ].join('')
}

/** The agent's notes on earlier trials, which Reflexion's own prompt has between the examples and the task. */
export function layMemory(memory: readonly Note[]): string[] {
  if (memory.length === 0) return []
  return [
    '\nHere is what you planned after earlier trials at this task:\n',
    ...memory.map(({ trial, text }) => `Trial ${String(trial)}: ${text}\n`),
  ]
}

function layExample({ opening, exchanges, ending = '\n' }: Example, labels: Labels): string {
  const lines = exchanges.flatMap(({ action, observation }) => [
    `${labels.action}${action}${labels.afterAction ?? ''}`,
    `${labels.observation}${textOf(observation)}`,
  ])
  return [textOf(opening), ...lines].join('\n') + ending
}
