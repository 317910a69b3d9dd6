import { readGiven } from '../../logprobs.js'
import { echoing, goingOn } from '../../request.js'
import type { Found, Quirk } from '../quirk.js'
import { fromFailure, sentence } from '../quirk.js'
import { opening } from '../speak.js'

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
