import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findAgent } from '../../src/agents/index.js'
import { cutInventedTurns } from '../../src/agents/_turns.js'
import { briefing } from './briefing-fixture.js'

const action = 'go to bed 1'
const thought = 'I look.'
const react = `Thought: I look.\nAction: ${action}`
const tagged = `<think>I look.</think>\n<action>${action}</action>`
const open = (agent: string) => findAgent(agent).begin(briefing, 'A room.')

/** What models write behind their own action before they act again, and replies that stay as they are. */
const { headings, observations, marks, thoughts, endings, actions } = JSON.parse(
  readFileSync(new URL('turns.json', import.meta.url), 'utf8'),
) as Record<'headings' | 'observations' | 'marks' | 'thoughts' | 'endings' | 'actions', readonly string[]>

const invented = [
  ...headings.map((heading) => `\n\n${heading}\nYou see a mug.\n\nAction: take mug 1`),
  ...headings
    .filter((heading) => /[^\p{L}\d]$/u.test(heading))
    .map((heading) => `\n${heading} You see a mug.\nThought: Now.\nAction: take mug 1`),
  ...observations.map((text) => `\n${text}\nThought: Now.\nAction: take mug 1`),
  ...marks.map((mark) => `${mark}You see a mug.\nAction: take mug 1`),
  ...marks.map((mark) => `\n${mark}\nAction: take mug 1`),
  ' Observation: You see a mug.\nAction: take mug 1',
]

describe('turns that a model invents', () => {
  it.each(invented)('end the reply of react: %j', (text) => {
    expect(open('react').read(react + text)).toEqual({ action, thought, actionEnded: true })
  })

  it.each(invented)('end a reply in tags: %j', (text) => {
    const again = text.replace('Action: take mug 1', '<action>take mug 1</action>')
    expect(open('tagged').read(tagged + again)).toEqual({ action, thought, actionEnded: true })
  })
})

const ordinary = [
  ...thoughts.map((text) => `Thought: ${text}\nAction: ${action}`),
  ...endings.map((text) => `${react}${text}`),
  ...actions.map((text) => `Thought: I look.\nAction: ${text}`),
  ...actions.map((text) => `<think>I look.</think><action>${text}</action>`),
  `Thought: I look.\nAction:\n${action}`,
  `Thought:\nI look.\n\nAction:\n\`\`\`\n${action}\n\`\`\``,
  `Step 1:\nThought: I look.\nAction: ${action}`,
  `Assistant's thought: I look.\nAction: ${action}`,
  action,
  'You see: nothing.',
]

describe('what is no turn of others', () => {
  it.each(ordinary)('stays: %j', (reply) => {
    expect(cutInventedTurns(reply)).toBe(reply)
  })
})
