import type { OverflowCounts } from '../core/errors.js'

/**
 * Errors of servers when prompt and reply do not fit the context, in lower case: OpenAI, llama.cpp's server, vLLM,
 * llama-cpp-python, TGI, SGLang, TensorRT-LLM, LM Studio, lmdeploy, Anthropic, Gemini, Mistral, Groq, xAI, Ollama,
 * DashScope, Bedrock, Moonshot, Z.ai and tabbyAPI.
 */
const spellings = [
  /context_length_exceeded|exceed_context_size|context_window_exceeded|model_max_prompt_tokens_exceeded/,
  /(?:maximum|max|model'?s?) (?:allowed )?context (?:length|size|window)/,
  /exceeds? (?:the )?(?:available |maximum |model'?s? )*context/,
  /longer than the (?:model'?s? context length|maximum model length)/,
  /greater than the context length|context window of \d+/,
  /keep the first \d+ tokens when (?:the )?context|reached context length of \d+/,
  /max_tokens must be at least 1, got -\d+/,
  /prompt (?:is )?too long|maximum prompt length is \d+|too many (?:input )?tokens/,
  /`inputs` (?:tokens \+ `max_new_tokens` must be|must have less than \d+ tokens)/,
  /input (?:token count|length) .{0,40}exceeds the maximum/,
  /exceeds? (?:the )?(?:limit of )?max_(?:seq|input|model)_len/,
  /reduce the length of (?:the|your) (?:messages|prompt|input)/,
  /responsetype\.input_length_error/,
  /context (?:size|length|window) (?:has been|was|is) exceeded/,
  /range of input length should be \[\d/,
  /(?:input|prompt) (?:is )?too long for|(?:input|prompt) exceeds (?:the )?max(?:imum)? length/,
  /exceeded model token limit/,
  /greater than (?:the )?max_seq_len/,
]

const number = String.raw`(\d[\d,]{0,12})`

/** The numbers in those errors, in lower case. The first match counts. */
const numbers: Readonly<Record<keyof OverflowCounts, readonly RegExp[]>> = {
  promptTokens: [
    new RegExp(`n_prompt_tokens\\D{1,3}${number}`),
    new RegExp(`\\(${number} in (?:the|your) (?:messages|prompt)`),
    new RegExp(`${number} (?:tokens from the )?input (?:messages|tokens)`),
    new RegExp(`(?:request|input|input length|input token count|requested tokens) \\(${number}`),
    new RegExp(
      `(?:given:|messages resulted in|(?:prompt|request) contains|keep the first|n_keep:|too long:) ${number}`,
    ),
    new RegExp(`\\(length ${number}`),
  ],
  contextTokens: [
    new RegExp(`n_ctx\\D{1,3}${number}`),
    new RegExp(`context (?:length|size|window)(?: is| of| only|:| =)* ?\\(?${number}`),
    new RegExp(`${number} maximum context length`),
    new RegExp(`maximum model length of ${number}`),
    new RegExp(`exceeded model token limit: ?${number}`),
    new RegExp(`max_seq_len\\D{1,12}${number}`),
    new RegExp('`max_new_tokens` must be <= ' + number),
  ],
  maxPromptTokens: [
    new RegExp(`must have less than ${number} tokens`),
    new RegExp(`maximum (?:prompt length is|allowed length \\(|number of tokens allowed \\() ?${number}`),
    new RegExp(`tokens > ${number} maximum`),
    new RegExp(`input length should be \\[\\d{1,3}, ?${number}\\]`),
  ],
}

/** Reads the token counts of an error about a conversation that is too long; undefined for any other error. */
export function readOverflow(message: string): OverflowCounts | undefined {
  const text = message.toLowerCase()
  if (!spellings.some((spelling) => spelling.test(text))) return undefined
  const counts: { -readonly [name in keyof OverflowCounts]: OverflowCounts[name] } = {}
  for (const name of Object.keys(numbers) as (keyof OverflowCounts)[]) {
    const digits = numbers[name].map((place) => place.exec(text)?.[1]).find((found) => found !== undefined)
    const count = Number(digits?.replaceAll(',', ''))
    if (Number.isSafeInteger(count) && count > 0) counts[name] = count
  }
  return counts
}

/** Whether a refusal speaks of what may be too long, in words that are not known: a shorter prompt may then do. */
export function mayBeOverflow(status: number, message: string): boolean {
  return (
    [400, 413, 422].includes(status) &&
    /\b(?:length|long|longer|shorten|context|tokens?|too (?:large|big|many)|exceed(?:s|ed|ing)?|window|n_ctx|max_(?:model_len|seq_len|length|input|context)\w{0,20}|kv cache)\b|长度|过长|上下文/i.test(
      message,
    )
  )
}
