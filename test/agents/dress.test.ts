import { describe, expect, it } from 'vitest'
import { findAgent } from '../../src/agents/index.js'
import { plainText } from '../../src/agents/_dress.js'
import { cutInventedTurns } from '../../src/agents/_turns.js'
import { briefing } from './briefing-fixture.js'

const open = (agent: string) => findAgent(agent).begin(briefing, 'A room.')
const action = 'go to bed 1'
const thought = 'I look.'

describe('a reply in ornaments', () => {
  it.each([
    ['a fence behind the label', `Thought: I look.\nAction:\n\`\`\`\n${action}\n\`\`\``],
    ['a fence on the line of the label', `Thought: I look.\nAction: \`\`\`\n${action}\n\`\`\``],
    ['typographic quotes', `Thought: I look.\nAction: “${action}”`],
    ['no-break spaces', `Thought:\u00a0I look.\nAction:\u00a0go\u00a0to\u202fbed\u30001`],
    ['zero-width characters', `\ufeffThought: I look.\n\u200bAct\u200dion: go\u2060 to bed 1\u200b`],
    ['colons of full width', `Thought：I look.\nAction：${action}`],
    ['line separators', `Thought: I look.\u2028Action: ${action}\u0085`],
    ['the action on the line of the thought', `Thought: I look. Action: ${action}`],
  ])('is read as without them by react: %s', (_, reply) => {
    expect(open('react').read(reply)).toEqual({ action, thought })
  })

  it.each([
    ['tagged', `<think>I look.</think><action>“go\u00a0to bed 1”</action>`, { action, thought }],
    ['tagged', `<think>I look.</think><action>\n\`\`\`\n${action}\n\`\`\`\n</action>`, { action, thought }],
    ['react:react', `“go\u00a0to bed 1”`, { action }],
    ['react:react', `> go to bed 1\u200b`, { action }],
    ['tools', `Action:\n\`\`\`\n${action}\n\`\`\``, { action, formatError: 'no function was called' }],
  ])('is read as without them by %s: %j', (agent, reply, reading) => {
    expect(open(agent).read(reply)).toEqual(reading)
  })

  it('is left as it is by the parsers of AgentBoard', () => {
    expect(open('act').read('Action: “look”')).toEqual({ action: '“look”' })
    expect(open('act').read('go\u00a0to bed 1')).toEqual({ action: 'go\u00a0to bed 1' })
    expect(open('react:agentboard').read('Action: “look”')).toEqual({ action: '“look”' })
    expect(open('react:agentboard').read('Think: I look. Action: go')).toMatchObject({ action: undefined })
  })
})

describe('turns that a model invents', () => {
  const own = `Thought: I look.\nAction: ${action}`
  it('end the reply, in the history too', () => {
    const conversation = open('react')
    const invented = '\nHuman: Observation: You see a mug.\nThought: Now.\nAction: take mug 1'
    expect(conversation.read(own + invented)).toEqual({ action, thought, actionEnded: true })
    conversation.observe(action, 'A bed.')
    expect(conversation.messages().at(-2)).toEqual({ role: 'assistant', content: own })
  })

  it.each([
    ['<|im_start|>assistant\nThought: I look.\nAction: go to bed 1', own],
    ['Assistant: Thought: I look.\nAction: go to bed 1', own],
    ['<s><|assistant|>\nThought: I look.\nAction: go to bed 1', `\n${own}`],
  ])('are not the turn that the model opens once more: %j', (reply, text) => {
    expect(cutInventedTurns(reply)).toBe(text)
    expect(open('react').read(reply)).toEqual({ action, thought })
  })
})

it.each(['\n', 'Thought: *', 'a: ```  ', '<|end', '\nthe new ', '<s>a'])(
  'a long text of %j is read quickly',
  (piece) => {
    const text = piece.repeat(200_000 / piece.length)
    const started = performance.now()
    for (const reply of [text, `Action: look ${text}`, `Action: look\n${text}`, `Thought: ${text}x`]) {
      plainText(reply)
      cutInventedTurns(reply)
    }
    expect(performance.now() - started).toBeLessThan(20_000)
  },
)
