import * as z from 'zod'
import { countingPaths, readCount } from '../../count-tokens.js'
import type { Quirk } from '../quirk.js'
import { sentence } from '../quirk.js'
import { sayFailed } from '../session.js'
import { opening } from '../speak.js'

const template = z.object({ prompt: z.string().min(1) })
const { content } = opening[0]!

/** Whether the server counts the tokens of a prompt, as vLLM and llama.cpp do beside the paths of OpenAI. */
export const tokenCount: Quirk = {
  name: 'token count',
  async find({ session, model, words }) {
    const asked = { model, prompt: content, content, add_special: true }
    const answer = await session.ask(countingPaths.tokenize, readCount, asked)
    if (answer.kind === 'refused') return { value: 'none', evidence: sayFailed(answer) }
    if (answer.kind !== 'answered') return { value: 'unknown', evidence: answer.said }
    const { count, by } = answer.value
    const evidence = `${String(count)} tokens in ${String(content.length)} characters`
    if (count < 1 || count > 4 * content.length) return { value: 'none', evidence }
    if (by === 'llama.cpp' && words.manner.endpoint === 'chat') {
      const laidOut = await session.ask(countingPaths.template, (json) => template.safeParse(json).data, {
        messages: opening,
      })
      if (laidOut.kind !== 'answered') return { value: 'none', evidence: `${evidence}, but no /apply-template` }
    }
    return { value: by, evidence, traits: { tokenizer: by } }
  },
  means: (value) =>
    value === 'vllm' || value === 'llama.cpp'
      ? 'A prompt is counted by the server where an estimate leaves open whether it fits the context.'
      : sentence({ none: 'The length of prompts is told from the usage of replies.' }, value),
}
