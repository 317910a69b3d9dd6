const words = [
  String.raw`content[ _-]?(?:filter|polic|management|moderat|inspect|safety|secur|exists risk)`,
  String.raw`(?:data|input|output)[ _-]?inspection`,
  'responsible[ _-]?ai|moderat(?:ion|ed)|guardrail|prohibited.content|flagged',
  String.raw`(?:usage|use|safety|content) (?:polic|guideline|system|filter|setting)|safety.?check`,
  '(?:sensitive|inappropriate|unsafe|harmful) (?:content|information|material)|considered high risk',
  '(?:prompt|input|request|content) (?:was |has been |is )?(?:blocked|filtered)',
  '敏感|不安全|违规|审核',
]
const filtered = new RegExp(words.join('|'), 'i')

/** Finish reasons of a reply that a filter has withheld: OpenAI, Gemini, Bedrock, Zhipu, Anthropic. */
const withheld = /content.?filter|safety|prohibited|blocklist|^spii$|sensitive|guardrail|moderat|flagged|^refus/i

/**
 * Whether a refusal is that of a content filter, by what servers say of theirs. All else that is refused, such as a name
 * or a parameter, the user may put right.
 */
export function isFiltered(status: number | undefined, said = ''): boolean {
  return status === 451 || ([400, 403, 422].includes(status ?? 0) && speaksOfFilter(said))
}

/** Whether an error is about what a content filter refuses. */
export function speaksOfFilter(said: string): boolean {
  return filtered.test(said)
}

/** Whether a finish reason says that a filter has withheld the reply. */
export function isWithheld(finishReason: unknown): finishReason is string {
  return typeof finishReason === 'string' && withheld.test(finishReason)
}
