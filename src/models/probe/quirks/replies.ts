import type { Found, Probed, Quirk } from '../quirk.js'
import { fromFailure, sentence } from '../quirk.js'
import type { Spoken } from '../speak.js'

/** Whether replies say how many tokens they took. */
export const usage: Quirk = {
  name: 'usage',
  find({ words: { first } }) {
    const { promptTokens, completionTokens } = first
    if (promptTokens === undefined && completionTokens === undefined)
      return { value: 'none', evidence: 'no counts in the reply' }
    const evidence = `prompt ${String(promptTokens ?? 'not given')}, reply ${String(completionTokens ?? 'not given')}`
    return { value: promptTokens === undefined || completionTokens === undefined ? 'in part' : 'reported', evidence }
  },
  means: (value) =>
    sentence(
      {
        reported: 'Tokens are counted as the server counts them.',
        'in part': 'Totals of tokens are not complete; a budget of tokens counts what is told.',
        none: 'Totals of tokens stay empty, and a budget of tokens cannot be kept.',
      },
      value,
    ),
}

/** Which field limits a reply, and whether the limit holds. */
export const maxTokens: Quirk = {
  name: 'length limit',
  find({ words: { manner, first, refused } }) {
    const { maxTokensField } = manner
    const no = refused.find(({ field }) => field === 'max_tokens')
    const { completionTokens } = first
    const ignored = completionTokens !== undefined && completionTokens > 2 * manner.maxTokens
    const asked = `asked for at most ${String(manner.maxTokens)} tokens`
    const got = completionTokens === undefined ? '' : `, got ${String(completionTokens)}`
    return {
      value: ignored ? 'ignored' : maxTokensField,
      evidence: `${asked}${got}${no === undefined ? '' : `; max_tokens: ${no.said}`}`,
      traits: { maxTokensField },
    }
  },
  means: (value) =>
    sentence(
      {
        max_tokens: 'The limit of tokens a reply is sent as max_tokens.',
        max_completion_tokens: 'The limit of tokens a reply is sent as max_completion_tokens.',
        ignored: 'Replies may be longer than the limit says: mind the cost, and give agents a stop string.',
      },
      value,
    ),
}

/** OpenAI takes 4, vLLM and llama.cpp any number; more than 16 no agent has. */
const counts = [16, 4, 1]

/** How many stop strings are taken, and whether the text ends where they say. */
export const stop: Quirk = {
  name: 'stop strings',
  async find(probed) {
    const letter = commonLetter(probed.words.first.text)
    for (const count of counts) {
      const heard = await probed.speak({ extra: { stop: stops(count, letter) } })
      if (heard.kind === 'spoken') {
        const evidence = enforced(heard.spoken.text, letter)
        // A stop string in the reasoning would end the reply before there is one.
        return { value: count, evidence, ...(probed.found('reasoning') === 'none' && { traits: { stop: count } }) }
      }
      const found = fromFailure(heard, /\bstop\b|stop_sequences/i, { value: 0, traits: { stop: 0 } })
      if (found.value === 'unknown' || count === 1) return found
    }
    throw new Error('the last count always returns')
  },
  means: (value) =>
    value === 0
      ? 'No stop string is sent; replies are cut on this side.'
      : sentence(
          {
            unknown: 'It could not be told: up to four are sent; all are enforced on this side too.',
            '1': 'One stop string is sent; the others are enforced on this side.',
            '4': 'Up to four stop strings are sent; all are enforced on this side too.',
            '16': 'All stop strings are sent; all are enforced on this side too.',
          },
          value,
        ),
}

function stops(count: number, letter: string | undefined): string[] {
  const others = Array.from({ length: count }, (_, index) => `[stop ${String(index + 1)}]`)
  return letter === undefined ? others : [letter, ...others].slice(0, count)
}

function enforced(text: string, letter: string | undefined): string {
  if (letter === undefined) return 'taken; whether they are enforced could not be seen'
  return text.includes(letter)
    ? `taken, but the text goes on after '${letter}'`
    : `taken, and the text ends before '${letter}'`
}

