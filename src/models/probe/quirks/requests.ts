import * as z from 'zod'
import { readUnparsed } from '../../classify.js'
import { countingPaths, readCount } from '../../count-tokens.js'
import { readGiven } from '../../logprobs.js'
import { echoing, goingOn } from '../../request.js'
import { askProps } from '../identity.js'
import type { Found, Quirk } from '../quirk.js'
import { fromFailure, noChat, sentence } from '../quirk.js'
import { sayFailed } from '../session.js'
import { opening, speak } from '../speak.js'

/** Whether a system message is taken. The templates of some models refuse it. */
export const systemRole: Quirk = {
  name: 'system role',
  async find({ words, speak }) {
    if (words.manner.endpoint !== 'chat') return noChat
    const heard = await speak({ messages: [{ role: 'system', content: 'You are brief.' }, ...opening] })
    if (heard.kind !== 'spoken')
      return fromFailure(heard, /\bsystem\b|\broles?\b/i, { value: 'refused', traits: { systemRole: 'fold' } })
    return {
      value: 'accepted',
      evidence: 'a chat that begins with one is answered',
      traits: { systemRole: 'accepted' },
    }
  },
  means: (value) =>
    sentence(
      {
        accepted: "An agent's instructions are sent as the system message.",
        unknown: 'It could not be told: the system message is sent as it is.',
        refused: "An agent's system message is folded into the first user message.",
      },
      value,
    ),
}

/** Whether two messages of one role may follow each other. The templates of some models refuse it. */
export const consecutiveRoles: Quirk = {
  name: 'same role twice',
  async find({ words, speak }) {
    if (words.manner.endpoint !== 'chat') return noChat
    const heard = await speak({ messages: [{ role: 'user', content: 'Be brief.' }, ...opening] })
    if (heard.kind !== 'spoken')
      return fromFailure(heard, /\broles?\b|alternat|consecutive/i, {
        value: 'refused',
        traits: { consecutiveRoles: 'merge' },
      })
    return {
      value: 'accepted',
      evidence: 'two user messages in a row are answered',
      traits: { consecutiveRoles: 'accepted' },
    }
  },
  means: (value) =>
    sentence(
      {
        accepted: 'Messages are sent as they are.',
        unknown: 'It could not be told: messages are sent as they are.',
        refused: 'Messages of one role in a row are merged into one.',
      },
      value,
    ),
}

const look = {
  type: 'function',
  function: {
    name: 'look',
    description: 'Looks around.',
    parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
  },
}

/** Whether functions can be offered to the model. */
export const tools: Quirk = {
  name: 'tools',
  async find({ words, speak }) {
    if (words.manner.endpoint !== 'chat') {
      return { value: 'refused', evidence: 'there is no chat', traits: { tools: 'refused' } }
    }
    const messages = [{ role: 'user', content: "Call the function look with at = 'desk 1'." }] as const
    const heard = await speak({ messages, extra: { tools: [look] } })
    if (heard.kind === 'refused' && readUnparsed(heard.said) !== undefined) {
      const evidence = 'taken, but the server could not parse the call that the model made'
      return { value: 'accepted', evidence, traits: { tools: 'accepted' } }
    }
    if (heard.kind !== 'spoken')
      return fromFailure(heard, /tool|function/i, { value: 'refused', traits: { tools: 'refused' } })
    return heard.spoken.toolCalls > 0
      ? { value: 'called', evidence: 'the function was called', traits: { tools: 'accepted' } }
      : { value: 'accepted', evidence: 'taken, but answered in text', traits: { tools: 'accepted' } }
  },
  means: (value) =>
    sentence(
      {
        called: 'The agent tools can be played.',
        accepted: 'The agent tools can be tried; look at its format errors first.',
        unknown: 'It could not be told: look at the format errors of the agent tools first.',
        refused: 'The agent tools cannot be played; act, react and tagged can.',
      },
      value,
    ),
}

/** Whether plain text can be continued too. */
export const plainCompletions: Quirk = {
  name: 'plain completions',
  async find({ model, session, words: { manner } }) {
    if (manner.endpoint === 'completions') return { value: 'yes', evidence: '/completions answers' }
    const asText = { ...manner, endpoint: 'completions', maxTokensField: 'max_tokens' } as const
    const heard = await speak(session, model, asText, { messages: opening })
    if (heard.kind === 'spoken') return { value: 'yes', evidence: '/completions answers' }
    return fromFailure(heard, /completion|endpoint|path/i, { value: 'no' }, true)
  },
  means: (value) =>
    sentence({ yes: 'Base models can be played as plain text.', no: 'Only chats can be played.' }, value),
}

const given = 'The kitchen is warm and bright'
const sentences: Readonly<Record<string, string>> = {
  given: 'With --logprobs, both wordings of an action are scored as continuations of its prompt.',
  ignored: 'With --logprobs, wordings are compared by the first token in which they differ.',
  refused: 'With --logprobs, wordings are compared by the first token in which they differ.',
}

