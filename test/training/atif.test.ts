import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EpisodeRow, Trajectory } from '../../src/index.js'
import { thoughtIn } from '../../src/training/diversity.js'
import { atifOf } from '../../src/run/export/atif.js'
import { rowOf } from '../../src/training/row-formats.js'
import { isAtif, scriptedTurnsOf } from '../../src/training/read-atif.js'
import { hasPackages, runPython } from '../python.js'
import { scratchFolder } from '../scratch.js'

const measures = { steps: 4, formatErrors: 0, repeats: 0, modelCalls: 6, promptTokens: 900, completionTokens: 60 }
const row: EpisodeRow = {
  ...{ key: '0123456789abcdef0123', environment: 'hall', task: 'walk', condition: 'words', model: 'tuned' },
  ...{ agent: 'react', temperature: 0.5, seed: 3, outcome: 'success', progress: 1, measures, date: '2026-11-26' },
}

/** Two trials with a reflection between them, an example in the prompt, a thought, reasoning and calls of functions. */
const trajectory: Trajectory = {
  prompt: [
    { role: 'system', content: 'You walk.' },
    { role: 'user', content: 'Example' },
    { role: 'assistant', content: 'Action: go to attic' },
    { role: 'user', content: 'Go to the hall.' },
  ],
  opening: { observation: 'You are in the kitchen.' },
  steps: [
    { action: 'go to hall', command: null, observation: 'Nothing happens.', progress: 0, understood: false, memorised: true },
    { reply: 'Thought: on\nAction: walk to hall', thoughts: ['think: where'], action: 'walk to hall', command: 'go to hall', observation: 'You are in the hall.', progress: 0.5, understood: true, promptTokens: 90, completionTokens: 9 },
    { reply: '', action: 'walk {"to":"attic"}', reasoning: ['The attic', 'is up.'], toolCalls: [{ name: 'walk', arguments: '{"to":"attic"}' }], observation: 'The attic.', progress: 0.5, understood: true },
    { reply: '', action: 'walk hall', toolCalls: [{ name: 'walk', arguments: 'hall' }], observation: 'The hall.', progress: 1, understood: true },
  ],
  trials: [
    { from: 0, seed: 1, outcome: 'step-limit', progress: 0.5, reflection: { reply: 'I walk next time.', completionTokens: 5 } },
    { from: 2, seed: 2, outcome: 'success', progress: 1 },
  ],
} // prettier-ignore

const atif = atifOf(row, trajectory, '0.1.0')
const broken = atifOf(
  { ...row, outcome: 'model-error', error: 'No reply.' },
  { ...trajectory, prompt: [], steps: [], trials: [] },
  '0.1.0',
)

/** Checks documents by the models of a Python package. */
const check = `
import importlib, json, sys
Trajectory = importlib.import_module(sys.argv[1]).Trajectory
for line in open(sys.argv[2]):
    document = json.loads(line)
    assert Trajectory.model_validate(document).to_json_dict() == document
`