/** The letter that a reply has most of: a stop at which the next reply must end. */
export function commonLetter(text: Probed['words']['first']['text']): string | undefined {
  const counts = new Map<string, number>()
  for (const [letter] of text.matchAll(/[a-z]/g)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** Whether one call can bring several replies. */
export const severalReplies: Quirk = {
  name: 'n',
  async find({ speak }) {
    const heard = await speak({ extra: { n: 2, temperature: 1 } })
    if (heard.kind !== 'spoken') return fromFailure(heard, /\bn\b|\bbest_of\b/, { value: 'refused' })
    const { choices } = heard.spoken
    return { value: choices === 2 ? 'honoured' : 'ignored', evidence: `asked for 2 replies, got ${String(choices)}` }
  },
  means: () => 'Runs ask for one reply at a time.',
}

/** Whether temperature 0 gives the same reply twice. */
export const greedy: Quirk = {
  name: 'temperature 0',
  async find({ words: { manner, first, refused }, speak }) {
    const no = refused.find(({ field }) => field === 'temperature')
    if (!manner.greedy) return { value: 'refused', evidence: no?.said ?? 'temperature 0 was refused' }
    const heard = await speak()
    if (heard.kind !== 'spoken') return fromFailure(heard, /temperature/i, { value: 'unknown' })
    const same = heard.spoken.all === first.all
    return same
      ? { value: 'same', evidence: 'two equal calls, equal replies' }
      : { value: 'different', evidence: 'two equal calls, different replies' }
  },
  means: (value) =>
    String(value).startsWith('same alone, different')
      ? 'A run differs from its repetition: play several seeds at temperature 0 too, or --concurrency 1.'
      : sentence(
          {
            same: 'Greedy replies repeat, as far as it was tried.',
            different: 'Replies differ even at temperature 0: play several seeds there too.',
            refused:
              'The temperatures of the experiment may be refused: give --temperatures one that this model takes.',
          },
          value,
        ),
}

/** Whether a seed is taken, and whether it decides what is sampled. */
export const seed: Quirk = {
  name: 'seed',
  async find({ speak }) {
    const said: string[] = []
    for (const number of [1, 1, 2]) {
      const heard = await speak({ extra: { seed: number, temperature: 1 } })
      if (heard.kind !== 'spoken') {
        return fromFailure(heard, /\bseed\b/i, { value: 'refused', traits: { seed: 'refused' } })
      }
      said.push(heard.spoken.all)
      if (said.length === 2 && said[0] !== said[1]) {
        return { value: 'ignored', evidence: 'one seed twice at temperature 1, different replies' }
      }
    }
    return said[0] === said[2]
      ? { value: 'accepted', evidence: 'the same reply at temperature 1 whatever the seed' }
      : { value: 'honoured', evidence: 'at temperature 1 one seed repeats its reply, another gives another' }
  },
  means: (value) =>
    sentence(
      {
        honoured: 'Seeds decide what is sampled, as long as calls come one after the other. Each call is sent its own.',
        ignored: 'Seeds are only labels here: each episode is a sample of its own, which is all that a report needs.',
        accepted: 'Seeds are sent; whether they decide anything could not be seen.',
        unknown: 'It could not be told: seeds are sent.',
        refused: 'No seed is sent; seeds still decide what the environments draw.',
      },
      value,
    ),
}

/** Whether probabilities of tokens are given. */
export const logprobs: Quirk = {
  name: 'logprobs',
  async find({ words, speak }) {
    const heard = await speak({ extra: { logprobs: words.manner.endpoint === 'chat' ? true : 1 } })
    if (heard.kind !== 'spoken') return fromFailure(heard, /logprobs/i, { value: 'refused' })
    return heard.spoken.logprobs
      ? { value: 'given', evidence: 'they come with the reply' }
      : { value: 'ignored', evidence: 'asked for, but not in the reply' }
  },
  means: (value) => (value === 'given' ? 'Runs ask for them with --logprobs.' : 'Runs do not need them.'),
}

/** Room for a short thought about a question that needs none. */
const thoughtTokens = 512
const question = [{ role: 'user', content: 'Reply with the one word: yes.' }] as const
/** Stop strings would end a reply inside its reasoning. */
const noStops = { stop: 0 }

/** Whether the model thinks aloud before it answers, and where that stands. */
export const reasoning: Quirk = {
  name: 'reasoning',
  async find(probed) {
    const { first, manner } = probed.words
    if (first.reasoning !== undefined) return inReply(first, first.reasoning, 'the first reply')
    if (first.text.trim() === '') {
      const finish = probed.session.target.redact(first.finish).slice(0, 40)
      const evidence = `the first reply is empty (finish reason '${finish}')`
      return { value: 'hidden', evidence, traits: noStops }
    }
    const none = { value: 'none', evidence: 'the first reply is text alone' }
    if (first.finish !== 'length' || manner.endpoint !== 'chat') return none
    // A template may open the reasoning, and the first reply be too short to close it.
    const longer = await probed.speak({ messages: question, extra: { [manner.maxTokensField]: thoughtTokens } })
    if (longer.kind !== 'spoken' || longer.spoken.reasoning === undefined) return none
    return inReply(longer.spoken, longer.spoken.reasoning, `a reply of up to ${String(thoughtTokens)} tokens`)
  },
  means: (value) =>
    value === 'none'
      ? 'Replies are read as they come.'
      : sentence(
          {
            hidden: 'It says nothing within a few tokens: give --max-tokens room for what is thought unseen.',
            think: 'Reasoning is kept and cut off before the action is read: give --max-tokens room for it.',
            reasoning_content: 'Reasoning is kept apart from the action: give --max-tokens room for it.',
            reasoning: 'Reasoning is kept apart from the action: give --max-tokens room for it.',
          },
          value,
        ),
}

function inReply({ text }: Spoken, value: NonNullable<Spoken['reasoning']>, reply: string): Found {
  if (value !== 'think') return { value, evidence: `${reply} has the field ${value}`, traits: noStops }
  if (text.includes('<think>')) return { value, evidence: `${reply} has <think> in the text`, traits: noStops }
  const evidence = `${reply} closes reasoning in the text that the chat template opened`
  return { value, evidence, traits: { ...noStops, reasoning: 'opened' } }
}
