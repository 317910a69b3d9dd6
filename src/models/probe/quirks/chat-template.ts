import * as z from 'zod'
import { askProps } from '../props.js'
import type { Quirk } from '../quirk.js'
import { sentence } from '../quirk.js'

const templates = z.object({ chat_template: z.string(), eos_token: z.string().optional().catch(undefined) })

/** What llama.cpp fills in where a model file has no template. */
const standIn =
  /^\{%-?for message in messages-?%\}\{\{-?'<\|im_start\|>'\+message\.role\+'\\?n'\+message\.content\+'<\|im_end\|>\\?n'-?\}\}\{%-?endfor-?%\}\{%-?if add_generation_prompt-?%\}\{\{-?'<\|im_start\|>assistant\\?n'-?\}\}\{%-?endif-?%\}$/

/**
 * Where the chat template of a llama.cpp server comes from. For a model file without one it fills in ChatML of its own;
 * a model that was trained on ChatML ends its turns with `<|im_end|>`.
 */
export const chatTemplate: Quirk = {
  name: 'chat template',
  async find({ model, list: { entry }, session, words: { manner } }) {
    if (entry?.['owned_by'] !== 'llamacpp' || manner.endpoint === 'completions') return undefined
    const { props, said } = await askProps(session, model, entry)
    const read = templates.safeParse(props)
    if (!read.success) return { value: 'not told', evidence: props === undefined ? said : `${said}: no chat_template` }
    const { chat_template: template, eos_token: end } = read.data
    const text = template.replaceAll(/\s*(\{[%{]-?|-?[%}]\}|\+)\s*/g, '$1').trim()
    if (standIn.test(text) && end !== undefined && end !== '<|im_end|>') {
      return {
        value: 'invented',
        evidence: `/props: llama.cpp's own ChatML, but the model ends its texts with '${end.slice(0, 40)}'`,
      }
    }
    if (template.includes('strftime_now'))
      return { value: 'dated', evidence: '/props: the template calls strftime_now' }
    return { value: 'own', evidence: '/props: no sign of a template that llama.cpp filled in' }
  },
  means: (value) =>
    sentence(
      {
        own: 'Conversations are laid out as the model file says.',
        invented:
          'The model file has no chat template, so that the model reads marks it was not trained on: play it with api: completions, or with template.',
        dated:
          "The template writes today's date into each prompt, so that runs differ by day: give extraBody: { chat_template_kwargs: { date_string: '26 Jul 2024' } }.",
        'not told': 'Look at the template of the model yourself.',
      },
      value,
    ),
}
