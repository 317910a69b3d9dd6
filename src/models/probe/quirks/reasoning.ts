import type { Quirk } from '../quirk.js'
import { sentence } from '../quirk.js'

/** Whether the model thinks aloud before it answers, and where that stands. */
export const reasoning: Quirk = {
  name: 'reasoning',
  find({ words: { first }, session }) {
    if (first.reasoning !== undefined) {
      const place = first.reasoning === 'think' ? '<think> in the text' : `the field ${first.reasoning}`
      return { value: first.reasoning, evidence: `the first reply has ${place}` }
    }
    if (first.text.trim() === '') {
      const finish = session.target.redact(first.finish).slice(0, 40)
      return { value: 'hidden', evidence: `the first reply is empty (finish reason '${finish}')` }
    }
    return { value: 'none', evidence: 'the first reply is text alone' }
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
