import type { Answered, Said } from './conversation.js'
import { isSame } from './events.js'
import { isObject } from './tools.js'
import { callsOf, placeCalls, placeTexts, textsOf } from './wire.js'

type Json = Readonly<Record<string, unknown>>

/** A reply that is one JSON object, with what was said in each choice translated. */
export function translateReply(
  body: Json,
  answer: (said: Said) => Answered,
): { readonly body: Json; readonly answered: readonly Answered[]; readonly isChanged: boolean } {
  const answered: Answered[] = []
  let isChanged = false
  const choices = Array.isArray(body.choices) ? (body.choices as unknown[]) : []
  const translated = choices.map((choice) => {
    if (!isObject(choice)) return choice
    const message = isObject(choice.message) ? choice.message : undefined
    const text = message === undefined ? choice.text : textsOf(message.content).join('')
    const said = { text: typeof text === 'string' ? text : '', calls: callsOf(message?.tool_calls) }
    const one = answer(said)
    answered.push(one)
    if (isSame({ said, answered: one })) return choice
    isChanged = true
    const bare = 'logprobs' in choice ? { ...choice, logprobs: null } : choice
    if (message === undefined) return { ...bare, text: one.text }
    const parts = textsOf(message.content)
    const content =
      parts.length === 0 ? message.content : placeTexts(message.content, [one.text, ...parts.slice(1).map(() => '')])
    const calls = one.calls.length > 0 && { tool_calls: placeCalls(message.tool_calls, one.calls) }
    return { ...bare, message: { ...message, content, ...calls } }
  })
  return { body: { ...body, choices: translated }, answered, isChanged }
}
