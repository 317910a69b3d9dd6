import type { Asking, Failed, Session } from './session.js'
import type { Spoken } from './spoken.js'
import { readSpoken } from './spoken.js'

/** A message of a probe. */
export interface ProbeMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** How a model behind a server can be talked to at all; found out with the first call. */
export interface Manner {
  readonly endpoint: 'chat' | 'completions'
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  readonly maxTokens: number
  /** Whether temperature 0 is taken; otherwise none is sent. */
  readonly greedy: boolean
}

/** What came of asking a model to speak. */
export type Heard = { readonly kind: 'spoken'; readonly spoken: Spoken } | Failed

/** A request as small as they come, with whatever is being tried. */
export interface Words {
  readonly messages?: readonly ProbeMessage[]
  readonly extra?: Readonly<Record<string, unknown>>
  readonly how?: Asking
}

/** Long enough that two samples of it differ, short enough to cost nothing. */
export const opening: readonly ProbeMessage[] = [{ role: 'user', content: 'Write one short sentence about a kitchen.' }]

/** Asks a model to speak. */
export async function speak(
  session: Session,
  model: string,
  { endpoint, maxTokensField, maxTokens, greedy }: Manner,
  { messages = opening, extra = {}, how }: Words = {},
): Promise<Heard> {
  const limits = { [maxTokensField]: maxTokens, ...(greedy && { temperature: 0 }) }
  const answer =
    endpoint === 'chat'
      ? await session.ask('/chat/completions', readSpoken, { model, messages, ...limits, ...extra }, how)
      : await session.ask('/completions', readSpoken, { model, prompt: asText(messages), ...limits, ...extra }, how)
  return answer.kind === 'answered' ? { kind: 'spoken', spoken: answer.value } : answer
}

function asText(messages: readonly ProbeMessage[]): string {
  return messages.map(({ content }) => content).join('\n')
}
