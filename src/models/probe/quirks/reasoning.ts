import type { Found, Quirk } from '../quirk.js'
import { sentence } from '../quirk.js'
import type { Spoken } from '../spoken.js'

/** Room for a short thought about a question that needs none. */
const thoughtTokens = 512
const question = [{ role: 'user', content: 'Reply with the one word: yes.' }] as const
/** Stop strings would end a reply inside its reasoning. */
const noStops = { stop: 0 }

/** Whether the model thinks aloud before it answers, and where that stands. */
export const reasoning: Quirk = {
  name: 'reasoning',
  async find(probed) {
    const { first, manner } = probed.words
    if (first.reasoning !== undefined) return inReply(first, first.reasoning, 'the first reply')
    if (first.text.trim() === '') {
      const finish = probed.session.target.redact(first.finish).slice(0, 40)
      const evidence = `the first reply is empty (finish reason '${finish}')`
      return { value: 'hidden', evidence, traits: noStops }
    }
    const none = { value: 'none', evidence: 'the first reply is text alone' }
    if (first.finish !== 'length' || manner.endpoint !== 'chat') return none
    // A template may open the reasoning, and the first reply be too short to close it.
    const longer = await probed.speak({ messages: question, extra: { [manner.maxTokensField]: thoughtTokens } })
    if (longer.kind !== 'spoken' || longer.spoken.reasoning === undefined) return none
    return inReply(longer.spoken, longer.spoken.reasoning, `a reply of up to ${String(thoughtTokens)} tokens`)
  },
  means: (value) =>
    value === 'none'
      ? 'Replies are read as they come.'
      : sentence(
          {
            hidden: 'It says nothing within a few tokens: give --max-tokens room for what is thought unseen.',
            think: 'Reasoning is kept and cut off before the action is read: give --max-tokens room for it.',
            reasoning_content: 'Reasoning is kept apart from the action: give --max-tokens room for it.',
            reasoning: 'Reasoning is kept apart from the action: give --max-tokens room for it.',
          },
          value,
        ),
}

function inReply({ text }: Spoken, value: NonNullable<Spoken['reasoning']>, reply: string): Found {
  if (value !== 'think') return { value, evidence: `${reply} has the field ${value}`, traits: noStops }
  if (text.includes('<think>')) return { value, evidence: `${reply} has <think> in the text`, traits: noStops }
  const evidence = `${reply} closes reasoning in the text that the chat template opened`
  return { value, evidence, traits: { ...noStops, reasoning: 'opened' } }
}
