import { ShaketableError } from '../../core/errors.js'
import type { Completion, Model } from '../../core/model.js'
import type { Answer, Question } from './exchange.js'
import { createAsker, errorOf, failureOf } from './exchange.js'
import type { ExchangeFile } from './exchange-file.js'

/**
 * A model that records every exchange, including failed calls. An aborted call is not recorded.
 * @throws ShaketableError `bad-input` if the recording holds a different model of that name
 */
export function withRecording(model: Model, file: ExchangeFile): Model {
  file.declare(model)
  return recorded(model, file)
}

function recorded(model: Model, file: ExchangeFile): Model {
  const ask = createAsker(model.name)
  return {
    ...model,
    ...(model.withWorld && { withWorld: (world, phrase) => recorded(model.withWorld!(world, phrase), file) }),
    async complete(messages, sampling): Promise<Completion> {
      const question = ask(messages, sampling)
      let reply: Completion
      try {
        reply = await model.complete(messages, sampling)
      } catch (thrown) {
        const failure = sampling.signal?.aborted === true ? undefined : failureOf(thrown)
        if (failure !== undefined) file.append(question, { failure })
        throw thrown
      }
      file.append(question, { reply })
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
      if (answer !== undefined) return answer
      throw explainMiss(file, question)
    } catch (thrown) {
      missed(thrown as Error)
      throw thrown
    }
  }
}

/** The fields of a question: name, weight in the distance of two questions, value, and whether the value is told. */
const fields: readonly (readonly [string, number, (question: Question) => string | number, 'told'?])[] = [
  ['the model', 3, ({ model }) => model, 'told'],
  ['the episode', 1, ({ episode }) => episode, 'told'],
  ['the temperature', 1, ({ temperature }) => temperature, 'told'],
  ['the seed', 1, ({ seed }) => seed, 'told'],
  ['the most tokens of a reply', 1, ({ maxTokens }) => maxTokens, 'told'],
  ['the stop strings', 1, ({ stop }) => JSON.stringify(stop), 'told'],
  ['the tools', 1, ({ toolsHash }) => toolsHash],
  ['the messages', 2, ({ messagesHash }) => messagesHash],
  ['the number of the call', 1, ({ number }) => number + 1, 'told'],
]

/** Why a recording has no reply to a question: the differences from the nearest question of the whole file. */
function explainMiss(file: ExchangeFile, asked: Question): ShaketableError {
  let why = 'it holds no exchange at all'
  let smallest = Number.POSITIVE_INFINITY
  for (const question of file.questions()) {
    const differing = fields.filter(([, , valueOf]) => valueOf(question) !== valueOf(asked))
    const distance = differing.reduce((sum, [, weight]) => sum + weight, 0)
    if (distance > smallest) continue
    smallest = distance
    const parts = differing.map(([name, , valueOf, isTold]) => {
      const [was, is] = [question, asked].map((one) => clip(String(valueOf(one)), 200))
      return isTold ? `${name} (recorded ${was!}, asked ${is!})` : name
    })
    why = `the nearest exchange in it differs in ${parts.join(' and in ')}`
  }
  const { episode, model, temperature, seed } = asked
  const place = `${episode === '' ? '' : `${clip(episode, 200)}, `}model ${clip(model, 100)}`
  return new ShaketableError(
    'bad-input',
    `${file.path} has no reply to call ${String(asked.number + 1)} of ${place}, temperature ${String(temperature)}, seed ${String(seed)}: ${why}. Replay the experiment that was recorded, or record this one.`,
  )
}

function clip(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
