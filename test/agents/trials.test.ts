import { describe, expect, it } from 'vitest'
import { findAgent } from '../../src/agents/index.js'
import type { Briefing } from '../../src/core/environment.js'
import { briefing } from './briefing-fixture.js'

const layouts = ['act', 'react', 'react:agentboard', 'react:react', 'tagged', 'tools']

describe('an agent with several trials', () => {
  it.each([
    ['reflexion', 'reflexion', 10, 'act'],
    ['reflexion:trials=10:agent=act', 'reflexion', 10, 'act'],
    ['reflexion:trials=3:agent=react', 'reflexion:trials=3:agent=react', 3, 'react'],
    ['reflexion:trials=3:agent=react:agentboard', 'reflexion:trials=3:agent=react:agentboard', 3, 'react:agentboard'],
    ['best-of-n', 'best-of-n', 10, 'act'],
    ['best-of-n:n=2:agent=tools', 'best-of-n:n=2:agent=tools', 2, 'tools'],
  ])('%s is called %s', (spec, name, most, inner) => {
    const agent = findAgent(spec)
    expect(agent).toMatchObject({ name, trials: { most }, settings: { agent: inner, trials: { most } } })
    expect(agent.settings['agentSettings']).toBe(findAgent(inner).settings)
    expect(findAgent(agent.name)).toEqual({ ...agent, trials: expect.objectContaining({ most }) })
  })

  it.each([
    ['reflexion:n=3', 'from 2 to 100'],
    ['reflexion:trials=1', 'from 2 to 100'],
    ['reflexion:agent=', 'from 2 to 100'],
    ['reflexion:agent=reakt', "Did you mean 'react'?"],
    ['best-of-n:agent=reflexion', 'plays a task once'],
    ['toString:n=1', 'Unknown agent'],
  ])('refuses %s', (spec, message) => {
    expect(() => findAgent(spec)).toThrow(message)
  })

  it.each(layouts)('has %s put reflections between the examples and the goal, and change nothing else', (name) => {
    const agent = findAgent(name)
    const text = (given: Briefing): string => agent.begin(given, 'A room.').messages()[1]!.content
    const memory = ['look under the bed', 'ask'].map((text, index) => ({ trial: index + 2, text }))
    const block =
      '\nHere is what you planned after earlier trials at this task:\nTrial 2: look under the bed\nTrial 3: ask\n'
    const remembering = text({ ...briefing, memory })
    expect(remembering.replace(block, '')).toBe(text(briefing))
    expect(remembering.indexOf(block)).toBeGreaterThan(remembering.indexOf('book 1 from shelf 1'))
    expect(remembering.indexOf(block)).toBeLessThan(remembering.indexOf('put some pen in bed'))
    expect(text({ ...briefing, memory: [] })).toBe(text(briefing))
  })
})
