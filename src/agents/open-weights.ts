import * as z from 'zod'
import type { Agent } from '../core/agent.js'
import { hashOf } from '../core/episode.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import { readJson } from '../files/read-json.js'
import type { AgentOption } from './_agent-options.js'
import { readAgentOptions } from './_agent-options.js'
import { act } from './act.js'
import { pythonStrip, readAgentBoardAction } from './agentboard-parser.js'

const options = {
  client: { example: 'client=open-weights', expected: "'api' or 'open-weights'", accepts: /^(?:api|open-weights)$/ },
  templates: { example: 'templates=open_weights_templates.json', expected: 'the path of a file', accepts: /./ },
  family: { example: 'family=vicuna', expected: 'the name of a model family', accepts: /^[\w.-]{1,100}$/ },
} satisfies Record<string, AgentOption>

/** AgentBoard's `llm/vllm.py` adds this to every system text. */
const reminder =
  'Generate your next step of action after Action. Action must not be empty. e.g. Action: put down cup. \n'

/**
 * `act` with either of AgentBoard's clients. `api` (the default) is its client for hosted models such as GPT.
 * `open-weights` is that for open-weights models: a reminder follows the system text and no stop string is sent, so
 * that replies have several lines, up to the limit of tokens (100 in AgentBoard). With `templates` system text and
 * prompt are filled into the template of the model's family, stripped, and sent as one text over completions. Replies
 * of the family `vicuna` have `_` for `\_`.
 * @param text the options after the name: `client=open-weights:templates=FILE:family=llama`
 * @throws ShaketableError `usage` for options that cannot be used, `bad-input` for a file that cannot be used
 */
export function createAct(text: string): Agent {
  const { client = 'api', templates, family } = readAgentOptions('act', text, options)
  if (client === 'api' && (templates ?? family) !== undefined) {
    throw unusable("the options 'templates' and 'family' of the agent 'act' only with 'client=open-weights'")
  }
  if (client === 'api') return act
  if (templates === undefined && family !== undefined && family !== 'vicuna') {
    throw unusable(
      `'templates' with the family '${family}': without templates only 'vicuna' changes how replies are read`,
    )
  }
  if (templates !== undefined && family === undefined) {
    throw unusable("'family' with 'templates', as in 'act:client=open-weights:templates=FILE:family=llama'")
  }
  const template = templates === undefined ? undefined : readTemplate(templates, family!)
  const label = [
    'act',
    'client=open-weights',
    ...(template ? ['templates'] : []),
    ...(family ? [`family=${family}`] : []),
  ]
  return {
    ...act,
    name: label.join(':'),
    summary: "actions only, as AgentBoard's client for open weights asks for them: a reminder, no stop string",
    source: 'AgentBoard, VanillaAgent with llm/vllm.py',
    settings: {
      ...act.settings,
      client,
      ...(family && { family }),
      ...(template && { template: hashOf(template, 16) }),
    },
    stop: [],
    takesLayouts: false,
    ...(template !== undefined && { endpoint: 'completions' }),
    begin(briefing, opening) {
      const conversation = act.begin({ ...briefing, system: briefing.system + reminder }, opening)
      return {
        ...conversation,
        messages() {
          const messages = conversation.messages()
          if (template === undefined) return messages
          return [{ role: 'user', content: fill(template, messages[0]!.content, messages[1]!.content) }]
        },
        read(reply) {
          const said = family === 'vicuna' ? reply.replaceAll('\\_', '_') : reply
          const reading = conversation.read(said)
          // More text after the reply would not change the action, unless the reply ends in the middle of it.
          const actionEnded = readAgentBoardAction(`${said}x`) === reading.action
          return { ...reading, ...(actionEnded && { actionEnded }) }
        },
      }
    },
  }
}

const file = z.object({ templates: z.record(z.string(), z.string()) })
const advice =
  'Give a JSON file with the template of each model family: {"templates": {"llama": "…{system_prompt}…{prompt}…"}}.'
const slot = /\{\{|\}\}|\{(system_prompt|prompt)\}/g

/** The template of a family, with the slots of Python's `str.format`. */
function readTemplate(path: string, family: string): string {
  const wrong = (what: string): ShaketableError => new ShaketableError('bad-input', `${path}: ${what}. ${advice}`)
  const read = file.safeParse(readJson('The template file', path, advice))
  if (!read.success) throw wrong(`expected templates by model family, got ${read.error.issues[0]!.message}`)
  const { templates } = read.data
  if (!Object.hasOwn(templates, family)) {
    throw new ShaketableError('usage', `${path}: ${unknownName('model family', family, Object.keys(templates))}`)
  }
  const template = templates[family]!
  const slots = [...template.matchAll(slot)].map(([, name]) => name)
  if (!slots.includes('system_prompt') || !slots.includes('prompt') || /[{}]/.test(template.replaceAll(slot, ''))) {
    throw wrong(`the template '${family}' should have the slots {system_prompt} and {prompt} and no others`)
  }
  return template
}

/** As Python's `str.format` and then `str.strip` do it. */
function fill(template: string, system: string, prompt: string): string {
  return pythonStrip(
    template.replaceAll(slot, (piece, name?: string) =>
      name === undefined ? piece.charAt(0) : name === 'prompt' ? prompt : system,
    ),
  )
}

function unusable(expected: string): ShaketableError {
  return new ShaketableError('usage', `Expected ${expected}. See docs/agents.md.`)
}
