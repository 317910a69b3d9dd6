import type { Message } from '../core/model.js'

/** A conversation as one text, and where a reply to it ends. */
export interface RenderedPrompt {
  readonly text: string
  readonly stop: readonly string[]
}

/**
 * How a family of models marks turns. The first token (`<s>`, `<|begin_of_text|>`) is left to the server, which adds
 * it.
 */
interface ChatTemplate {
  /** The system text goes in front of the first user text, in this wording; without it the system is a turn. */
  readonly system?: (text: string) => string
  readonly turn: (role: 'system' | 'user' | 'assistant', text: string) => string
  /** Opens the reply. */
  readonly reply: string
  readonly stop: readonly string[]
}

const chatml: ChatTemplate = {
  turn: (role, text) => `<|im_start|>${role}\n${text}<|im_end|>\n`,
  reply: '<|im_start|>assistant\n',
  stop: ['<|im_end|>'],
}

/**
 * Chat templates by name, as the model cards of Meta (Llama 2, Llama 3), Mistral AI (7B Instruct v0.2), LMSYS (Vicuna
 * v1.1) and Qwen describe them.
 */
const templates = {
  chatml,
  qwen: { ...chatml, stop: ['<|im_end|>', '<|endoftext|>'] },
  'llama-3': {
    turn: (role, text) => `<|start_header_id|>${role}<|end_header_id|>\n\n${text.trim()}<|eot_id|>`,
    reply: '<|start_header_id|>assistant<|end_header_id|>\n\n',
    stop: ['<|eot_id|>', '<|end_of_text|>'],
  },
  'llama-2': {
    system: (text) => `<<SYS>>\n${text}\n<</SYS>>\n\n`,
    turn: (role, text) => (role === 'assistant' ? ` ${text.trim()} </s><s>` : `[INST] ${text.trim()} [/INST]`),
    reply: '',
    stop: ['</s>'],
  },
  mistral: {
    system: (text) => `${text}\n\n`,
    turn: (role, text) => (role === 'assistant' ? ` ${text.trim()}</s>` : `[INST] ${text.trim()} [/INST]`),
    reply: '',
    stop: ['</s>'],
  },
  vicuna: {
    turn: (role, text) =>
      role === 'system'
        ? `${text.trim()} `
        : role === 'user'
          ? `USER: ${text.trim()} `
          : `ASSISTANT: ${text.trim()}</s>`,
    reply: 'ASSISTANT:',
    stop: ['</s>', 'USER:'],
  },
} as const satisfies Readonly<Record<string, ChatTemplate>>

/** The name of a chat template that is written here. */
export type TemplateName = keyof typeof templates

/** The names of all of them. */
export const templateNames = Object.keys(templates) as TemplateName[]

/**
 * Lays a conversation out by a template; messages of one role in a row become one turn, and what functions gave is a
 * user's.
 */
export function renderTemplate(messages: readonly Message[], name: TemplateName): RenderedPrompt {
  const { system, turn, reply, stop }: ChatTemplate = templates[name]
  const turns: { role: 'system' | 'user' | 'assistant'; text: string }[] = []
  for (const { role: given, content } of messages) {
    const role = given === 'tool' ? 'user' : given
    const last = turns.at(-1)
    if (last?.role === role) last.text += `\n\n${content}`
    else turns.push({ role, text: content })
  }
  const first = turns[0]
  if (system !== undefined && first?.role === 'system') {
    turns.shift()
    const text = system(first.text)
    if (turns[0]?.role === 'user') turns[0].text = `${text}${turns[0].text}`
    else turns.unshift({ role: 'user', text })
  }
  return { text: `${turns.map(({ role, text }) => turn(role, text)).join('')}${reply}`, stop }
}
