import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TrainingRow } from '../../../src/training/data-filter.js'
import { createRandom } from '../../../src/core/random.js'
import { countActions } from '../../../src/training/diversity/environments.js'
import { readReply } from '../../../src/training/diversity/read-reply.js'
import type { Source } from '../../../src/training/diversity/sources.js'
import { openSources } from '../../../src/training/diversity/sources.js'
import { keyOf, tfIdf, sampleThoughts, spreadOf } from '../../../src/training/diversity/thoughts.js'
import { readRun } from '../../../src/run/store/read-run.js'
import { scratchFolder } from '../../scratch.js'

describe('readReply', () => {
  it.each([
    ['Thought: I go.\nAction: go to desk 1', { thought: 'I go.', action: 'go to desk 1' }],
    ['THOUGHT: I look\naround.\n\nACTION:\nlook', { thought: 'I look\naround.', action: 'look' }],
    ['<think>I go.</think><action>go to desk 1</action>', { thought: 'I go.', action: 'go to desk 1' }],
    ['<think>I go.</think>\nAction: go to desk 1', { thought: 'I go.', action: 'go to desk 1' }],
    ['I should go there.\nAction: go to desk 1', { thought: 'I should go there.', action: 'go to desk 1' }],
    ['Thought: \nAction: look', { thought: '', action: 'look' }],
    ['Think: I go.', { thought: 'I go.' }],
    ['go to desk 1', { thought: '', action: 'go to desk 1' }],
    ['Action: go to desk 1', { thought: '', action: 'go to desk 1' }],
  ])('reads %j', (reply, expected) => {
    expect(readReply(reply)).toEqual(expected)
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

describe('openSources', () => {
  const folder = scratchFolder()
  const write = (name: string, value: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(value))
    return join(folder, name)
  }

  it('reads the thoughts of a Player, and leaves replies that only confirm out', () => {
    const dm = { role: 'DM', Thought: '', parameter_error: false, place_error: false, logic_error: false }
    const scripted = write('player.json', [
      [
        { ...dm, turn: 0, Observation: 'A desk.' },
        { turn: 1, role: 'Player', Thought: 'The desk may have it.', Action: 'open desk 1' },
        { ...dm, turn: 2, Observation: 'It is open.' },
      ],
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
    ])
    const [player, rows] = openSources([scripted, chat], readRun).map((source) => [...source.rows()])
    expect(player!.map(({ thoughts }) => thoughts)).toEqual([['The desk may have it.']])
    expect(rows!.map(({ thoughts }) => thoughts)).toEqual([['I go.']])
    expect(rows![0]!.row.turns.map(({ text }) => text)).not.toContain('Ok.')
  })
})

describe('countActions', () => {
  const user = (text: string) => ({ role: 'user', text }) as const
  const says = (text: string, loss = true) => ({ role: 'assistant', text, loss }) as const
  const prompt = [
    'You can use these actions:',
    '- "take {obj} from {recep}": to take it',
    '- "open {recep}"',
    'Your task is to: put a mug on the desk.',
    'You see a drawer 1.',
  ].join('\n')
  const source = (...rows: readonly TrainingRow[]): Source => ({
    name: 'made',
    path: 'made.jsonl',
    kind: 'data',
    rows: () => rows.map((row) => ({ row, thoughts: [] })),
  })
  const row: TrainingRow = {
    turns: [
      user(prompt),
      says('Thought: x\nAction: take mug 1 from drawer 1'),
      user('ok'),
      says('Action: grab mug 1', false),
      user('no'),
      says('Action: take mug 2 from drawer 10'),
      user('ok'),
      says('Action: open the red box'),
      user('ok'),
      says('Action: look'),
    ],
  }
  const evaluation = [
    { environment: 'kitchen', templates: ['take {obj} from {recep}', 'look', 'cook {obj}'], names: ['mug 1', 'pan 3'] },
    { environment: 'elsewhere' },
  ]
  const counted = countActions(source(row, row), evaluation, (_, { file }) =>
    file === 'made.jsonl' ? { rule: 'file', environment: 'kitchen', evidence: file } : undefined,
  )

  it('reads forms by names and by the prompt, items without numbers, and no wrong turns', () => {
    expect(Object.fromEntries(counted.forms)).toEqual({ 'take {} from {}': 4, 'open {}': 2, look: 2 })
    expect(Object.fromEntries(counted.items)).toEqual({ mug: 4, drawer: 4, 'the red box': 2 })
    expect(Object.fromEntries(counted.verbs)).toEqual({ take: 4, open: 2, look: 2 })
    expect(counted).toMatchObject({ rows: 2, actions: 8, wrong: 2, dropped: 2 })
  })

  it('shares different forms and items with the evaluation', () => {
    expect(counted.overlaps).toEqual([
      { environment: 'kitchen', verbs: 2 / 3, items: 1 / 3, forms: 2 / 3, dropped: 2 },
      { environment: 'elsewhere', dropped: 0 },
    ])
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
    expect(spreadOf(samples[1]!, vectors.slice(120), { resamples: 60, random: createRandom('0') })).toEqual(
      spreadOf(samples[1]!, vectors.slice(120), { resamples: 60, random: createRandom('0') }),
    )
  })
})
