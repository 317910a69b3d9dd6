import { reasoningMark } from '../../reasoning.js'
import { oneLine } from '../error-text.js'
import type { Quirk, QuirkResult } from '../quirk.js'
import { fromFailure, judgeReply } from '../quirk.js'
import type { ProbeReply } from '../reply.js'

/** Whether replies report how many tokens they took. */
export const usage: Quirk = {
  name: 'usage',
  find({ first: { reply } }) {
    const { promptTokens, completionTokens } = reply
    if (promptTokens === undefined && completionTokens === undefined)
      return { value: 'none', evidence: 'no counts in the reply' }
    const evidence = `prompt ${String(promptTokens ?? 'not given')}, reply ${String(completionTokens ?? 'not given')}`
    return { value: promptTokens === undefined || completionTokens === undefined ? 'in part' : 'reported', evidence }
  },
  meanings: {
    reported: 'Tokens are counted as the server counts them.',
    'in part': 'Totals of tokens are incomplete; a budget of tokens counts what is reported.',
    none: 'Totals of tokens stay empty, and a budget of tokens cannot be kept.',
  },
}

/** Which field limits a reply, and whether the limit holds. */
export const maxTokens: Quirk = {
  name: 'length limit',
  find({ first: { style, reply, refused } }) {
    const { maxTokensField } = style
    const refusal = refused.find(({ field }) => field === 'max_tokens')
    const { completionTokens } = reply
    const ignored = completionTokens !== undefined && completionTokens > 2 * style.maxTokens
    const limit = `asked for at most ${String(style.maxTokens)} tokens`
    const got = completionTokens === undefined ? '' : `, got ${String(completionTokens)}`
    return {
      value: ignored ? 'ignored' : maxTokensField,
      evidence: `${limit}${got}${refusal === undefined ? '' : `; max_tokens: ${refusal.message}`}`,
      traits: { maxTokensField },
    }
  },
  meanings: {
    max_tokens: 'The maximum length of a reply is sent as max_tokens.',
    max_completion_tokens: 'The maximum length of a reply is sent as max_completion_tokens.',
    ignored: 'Replies may be longer than the limit: mind the cost, and give agents a stop string.',
  },
}

/** OpenAI takes 4, vLLM and llama.cpp any number; no agent has more than 16. */
const counts = [16, 4, 1]

/** How many stop strings are accepted, and whether the text ends at them. */
export const stop: Quirk = {
  name: 'stop strings',
  async find({ first, request, valueOf }) {
    const letter = commonLetter(first.reply.text)
    for (const count of counts) {
      const answer = await request({ extra: { stop: stops(count, letter) } })
      if (answer.kind === 'answered') {
        const evidence = describeEnd(answer.value.text, letter)
        // A stop string in the reasoning would end the reply before there is one.
        return { value: count, evidence, ...(valueOf('reasoning') === 'none' && { traits: { stop: count } }) }
      }
      const result = fromFailure(answer, /\bstop\b|stop_sequences/i, { value: 0, traits: { stop: 0 } })
      if (result.value === 'unknown' || count === 1) return result
    }
    throw new Error('the last count always returns')
  },
  meanings: {
    unknown: 'Unknown: up to four are sent; all are enforced by the client too.',
    '0': 'No stop string is sent; the client cuts replies.',
    '1': 'One stop string is sent; the client enforces the others.',
    '4': 'Up to four stop strings are sent; all are enforced by the client too.',
    '16': 'All stop strings are sent; all are enforced by the client too.',
  },
}

function stops(count: number, letter: string | undefined): string[] {
  const others = Array.from({ length: count }, (_, index) => `[stop ${String(index + 1)}]`)
  return letter === undefined ? others : [letter, ...others].slice(0, count)
}

function describeEnd(text: string, letter: string | undefined): string {
  if (letter === undefined) return 'accepted; whether they are enforced could not be seen'
  return text.includes(letter)
    ? `accepted, but the text goes on after '${letter}'`
    : `accepted, and the text ends before '${letter}'`
}

