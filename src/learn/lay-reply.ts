import type { Message } from '../core/model.js'

const thought = 'I go on with the task.'

/** An action as a conversation asks for it: alone where the prompt breaks off, else behind `Action:`, behind a thought, or between tags. */
export function layReply(action: string, messages: readonly Message[]): string {
  const last = messages.at(-1)?.content ?? ''
  if (last.endsWith('\nAction: ') || last.endsWith('\n>')) return action
  const head = messages
    .filter(({ role }) => role === 'system' || role === 'user')
    .slice(0, 2)
    .map(({ content }) => content)
    .join('\n')
  if (head.includes('\n<think>')) return `<think>${thought}</think>\n<action>${action}</action>`
  return head.includes('\nThought:') ? `Thought: ${thought}\nAction: ${action}` : `Action: ${action}`
}
