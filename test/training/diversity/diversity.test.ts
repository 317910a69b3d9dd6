import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { readThoughts, thoughtIn } from '../../../src/training/diversity/read-thoughts.js'
import { keyOf, tfIdf, sampleThoughts, spreadOf } from '../../../src/training/diversity/thoughts.js'
import { scratchFolder } from '../../scratch.js'

const folder = scratchFolder()

describe('the thought in a reply', () => {
  it.each([
    ['Thought: I go.\nAction: go to desk 1', 'I go.'],
    ['THOUGHT: I look\naround.\n\nACTION:\nlook', 'I look\naround.'],
    ['<think>I go.</think><action>go to desk 1</action>', 'I go.'],
    ['<think>I go.</think>\nAction: go to desk 1', 'I go.'],
    ['I should go there.\nAction: go to desk 1', 'I should go there.'],
    ['Thought: \nAction: look', ''],
    ['Think: I go.', 'I go.'],
    ['go to desk 1', ''],
  ])('of %j', (reply, thought) => {
    expect(thoughtIn(reply)).toBe(thought)
  })

  it('is read of a Player, and not of replies that only confirm', () => {
    const write = (name: string, value: unknown): string => {
      writeFileSync(join(folder, name), JSON.stringify(value))
      return join(folder, name)
    }
    const dm = { role: 'DM', Thought: '', parameter_error: false, place_error: false, logic_error: false }
    const scripted = write('player.json', [
      { ...dm, turn: 0, Observation: 'A desk.' },
      { turn: 1, role: 'Player', Thought: 'The desk may have it.', Action: 'open desk 1' },
      { ...dm, turn: 2, Observation: 'It is open.' },
    ])
    const chat = write('chat.json', [
      {
        id: 'a',
        conversations: [
          { from: 'human', value: 'You can go.' },
          { from: 'gpt', value: 'Ok.', loss: false },
          { from: 'human', value: 'A room.' },
          { from: 'gpt', value: 'Thought: I go.\nAction: go to desk 1', loss: true },
        ],
      },
      { id: 'b', conversations: [{ from: 'gpt', value: 'go' }] },
    ])
    expect(readThoughts(scripted).trajectories).toEqual([['The desk may have it.']])
    expect(readThoughts(chat)).toEqual({ name: 'chat', rows: 2, silent: 1, trajectories: [['I go.']] })
  })
})

describe('tfIdf', () => {
  it('weighs words by (1 + ln f) (ln((1 + n) / (1 + d)) + 1), with all numbers as one word', () => {
    const [first, second, third] = tfIdf(['Go, go to desk 1!', 'take desk 22', '…'])
    const rare = Math.log(4 / 2) + 1
    const both = Math.log(4 / 3) + 1
    const weights = [both, both, (1 + Math.LN2) * rare, rare]
    const length = Math.hypot(...weights)
    const expected = weights.map((weight) => weight / length).sort((a, b) => a - b)
    const found = [...first!.values].sort((a, b) => a - b)
    found.forEach((value, place) => {
      expect(value).toBeCloseTo(expected[place]!, 12)
    })
    expect(second!.values).toHaveLength(3)
    expect(third).toBeUndefined()
    expect(keyOf('Drawer 10 is open.')).toBe(keyOf('drawer 3 is OPEN'))
  })
})

describe('spreadOf', () => {
  const random = createRandom('0')
  const options = { resamples: 60, random }
  const group = (name: string, texts: (at: number) => string, count: number) => ({
    name,
    trajectories: Array.from({ length: count }, (_, at) => [texts(3 * at), texts(3 * at + 1), texts(3 * at + 2)]),
  })
  const words = Array.from({ length: 60 }, (_, at) =>
    String.fromCharCode(97 + (at % 26)).repeat(1 + Math.floor(at / 26)),
  )
  const groups = [
    group('same', () => 'I go on with the task', 40),
    group('varied', (at) => `${words[at % 60]!} ${words[(at * 7) % 60]!} ${words[(at * 11) % 60]!}`, 60),
    { name: 'silent', trajectories: [] },
  ]

  it('takes samples of one size, and tells varied thoughts from equal ones', () => {
    const { size, samples } = sampleThoughts(groups, 5000, random)
    expect([size, ...samples.map(({ length }) => length)]).toEqual([120, 120, 120, 0])
    const vectors = tfIdf(samples.flat().map(({ text }) => text)).map((vector) => vector!)
    const same = spreadOf(samples[0]!, vectors.slice(0, 120), options)
    const varied = spreadOf(samples[1]!, vectors.slice(120), options)
    expect(same.distinct).toBe(1 / 120)
    expect(same.cosine!.value).toBeCloseTo(1, 12)
    expect(same.cosine!.low).toBeUndefined()
    expect(same.logDeterminant!.value).toBeCloseTo(Math.log(61) / 60, 9)
    expect(same.clusters).toEqual({ count: 1, effective: 1 })
    expect(varied.cosine!.high).toBeLessThan(0.2)
    expect(varied.cosine!.low).toBeLessThan(varied.cosine!.value)
    expect(varied.logDeterminant!.low).toBeGreaterThan(0.4)
    expect(varied.clusters!.effective).toBeGreaterThan(3)
    expect(spreadOf([], [], options)).toEqual({ sampled: 0, trajectories: 0 })
  })
})