/** The most frequent letter of a reply: as a stop string it must end the next one. */
export function commonLetter(text: string): string | undefined {
  const counts = new Map<string, number>()
  for (const [letter] of text.matchAll(/[a-z]/g)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** Whether one call can give several replies. */
export const severalReplies: Quirk = {
  name: 'n',
  find: (context) =>
    judgeReply(
      context,
      { extra: { n: 2, temperature: 1 } },
      ({ choices }) => ({
        value: choices === 2 ? 'honoured' : 'ignored',
        evidence: `asked for 2 replies, got ${String(choices)}`,
      }),
      /\bn\b|\bbest_of\b/,
      { value: 'refused' },
    ),
  meanings: { otherwise: 'Runs request one reply at a time.' },
}

/** Whether temperature 0 gives the same reply twice. */
export const greedy: Quirk = {
  name: 'temperature 0',
  find(context) {
    const { style, reply, refused } = context.first
    const refusal = refused.find(({ field }) => field === 'temperature')
    if (!style.greedy) return { value: 'refused', evidence: refusal?.message ?? 'temperature 0 was refused' }
    const judge = ({ all }: ProbeReply): QuirkResult =>
      all === reply.all
        ? { value: 'same', evidence: 'two equal calls, equal replies' }
        : { value: 'different', evidence: 'two equal calls, different replies' }
    return judgeReply(context, {}, judge, /temperature/i, { value: 'unknown' })
  },
  meanings: {
    same: 'Greedy replies repeat, as far as was tried.',
    different: 'Replies differ even at temperature 0: play several seeds there too.',
    refused: 'The temperatures of the experiment may be refused: give --temperatures one that this model accepts.',
    unknown: 'Unknown: the default is used.',
    otherwise: 'A run differs from its repetition: play several seeds at temperature 0 too, or --concurrency 1.',
  },
}

/** Whether a seed is accepted, and whether it decides what is sampled. */
export const seed: Quirk = {
  name: 'seed',
  async find({ request }) {
    const replies: string[] = []
    for (const number of [1, 1, 2]) {
      const answer = await request({ extra: { seed: number, temperature: 1 } })
      if (answer.kind !== 'answered') {
        return fromFailure(answer, /\bseed\b/i, { value: 'refused', traits: { seed: 'refused' } })
      }
      replies.push(answer.value.all)
      if (replies.length === 2 && replies[0] !== replies[1]) {
        return { value: 'ignored', evidence: 'one seed twice at temperature 1, different replies' }
      }
    }
    return replies[0] === replies[2]
      ? { value: 'accepted', evidence: 'the same reply at temperature 1 whatever the seed' }
      : { value: 'honoured', evidence: 'at temperature 1 one seed repeats its reply, another gives another' }
  },
  meanings: {
    honoured: 'Seeds decide what is sampled, as long as calls come one after the other. Each call is sent its own.',
    ignored: 'Seeds are only labels here: each episode is an independent sample, which is all that a report needs.',
    accepted: 'Seeds are sent; whether they decide anything could not be seen.',
    unknown: 'Unknown: seeds are sent.',
    refused: 'No seed is sent; seeds still decide what the environments draw.',
  },
}

/** Whether log-probabilities of tokens are given. */
export const logprobs: Quirk = {
  name: 'logprobs',
  find: (context) =>
    judgeReply(
      context,
      { extra: { logprobs: context.first.style.endpoint === 'chat' ? true : 1 } },
      (reply) =>
        reply.logprobs
          ? { value: 'given', evidence: 'they come with the reply' }
          : { value: 'ignored', evidence: 'requested, but not in the reply' },
      /logprobs/i,
      { value: 'refused' },
    ),
  meanings: { given: 'Runs request them with --logprobs.', otherwise: 'Runs do not need them.' },
}

/** Room for a short thought about a question that needs none. */
const thoughtTokens = 512
const question = [{ role: 'user', content: 'Reply with the one word: yes.' }] as const
/** Stop strings would end a reply inside its reasoning. */
const noStops = { stop: 0 }

/** Whether the model reasons before it answers, and in which field. */
export const reasoning: Quirk = {
  name: 'reasoning',
  async find({ first: { reply, style }, request, session }) {
    if (reply.reasoning !== undefined) return describeReasoning(reply, reply.reasoning, 'the first reply')
    if (reply.text.trim() === '') {
      const finish = session.target.redact(reply.finish).slice(0, 40)
      const evidence = `the first reply is empty (finish reason '${finish}')`
      return reply.finish === 'length' ? { value: 'hidden', evidence, traits: noStops } : { value: 'empty', evidence }
    }
    const none = { value: 'none', evidence: 'the first reply is text alone' }
    if (reply.finish !== 'length' || style.endpoint !== 'chat') return none
    // A template may open the reasoning, and the first reply be too short to close it.
    const longer = await request({ messages: question, extra: { [style.maxTokensField]: thoughtTokens } })
    if (longer.kind !== 'answered' || longer.value.reasoning === undefined) return none
    return describeReasoning(longer.value, longer.value.reasoning, `a reply of up to ${String(thoughtTokens)} tokens`)
  },
  meanings: {
    none: 'Replies are read as they come.',
    hidden: 'The model says nothing within a few tokens: give --max-tokens room for hidden reasoning.',
    empty: 'The model ended its reply without a word: check its chat template.',
    think: 'Reasoning is kept and cut off before the action is read: give --max-tokens room for it.',
    reasoning_content: 'Reasoning is kept apart from the action: give --max-tokens room for it.',
    reasoning: 'Reasoning is kept apart from the action: give --max-tokens room for it.',
  },
}

function describeReasoning(
  { text }: ProbeReply,
  value: NonNullable<ProbeReply['reasoning']>,
  place: string,
): QuirkResult {
  if (value !== 'think') return { value, evidence: `${place} has the field ${value}`, traits: noStops }
  const { mark, isOpening } = reasoningMark(text)!
  if (isOpening) return { value, evidence: `${place} has ${oneLine(mark, 60)} in the text`, traits: noStops }
  const evidence = `${place} closes reasoning in the text that the chat template opened`
  return { value, evidence, traits: { ...noStops, reasoning: 'opened' } }
}