describe('an episode in ATIF', () => {
  const scratch = scratchFolder()

  it('has every message, thought, action, observation and reflection as a step, in order', () => {
    const { steps, ...rest } = atif
    expect(steps.map(({ step_id: id, source, message }) => [id, source, message])).toEqual([
      [1, 'system', 'You walk.'],
      [2, 'user', 'Example'],
      [3, 'agent', 'Action: go to attic'],
      [4, 'user', 'Go to the hall.'],
      [5, 'agent', 'go to hall'],
      [6, 'agent', 'think: where'],
      [7, 'agent', 'Thought: on\nAction: walk to hall'],
      [8, 'agent', 'I walk next time.'],
      [9, 'agent', ''],
      [10, 'agent', ''],
    ])
    expect(steps[2]!.is_copied_context).toBe(true)
    expect(steps[4]).toMatchObject({
      extra: { action: 'go to hall', command: null, understood: false, memorised: true },
    })
    expect(steps[6]).toMatchObject({ metrics: { prompt_tokens: 90, completion_tokens: 9 }, llm_call_count: 1 })
    expect(steps[7]).toMatchObject({ metrics: { completion_tokens: 5 }, extra: { reflection: true } })
    expect(steps[8]).toMatchObject({
      reasoning_content: 'The attic\nis up.',
      tool_calls: [{ function_name: 'walk', arguments: { to: 'attic' } }],
      observation: { results: [{ source_call_id: steps[8]!.tool_calls![0]!.tool_call_id, content: 'The attic.' }] },
      extra: { trial: 2 },
    })
    expect(steps[9]!.tool_calls![0]).toMatchObject({ arguments: {}, extra: { arguments_text: 'hall' } })
    expect(rest).toMatchObject({
      session_id: row.key,
      agent: { name: 'react', version: '0.1.0', model_name: 'tuned' },
      final_metrics: { total_prompt_tokens: 900, total_completion_tokens: 60, total_steps: 10 },
      extra: { environment: 'hall', task: 'walk', condition: 'words', outcome: 'success', date: '2026-11-26' },
    })
  })

  it('is read as training data: thoughts in tags, mistakes and worked examples masked', () => {
    const read = rowOf(JSON.parse(JSON.stringify(atif)))
    if ('wrong' in read) throw new Error(read.wrong)
    expect(read).toMatchObject({ id: row.key, labels: { environment: 'hall', model_name: 'tuned' } })
    const own = read.turns.filter(({ role }) => role === 'assistant')
    expect(own.map(({ text, loss = true }) => [text, loss])).toEqual([
      ['Action: go to attic', false],
      ['go to hall', false],
      ['think: where', true],
      ['Thought: on\nAction: walk to hall', true],
      ['I walk next time.', true],
      ['<think>\nThe attic\nis up.\n</think>\nwalk {"to":"attic"}', true],
      ['walk {}', true],
    ])
    expect(own.map(({ text }) => thoughtIn(text))).toContain('The attic\nis up.')
    expect(read.turns.at(-1)).toEqual({ role: 'user', text: 'The hall.' })
  })

  it('is read as turns of a Player and a DM', () => {
    expect(isAtif(atif)).toBe(true)
    const turns = scriptedTurnsOf(JSON.parse(JSON.stringify(atif)) as Record<string, unknown>)
    expect(turns).toMatchObject([
      { turn: 0, role: 'Player', Action: 'go to hall' },
      { turn: 1, role: 'DM', Observation: 'Nothing happens.', parameter_error: true },
      { turn: 2, Thought: 'on', Action: 'walk to hall' },
      { turn: 3, parameter_error: false },
      { turn: 4, Thought: 'The attic\nis up.', Action: 'walk {"to":"attic"}' },
      {},
      { turn: 6, Action: 'walk hall' },
      { turn: 7, Observation: 'The hall.\nTask Succeed' },
    ])
  })

  it.each([
    [{ schema_version: 'ATIF-v1.2', steps: [] }, /list of steps/],
    [{ schema_version: 'ATIF-v1.2', steps: [{ source: 'robot' }] }, /step 1: .* system, user or agent/],
    [{ schema_version: 'ATIF-v1.2', steps: [{ source: 'user', message: 'hi' }, null] }, /step 2/],
  ])('is refused with the place: %j', (record, wrong) => {
    expect(rowOf(record)).toMatchObject({ wrong: expect.stringMatching(wrong) as string })
  })

  it('is read from other programs, with several results and parts of messages', () => {
    const step = {
      ...{ step_id: 1, source: 'agent', message: [{ type: 'text', text: 'I look.' }, { type: 'image', source: {} }] },
      tool_calls: [{ tool_call_id: 'a', function_name: 'look', arguments: {} }],
      observation: { results: [{ source_call_id: 'a', content: 'A hall.' }, { content: null }, { content: [{ type: 'text', text: 'A door.' }] }] },
    } // prettier-ignore
    expect(rowOf({ schema_version: 'ATIF-v1.4', session_id: 's', agent: { name: 'x' }, steps: [step] })).toMatchObject({
      id: 's',
      turns: [
        { role: 'assistant', text: 'I look.\nlook {}' },
        { role: 'user', text: 'A hall.\n\nA door.' },
      ],
    })
  })

  // Harbor's own models, and those of an independent package.
  for (const [name, module] of [
    ['harbor', 'harbor.models.trajectories'],
    ['atif', 'atif'],
  ] as const) {
    it.skipIf(!hasPackages(module))(`is valid by the schema of the Python package ${name}`, () => {
      const file = join(scratch, `${name}.jsonl`)
      writeFileSync(file, [atif, broken].map((one) => `${JSON.stringify(one)}\n`).join(''))
      expect(runPython(check, [module, file])).toEqual({ code: 0, stdout: '', stderr: '' })
    })
  }
})
