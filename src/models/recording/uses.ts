import { hashOf } from '../../core/episode.js'
import type { Completion, Model } from '../../core/model.js'
import type { Cache } from './cache.js'
import type { Answer, Question } from './exchange.js'
import { createAsker, errorOf, failureOf } from './exchange.js'
import type { ExchangeFile } from './exchange-file.js'
import { explainMiss } from './explain-miss.js'

/** What happens to the exchanges of a model: a known answer is taken, any other is kept. */
interface Use {
  /** The name of a model in the file. */
  nameOf(model: Model): string
  find?(question: Question): Promise<Completion | undefined>
  keep(question: Question, answer: Answer): void
}

function use(model: Model, way: Use): Model {
  const ask = createAsker(way.nameOf(model))
  return {
    ...model,
    ...(model.withWorld && { withWorld: (world, phrase) => use(model.withWorld!(world, phrase), way) }),
    async complete(messages, sampling): Promise<Completion> {
      const question = ask(messages, sampling)
      const known = await way.find?.(question)
      if (known !== undefined) return known
      let reply: Completion
      try {
        reply = await model.complete(messages, sampling)
      } catch (thrown) {
        const failure = sampling.signal?.aborted === true ? undefined : failureOf(thrown)
        if (failure !== undefined) way.keep(question, { failure })
        throw thrown
      }
      way.keep(question, { reply })
      return reply
    },
  }
}

/**
 * A model that records every exchange, including failed calls. An aborted call is not recorded.
 * @throws ShaketableError `bad-input` if the recording holds a different model of that name
 */
export function withRecording(model: Model, file: ExchangeFile): Model {
  file.declare(model)
  return use(model, { nameOf: ({ name }) => name, keep: (question, answer) => file.append(question, answer) })
}

/**
 * A model that takes replies from a cache, and is called only for others. Replies are cached, failures are not. The
 * settings are part of the question, since the same name at another address may be another model.
 */
export function withCache(model: Model, cache: Cache): Model {
  return use(model, {
    nameOf: ({ name, settings }) => `${name} ${hashOf(settings, 20)}`,
    find: ({ id }) => cache.find(id),
    keep: (question, answer) => {
      if ('reply' in answer) cache.keep(question, answer)
    },
  })
}

/**
 * A model that replays a recording. It has the recorded settings, so that plans and keys are equal.
 * @param missed called with the error for a question that was not recorded, before it is thrown: such an error ends the
 * run, not only the episode
 * @throws ShaketableError `bad-input` if the recording has no such model
 */
export function replayModel(
  file: ExchangeFile,
  name: string,
  missed: (thrown: Error) => void = () => undefined,
): Model {
  const { settings, contextTokens, logprobs } = file.model(name)
  const ask = createAsker(name)
  return {
    name,
    settings,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(logprobs && { logprobs }),
    complete(messages, sampling) {
      const answer = find(ask(messages, sampling))
      if ('reply' in answer) return answer.reply
      throw errorOf(answer.failure)
    },
  }

  function find(question: Question): Answer {
    try {
      const answer = file.answer(question.id)
      if (answer === undefined) throw explainMiss(file, question)
      return answer
    } catch (thrown) {
      missed(thrown as Error)
      throw thrown
    }
  }
}
