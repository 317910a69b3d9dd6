import * as z from 'zod'
import { readUnparsed } from '../../classify.js'
import { countingPaths, readCount } from '../../count-tokens.js'
import { readGiven } from '../../logprobs.js'
import { echoing, goingOn } from '../../request.js'
import { askProps } from '../identity.js'
import type { Quirk, QuirkResult } from '../quirk.js'
import { fromFailure, judgeReply, noChat } from '../quirk.js'
import { requestReply, samplePrompt } from '../reply.js'
import { describeFailure } from '../session.js'
import type { ServerTraits } from '../../traits.js'

/** A quirk of chats whose conversation begins with another message; the templates of some models refuse such. */
function createRoleQuirk(
  name: string,
  lead: { readonly role: 'system' | 'user'; readonly content: string },
  evidence: string,
  accepted: Partial<ServerTraits>,
  refusal: RegExp,
  refused: Partial<ServerTraits>,
  meanings: Quirk['meanings'],
): Quirk {
  return {
    name,
    meanings,
    find: (context) =>
      context.first.style.endpoint === 'chat'
        ? judgeReply(
            context,
            { messages: [lead, ...samplePrompt] },
            () => ({ value: 'accepted', evidence, traits: accepted }),
            refusal,
            { value: 'refused', traits: refused },
          )
        : noChat,
  }
}

/** Whether a system message is accepted. */
export const systemRole = createRoleQuirk(
  'system role',
  { role: 'system', content: 'You are brief.' },
  'a chat that begins with one is answered',
  { systemRole: 'accepted' },
  /\bsystem\b|\broles?\b/i,
  { systemRole: 'fold' },
  {
    accepted: "An agent's instructions are sent as the system message.",
    unknown: 'Unknown: the system message is sent as it is.',
    refused: "An agent's system message is folded into the first user message.",
  },
)

/** Whether two messages of one role may follow each other. */
export const consecutiveRoles = createRoleQuirk(
  'same role twice',
  { role: 'user', content: 'Be brief.' },
  'two user messages in a row are answered',
  { consecutiveRoles: 'accepted' },
  /\broles?\b|alternat|consecutive/i,
  { consecutiveRoles: 'merge' },
  {
    accepted: 'Messages are sent as they are.',
    unknown: 'Unknown: messages are sent as they are.',
    refused: 'Messages of one role in a row are merged into one.',
  },
)

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
  async find({ first, request }) {
    const refused = { value: 'refused', traits: { tools: 'refused' } } as const
    if (first.style.endpoint !== 'chat') return { ...refused, evidence: 'there is no chat' }
    const messages = [{ role: 'user', content: "Call the function look with at = 'desk 1'." }] as const
    const answer = await request({ messages, extra: { tools: [look] } })
    const traits = { tools: 'accepted' } as const
    if (answer.kind === 'refused' && readUnparsed(answer.message) !== undefined) {
      const evidence = 'accepted, but the server could not parse the call that the model made'
      return { value: 'accepted', evidence, traits }
    }
    if (answer.kind !== 'answered') return fromFailure(answer, /tool|function/i, refused)
    return answer.value.toolCalls > 0
      ? { value: 'called', evidence: 'the function was called', traits }
      : { value: 'accepted', evidence: 'accepted, but answered in text', traits }
  },
  meanings: {
    called: 'The agent tools can be played.',
    accepted: 'The agent tools can be tried; look at its format errors first.',
    unknown: 'Unknown: look at the format errors of the agent tools first.',
    refused: 'The agent tools cannot be played; act, react and tagged can.',
  },
}

/** Whether plain text can be continued too. */
export const plainCompletions: Quirk = {
  name: 'plain completions',
  async find({ model, session, first: { style } }) {
    const yes = { value: 'yes', evidence: '/completions answers' }
    if (style.endpoint === 'completions') return yes
    const asText = { ...style, endpoint: 'completions', maxTokensField: 'max_tokens' } as const
    const answer = await requestReply(session, model, asText)
    return answer.kind === 'answered' ? yes : fromFailure(answer, /completion|endpoint|path/i, { value: 'no' }, true)
  },
  meanings: { yes: 'Base models can be played as plain text.', no: 'Only chats can be played.' },
}

const given = 'The kitchen is warm and bright'

