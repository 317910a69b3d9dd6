import { expect, it } from 'vitest'
import type { OverflowCounts } from '../../src/models/call-error.js'
import { describeBadReply, describeBreak, describeStatus, readOverflow } from '../../src/models/refusals.js'

const target = { model: 'm', shownUrl: 'http://host/v1', redact: (text: string) => text.replaceAll('s3cret', '…') }

/** Tokens of the prompt, the context and the longest prompt as far as a message tells them, and the message. */
const refusals = String.raw`
- 8192 - | context_length_exceeded, invalid_request_error, This model's maximum context length is 8192 tokens.
3000 2048 - | 400, exceed_context_size_error, n_prompt_tokens 3000, n_ctx 2048, the request exceeds the available context size
3000 2048 - | request (3000 tokens) exceeds the available context size (2048 tokens), try increasing it
4176 4096 - | This model's maximum context length is 4096 tokens. However, your request has 4176 input tokens.
5000 4096 - | The decoder prompt (length 5000) is longer than the maximum model length of 4096.
2100 2048 - | Requested tokens (2100) exceed context window of 2048
4000 4096 - | ′inputs′ tokens + ′max_new_tokens′ must be <= 4096. Given: 4000 ′inputs′ tokens and 100 ′max_new_tokens′
2000 - 1024 | Input validation error: ′inputs′ must have less than 1024 tokens. Given: 2000
160062 - 59862 | Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens). Use a shorter input or enable --allow-auto-truncate.
4900 4096 - | Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 4900 tokens from the input messages and 100 tokens for the completion.
210000 - 200000 | prompt is too long: 210000 tokens > 200000 maximum
1200000 - 1048576 | The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).
40000 32768 - | Prompt contains 40000 tokens, too large for model with 32768 maximum context length
- - - | Please reduce the length of the messages or completion.
140000 - 131072 | This model's maximum prompt length is 131072 but the request contains 140000 tokens.
10136 7866 - | Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough.
10247 4096 - | The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 10247 >= n_ctx: 4096). Try to load the model with a larger context length.
- 4096 - | Reached context length of 4096 tokens with model (arch: qwen3) that does not currently support mid-generation context overflow.
- - - | internal error happened, status code ResponseType.INPUT_LENGTH_ERROR
- - - | Context size has been exceeded.
- - 983616 | Range of input length should be [1, 983616]
- - - | Input is too long for requested model.
- 8192 - | Your request exceeded model token limit: 8192
- - - | 1261, Prompt exceeds max length
- 8192 - | Prompt length 9000 is greater than max_seq_len 8192
`
  .trim()
  .split('\n')
  .map((line): [string, OverflowCounts] => {
    const [, prompt, context, longest, said] = /^(\S+) (\S+) (\S+) \| (.*)$/.exec(line.replaceAll('′', '`'))!
    const counts = Object.entries({ promptTokens: prompt, contextTokens: context, maxPromptTokens: longest })
    return [said!, Object.fromEntries(counts.flatMap(([name, n]) => (n === '-' ? [] : [[name, Number(n)]])))]
  })

it.each(refusals)('a full context is recognised from %j', (said, overflow) => {
  expect(readOverflow(said)).toEqual(overflow)
  expect(describeStatus({ status: 400, said }, target)).toMatchObject({
    code: 'context-overflow',
    retryable: false,
    failure: { outcome: 'overflow', status: 400, overflow },
  })
})

it.each([
  'max_tokens is too large: 9000. This model supports at most 4096 completion tokens.',
  "Unsupported parameter: 'max_tokens' is not supported with this model.",
  'Rate limit reached for requests',
])('a full context is not recognised from %j', (said) => {
  expect(readOverflow(said)).toBeUndefined()
})

it.each([
  [500, 'oops', 'server-error', true, false],
  [429, 'insufficient_quota, You exceeded your current quota', 'refused', false, true],
  [402, 'no credit', 'refused', false, true],
  [401, 'token expired', 'refused', false, true],
  [404, 'no such model', 'refused', false, true],
  [308, '', 'refused', false, true],
  [400, 'Invalid value for temperature', 'refused', false, false],
  [400, "Unsupported parameter: 'max_tokens'", 'refused', false, false],
  [400, 'The dialogue is longer than this deployment takes', 'refused', false, false, true],
  [400, '输入长度超过限制', 'refused', false, false, true],
  [413, 'Payload too large', 'refused', false, false, true],
])(
  'an answer that is a failure with status %s and %j is %s',
  (status, said, outcome, retryable, decisive, full = false) => {
    const error = describeStatus({ status, said, location: 'https://s3cret/v1' }, target)
    expect(error.failure).toMatchObject({ outcome, status })
    expect(error.retryable).toBe(retryable)
    expect([error.code, error.failure.decisive ?? false]).toEqual(['model', decisive])
    // In words that are not known.
    expect(error.failure.mayBeOverflow ?? false).toBe(full)
    expect(error.message).not.toContain('s3cret')
  },
)

it('an answer that is a failure is one line of bounded length without secrets', () => {
  const { message } = describeStatus({ status: 500, said: `s3cret\n${'x'.repeat(5000)}` }, target)
  expect(message.length).toBeLessThan(700)
  expect(message).toContain('… xxx')
  expect(describeBadReply('a s3cret page', target).message).toContain("'m' with a … page.")
})

const wrapped = (code: string): Error =>
  new Error('Connection error.', { cause: Object.assign(new Error(`${code} at s3cret`), { code }) })

it.each([
  ['ECONNREFUSED', true, true, /Is the server running, and is the base URL right\?$/],
  ['ECONNRESET', true, false, /broke off: ECONNRESET at …\.$/],
  ['SELF_SIGNED_CERT_IN_CHAIN', false, true, /certificate of .* is not trusted: .* NODE_EXTRA_CA_CERTS\.$/],
])('a call that broke off by %s is classified', (code, retryable, decisive, message) => {
  const error = describeBreak(wrapped(code), target)
  expect(error.message).toMatch(message)
  expect(error).toMatchObject({ retryable, failure: { outcome: 'connection', decisive } })
})