/** Whether log-probabilities of a text that the server is given are told; asked only where those of replies are. */
export const promptLogprobs: Quirk = {
  name: 'prompt-logprobs',
  async find({ model, words: { manner }, session, found }) {
    if (found('logprobs') !== 'given') return undefined
    const { content: question } = opening[0]!
    const isChat = manner.endpoint === 'chat'
    const answer = await session.ask(
      isChat ? '/chat/completions' : '/completions',
      (json) => ({ tokens: readGiven(json, given) ?? [] }),
      {
        model,
        ...(isChat
          ? { messages: [...opening, { role: 'assistant', content: given }], ...goingOn }
          : { prompt: `${question}\n${given}`, ...echoing }),
        [manner.maxTokensField]: 1,
        ...(manner.greedy && { temperature: 0 }),
      },
    )
    const traits = { logprobs: 'top' } as const
    if (answer.kind !== 'answered') {
      const names = /echo|prompt_logprobs|continue_final_message|add_generation_prompt|extra/i
      return { ...fromFailure(answer, names, { value: 'refused' }), traits }
    }
    return judge(answer.value.tokens.map(({ logprob }) => logprob))
  },
  means: (value) => sentence(sentences, value),
}

/** Some servers answer with a 0 for every token that they did not score. */
function judge(logprobs: readonly number[]): Found {
  const traits = { logprobs: 'top' } as const
  if (logprobs.length === 0) return { value: 'ignored', evidence: 'asked for, but not in the reply', traits }
  if (new Set(logprobs).size === 1 && logprobs.length > 1) {
    return { value: 'ignored', evidence: `every token has ${String(logprobs[0])}, which is not a measurement`, traits }
  }
  return { value: 'given', evidence: 'they come with the reply', traits: { logprobs: 'continuations' } }
}

const template = z.object({ prompt: z.string().min(1) })
const { content } = opening[0]!

/** Whether the server counts the tokens of a prompt, as vLLM and llama.cpp do beside the paths of OpenAI. */
export const tokenCount: Quirk = {
  name: 'token count',
  async find({ session, model, words }) {
    const asked = { model, prompt: content, content, add_special: true }
    const answer = await session.ask(countingPaths.tokenize, readCount, asked)
    if (answer.kind === 'refused') return { value: 'none', evidence: sayFailed(answer) }
    if (answer.kind !== 'answered') return { value: 'unknown', evidence: answer.said }
    const { count, by } = answer.value
    const evidence = `${String(count)} tokens in ${String(content.length)} characters`
    if (count < 1 || count > 4 * content.length) return { value: 'none', evidence }
    if (by === 'llama.cpp' && words.manner.endpoint === 'chat') {
      const laidOut = await session.ask(countingPaths.template, (json) => template.safeParse(json).data, {
        messages: opening,
      })
      if (laidOut.kind !== 'answered') return { value: 'none', evidence: `${evidence}, but no /apply-template` }
    }
    return { value: by, evidence, traits: { tokenizer: by } }
  },
  means: (value) =>
    value === 'vllm' || value === 'llama.cpp'
      ? 'A prompt is counted by the server where an estimate leaves open whether it fits the context.'
      : sentence({ none: 'The length of prompts is told from the usage of replies.' }, value),
}

const templates = z.object({ chat_template: z.string(), eos_token: z.string().optional().catch(undefined) })

/** What llama.cpp fills in where a model file has no template. */
const standIn =
  /^\{%-?for message in messages-?%\}\{\{-?'<\|im_start\|>'\+message\.role\+'\\?n'\+message\.content\+'<\|im_end\|>\\?n'-?\}\}\{%-?endfor-?%\}\{%-?if add_generation_prompt-?%\}\{\{-?'<\|im_start\|>assistant\\?n'-?\}\}\{%-?endif-?%\}$/

/**
 * Where the chat template of a llama.cpp server comes from. For a model file without one it fills in ChatML of its own;
 * a model that was trained on ChatML ends its turns with `<|im_end|>`.
 */
export const chatTemplate: Quirk = {
  name: 'chat template',
  async find({ model, list: { entry }, session, words: { manner } }) {
    if (entry?.['owned_by'] !== 'llamacpp' || manner.endpoint === 'completions') return undefined
    const { props, said } = await askProps(session, model, entry)
    const read = templates.safeParse(props)
    if (!read.success) return { value: 'not told', evidence: props === undefined ? said : `${said}: no chat_template` }
    const { chat_template: template, eos_token: end } = read.data
    const text = template.replaceAll(/\s*(\{[%{]-?|-?[%}]\}|\+)\s*/g, '$1').trim()
    if (standIn.test(text) && end !== undefined && end !== '<|im_end|>') {
      return {
        value: 'invented',
        evidence: `/props: llama.cpp's own ChatML, but the model ends its texts with '${end.slice(0, 40)}'`,
      }
    }
    if (template.includes('strftime_now'))
      return { value: 'dated', evidence: '/props: the template calls strftime_now' }
    return { value: 'own', evidence: '/props: no sign of a template that llama.cpp filled in' }
  },
  means: (value) =>
    sentence(
      {
        own: 'Conversations are laid out as the model file says.',
        invented:
          'The model file has no chat template, so that the model reads marks it was not trained on: play it with api: completions, or with template.',
        dated:
          "The template writes today's date into each prompt, so that runs differ by day: give extraBody: { chat_template_kwargs: { date_string: '26 Jul 2024' } }.",
        'not told': 'Look at the template of the model yourself.',
      },
      value,
    ),
}