/** Whether the log-probabilities of a given text are returned; requested only where those of replies are. */
export const promptLogprobs: Quirk = {
  name: 'prompt-logprobs',
  async find({ model, first: { style }, session, valueOf }) {
    if (valueOf('logprobs') !== 'given') return undefined
    const isChat = style.endpoint === 'chat'
    const answer = await session.ask(
      isChat ? '/chat/completions' : '/completions',
      (json) => ({ tokens: readGiven(json, given) ?? [] }),
      {
        model,
        ...(isChat
          ? { messages: [...samplePrompt, { role: 'assistant', content: given }], ...goingOn }
          : { prompt: `${content}\n${given}`, ...echoing }),
        stream: false,
        [style.maxTokensField]: 1,
        ...(style.greedy && { temperature: 0 }),
      },
    )
    const traits = { logprobs: 'top' } as const
    if (answer.kind !== 'answered') {
      const names = /echo|prompt_logprobs|continue_final_message|add_generation_prompt|extra/i
      return { ...fromFailure(answer, names, { value: 'refused' }), traits }
    }
    return judgeLogprobs(answer.value.tokens.map(({ logprob }) => logprob))
  },
  meanings: {
    given: 'With --logprobs, both wordings of an action are scored as continuations of its prompt.',
    ignored: 'With --logprobs, wordings are compared by the first token in which they differ.',
    refused: 'With --logprobs, wordings are compared by the first token in which they differ.',
  },
}

/** Some servers return 0 for every token that they did not score. */
function judgeLogprobs(logprobs: readonly number[]): QuirkResult {
  const traits = { logprobs: 'top' } as const
  if (logprobs.length === 0) return { value: 'ignored', evidence: 'requested, but not in the reply', traits }
  if (new Set(logprobs).size === 1 && logprobs.length > 1) {
    return { value: 'ignored', evidence: `every token has ${String(logprobs[0])}, which is not a measurement`, traits }
  }
  return { value: 'given', evidence: 'they come with the reply', traits: { logprobs: 'continuations' } }
}

const template = z.object({ prompt: z.string().min(1) })
const countedByServer = 'The server counts a prompt where the estimate does not settle whether it fits the context.'
const { content } = samplePrompt[0]!

/** Whether the server counts the tokens of a prompt, as vLLM and llama.cpp do on paths of their own. */
export const tokenCount: Quirk = {
  name: 'token count',
  async find({ session, model, first }) {
    const body = { model, prompt: content, content, add_special: true }
    const answer = await session.ask(countingPaths.tokenize, readCount, body)
    if (answer.kind === 'refused') return { value: 'none', evidence: describeFailure(answer) }
    if (answer.kind !== 'answered') return { value: 'unknown', evidence: answer.message }
    const { count, by } = answer.value
    const evidence = `${String(count)} tokens in ${String(content.length)} characters`
    if (count < 1 || count > 4 * content.length) return { value: 'none', evidence }
    if (by === 'llama.cpp' && first.style.endpoint === 'chat') {
      const read = (json: unknown) => template.safeParse(json).data
      const rendered = await session.ask(countingPaths.template, read, { messages: samplePrompt })
      if (rendered.kind !== 'answered') return { value: 'none', evidence: `${evidence}, but no /apply-template` }
    }
    return { value: by, evidence, traits: { tokenizer: by } }
  },
  meanings: {
    vllm: countedByServer,
    'llama.cpp': countedByServer,
    none: 'The length of prompts is derived from the usage of replies.',
  },
}

const templates = z.object({ chat_template: z.string(), eos_token: z.string().optional().catch(undefined) })

/** The template that llama.cpp uses where a model file has none; its line breaks are real or escaped ones. */
const standIn =
  /^\{%-?for message in messages-?%\}\{\{-?'<\|im_start\|>'\+message\.role\+'(?:\\?n|\n)'\+message\.content\+'<\|im_end\|>(?:\\?n|\n)'-?\}\}\{%-?endfor-?%\}\{%-?if add_generation_prompt-?%\}\{\{-?'<\|im_start\|>assistant(?:\\?n|\n)'-?\}\}\{%-?endif-?%\}$/

/**
 * Where the chat template of a llama.cpp server comes from. For a model file without one the server uses its own
 * ChatML; a model that was trained on ChatML ends its turns with `<|im_end|>`.
 */
export const chatTemplate: Quirk = {
  name: 'chat template',
  async find({ model, list: { entry }, session, first: { style } }) {
    if (entry?.['owned_by'] !== 'llamacpp' || style.endpoint === 'completions') return undefined
    const { props, source } = await askProps(session, model, entry)
    const read = templates.safeParse(props)
    if (!read.success)
      return { value: 'not told', evidence: props === undefined ? source : `${source}: no chat_template` }
    const { chat_template: template, eos_token: end } = read.data
    const text = template
      .split(/(\{[%{]-?|-?[%}]\}|\+)/)
      .map((part) => part.trim())
      .join('')
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
  meanings: {
    own: 'Conversations are rendered with the template of the model file.',
    invented:
      'The model file has no chat template, so that the model reads marks it was not trained on: play it with api: completions, or with template.',
    dated:
      "The template writes today's date into each prompt, so that runs differ by day: give extraBody: { chat_template_kwargs: { date_string: '26 Jul 2024' } }.",
    'not told': 'Check the template of the model yourself.',
  },
}
