import { canonicalJson } from '../../core/episode.js'
import type { Completion, Model } from '../../core/model.js'
import type { Cache } from './cache.js'
import type { Answer, Question } from './exchange.js'
import { createAsker, errorOf, failureOf } from './exchange.js'
import { explainMiss } from './explain-miss.js'
import type { Recorded } from './recorded.js'
import type { Recording } from './recording.js'

/**
 * A model that records every exchange, including failed calls. An aborted call is not recorded.
 * @throws ShaketableError `bad-input` if the recording holds a different model of that name
 */
export function withRecording(model: Model, recording: Recording): Model {
  recording.declare(model)
  return record(model, recording)
}

function record(model: Model, recording: Recording): Model {
  const ask = createAsker(model.name)
  return {
    ...model,
    ...(model.sighted && {
      sighted: (world, phrase) => record(model.sighted!(world, phrase), recording),
    }),
    async complete(messages, sampling): Promise<Completion> {
      const question = ask(messages, sampling)
      const keep = (answer: Answer): void => recording.append({ question, answer })
      let reply: Completion
      try {
        reply = await model.complete(messages, sampling)
      } catch (thrown) {
        const failure = sampling.signal?.aborted === true ? undefined : failureOf(thrown)
        if (failure !== undefined) keep({ failure })
        throw thrown
      }
      keep({ reply })
      return reply
    },
  }
}

/**
 * A model that takes replies from a cache, and is called only for others. Replies are cached, failures are not. The
 * settings are part of the question, since the same name at another address may be another model.
 */
export function withCache(model: Model, cache: Cache): Model {
  const ask = createAsker(canonicalJson([model.name, model.settings]))
  return {
    ...model,
    ...(model.sighted && { sighted: (world, phrase) => withCache(model.sighted!(world, phrase), cache) }),
    async complete(messages, sampling): Promise<Completion> {
      const question = ask(messages, sampling)
      const found = await cache.find(question)
      if (found !== undefined && 'reply' in found) return found.reply
      const reply = await model.complete(messages, sampling)
      await cache.keep(question, { reply })
      return reply
    },
  }
}

/**
 * A model that replays a recording. It has the recorded settings, so that plans and keys are equal.
 * @param missed called with the error for a question that was not recorded, before it is thrown: such an error ends the
 * run, not only the episode
 * @throws ShaketableError `bad-input` if the recording has no such model
 */
export function replayModel(
  recorded: Recorded,
  name: string,
  missed: (thrown: Error) => void = () => undefined,
): Model {
  const { settings, contextTokens, counts, logprobs } = recorded.model(name)
  const ask = createAsker(name)
  return {
    name,
    settings,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(counts && { counts }),
    ...(logprobs && { logprobs }),
    complete(messages, sampling) {
      const answer = find(ask(messages, sampling))
      if ('reply' in answer) return answer.reply
      throw errorOf(answer.failure)
    },
  }

  function find(question: Question): Answer {
    try {
      const answer = recorded.answer(question.id)
      if (answer === undefined) throw explainMiss(recorded, question)
      return answer
    } catch (thrown) {
      missed(thrown as Error)
      throw thrown
    }
  }
}
