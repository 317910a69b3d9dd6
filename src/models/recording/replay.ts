import type { Model } from '../../core/model.js'
import type { Answer, Question } from './exchange.js'
import { createAsker, errorOf } from './exchange.js'
import { explainMiss } from './explain-miss.js'
import type { Recorded } from './recorded.js'

/**
 * A model that says again what was recorded of it, and nothing else. Settings are those that were recorded, so that plans and keys are equal.
 * @param missed hears of a question that was not recorded before it is thrown, as that is no failure of an episode but the end of the run
 * @throws ShaketableError `bad-input` where the recording has no such model
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
