import { afterEach, describe, expect, it } from 'vitest'
import { CallError } from '../../src/models/call-error.js'
import type { Message, Sampling } from '../../src/core/model.js'
import { createRandom } from '../../src/core/random.js'
import { isFiltered } from '../../src/models/refusals.js'
import { createEndpoint } from '../../src/models/index.js'
import type { Answer, Loopback } from './loopback.js'
import { json, says, startLoopback } from './loopback.js'

let server: Loopback | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const messages: readonly Message[] = [{ role: 'user', content: 'Where to?' }]
const sampling: Sampling = { temperature: 0, seed: 1, maxTokens: 50, stop: [] }

/** A call, and one after it that the server answers. */
async function askTwice(answer: Answer, more: Partial<Sampling> = {}) {
  server = await startLoopback(answer, more.endpoint ? json({ choices: [{ text: 'look' }] }) : says('look'))
  const limits = { timeoutMs: 5000, longestWaitMs: 5, random: createRandom('test') }
  const endpoint = createEndpoint({ model: 'm', baseUrl: server.baseUrl, apiKey: 'k-12345678', ...limits })
  const first: unknown = await Promise.resolve(endpoint.complete(messages, { ...sampling, ...more })).catch(
    (thrown: unknown) => thrown,
  )
  const second = await Promise.resolve(endpoint.complete(messages, { ...sampling, ...more })).catch(
    (thrown: unknown) => thrown,
  )
  return { first, second }
}

const failure = (status: number, error: unknown): Answer => json({ error }, status)
const finish = (finish_reason: string, message: unknown = { role: 'assistant', content: '' }): Answer =>
  json({ choices: [{ index: 0, finish_reason, message }] })

describe('a conversation that a content filter refuses', () => {
  const cases: [string, Answer, Partial<Sampling>?][] = [
    [
      'OpenRouter',
      failure(403, {
        code: 403,
        message:
          'openai/gpt-4o requires moderation on OpenAI. Your input was flagged for "violence". No credits were charged.',
        metadata: { reasons: ['violence'] },
      }),
    ],
    ['OpenRouter in short', failure(403, { code: 403, message: 'Your chosen model requires moderation' })],
    [
      'xAI',
      failure(403, 'Content violates usage guidelines. Team: t, API key ID: k, Failed check: SAFETY_CHECK_TYPE_BIO'),
    ],
    ['a guardrail', failure(403, { message: 'Request blocked by guardrail: prompt_attack' })],
    ['Azure', failure(400, { code: 'content_filter', message: "triggered Azure OpenAI's content management policy" })],
    ['OpenAI', failure(400, { message: 'Invalid prompt: flagged as potentially violating our usage policy.' })],
    ['DeepSeek', failure(400, { message: 'Content Exists Risk', type: 'invalid_request_error' })],
    ['Moonshot', failure(400, { message: 'The request was rejected because it was considered high risk' })],
    ['Zhipu', failure(400, { code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' })],
    ['DashScope', failure(400, { code: 'data_inspection_failed', message: 'Output data may contain bad words' })],
    ['a legal reason', failure(451, { message: 'no' })],
    ['an error with a code in a 200', failure(200, { code: 403, message: 'Your input was flagged' })],
    ['an error without a code in a 200', failure(200, { message: 'The response was filtered: content_filter' })],
    [
      'an error of the choice in a 200',
      json({
        choices: [
          { finish_reason: 'error', error: { code: 403, message: 'Output was flagged' }, message: { content: '' } },
        ],
      }),
    ],
    ['content_filter', finish('content_filter')],
    ['content_filter without content', finish('content_filter', { role: 'assistant', content: null })],
    ['content_filter without a message', finish('content_filter: PROHIBITED_CONTENT', undefined)],
    ['blanks alone', finish('CONTENT_FILTER', { content: ' \n' })],
    ['parts without text', finish('content_filter', { content: [{ type: 'text', text: '' }] })],
    ['SAFETY', finish('SAFETY')],
    ['sensitive', finish('sensitive')],
    ['guardrail_intervened', finish('guardrail_intervened')],
    ['refusal', finish('refusal')],
    [
      'completions',
      json({ choices: [{ index: 0, finish_reason: 'content_filter', text: '' }] }),
      { endpoint: 'completions' },
    ],
  ]
  it.each(cases)('is refused, once, and no key is blamed: %s', async (_, answer, more) => {
    const { first, second } = await askTwice(answer, more)
    expect(first).toBeInstanceOf(CallError)
    const { message, attempts, retryable } = first as CallError
    expect(attempts).toMatchObject([{ outcome: 'refused' }])
    expect([retryable, isFiltered(attempts[0]!.status, message)]).toEqual([false, true])
    expect(message).not.toMatch(/key was refused/)
    expect(second).toMatchObject({ text: 'look' })
  })

  it.each([
    [401, 'Incorrect API key provided'],
    [403, 'You are not allowed to use this model'],
    [403, 'Your region is not supported'],
  ])('is told from a key that is refused: %i %s', async (status, said) => {
    const { first } = await askTwice(failure(status, { message: said }))
    expect((first as CallError).message).toMatch(/^The key was refused/)
    expect(isFiltered(status, said)).toBe(false)
  })

  it.each([
    ['text', { content: 'look' }, { text: 'look' }],
    ['the words of a refusal', { content: null, refusal: 'No.' }, { text: 'No.' }],
    [
      'a call',
      { content: null, tool_calls: [{ function: { name: 'look', arguments: '{}' } }] },
      { toolCalls: [{ name: 'look', arguments: '{}' }] },
    ],
  ])('is not what ends a reply with %s', async (_, message, reply) => {
    const { first } = await askTwice(finish('content_filter', message))
    expect(first).toMatchObject({ ...reply, finishReason: 'content_filter' })
  })
})
