import { describe, expect, it } from 'vitest'
import { describeEpisode, describePair } from '../../src/cli/_episode-text.js'
import { escapeControls, escapeLine } from '../../src/cli/_lines.js'
import type { Step, Trajectory } from '../../src/core/episode.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'

const measures = {
  ...{ steps: 3, understood: 2, formatErrors: 1, repeats: 0, memorised: 1, modelCalls: 4 },
  ...{ promptTokens: 0, completionTokens: 0 },
}

function episode(changes: Partial<EpisodeRow>, steps: readonly Step[], opening: Trajectory['opening']) {
  const row: EpisodeRow = {
    ...{ key: '0123456789abcdef0123', environment: 'household', task: 'task-1', condition: 'agentrefine-2' },
    ...{ model: 'reader', agent: 'act', temperature: 0.5, seed: 3, outcome: 'step-limit', progress: 0.5, measures },
    ...changes,
  }
  return { row, trajectory: { prompt: [{ role: 'user' as const, content: 'Do it.\nNow.' }], opening, steps } }
}

const refused = { command: null, observation: 'Nothing happens.', understood: false, memorised: true, progress: 0.5 }
const perturbed = episode(
  { dose: { forms: 1, commandsSaid: 1, commandsSeen: 2, names: 0, characters: 30, leaks: 0 } },
  [
    { action: 'move to desk 1', command: 'go to desk 1', observation: 'A desk.', progress: 0.5, understood: true },
    { action: 'go to bed 1', ...refused },
    { action: 'go to bed 1', ...refused },
    {
      ...{ action: 'move to bed1', reply: 'I think\u001b[2J that I Action: move to bed1', thoughts: ['hm'] },
      ...{ observation: 'You see a bed1.', original: 'You see a bed 1.', progress: 0.5, understood: false },
      formatError: 'no action line',
    },
  ],
  { observation: 'You are in a room.', original: 'You are in a room .' },
)
const clean = episode(
  { condition: 'none', outcome: 'success', progress: 1 },
  [
    { action: 'go to desk 1', observation: 'A desk.', progress: 0.5, understood: true },
    { action: 'go to bed 1', observation: 'A bed.', progress: 1, understood: true },
  ],
  { observation: 'You are in a room.' },
)

describe('an episode as text', () => {
  it('shows what a model wrote and why a reply is missing, with nothing harmful in it', () => {
    const call = { name: 'go_to\u001b[1m', arguments: '{"recep":"desk 1"}' }
    const step = { action: 'look', reasoning: ['The desk\u001b]0;x\u0007.'], toolCalls: [call], cut: 3 }
    const failed = episode(
      { outcome: 'model-error', measures: { ...measures, faults: { length: 1 } } },
      [
        { ...step, observation: 'A desk.', progress: 0, understood: true },
        { action: '', observation: 'Nothing.', progress: 0, understood: false, fault: 'length' },
      ],
      { observation: 'A room.' },
    )
    const lines = describeEpisode(failed, 100, false)
    expect(lines.join('')).not.toContain('\u001b')
    for (const line of [
      'reader with act, temperature 0.5, seed 3, key 0123456789abcdef0123',
      'model-error, progress 50.0 %',
      'steps 3, understood 2, formatErrors 1, memorised 1, modelCalls 4',
      'replies: 1 × cut off at the token limit',
      'Prompt: 1 message, 11 characters; --prompt shows it.',
      '     reasoning: The desk\\x1b]0;x\\x07.',
      '     call: go_to\\x1b[1m({"recep":"desk 1"})',
      '     * no whole reply: cut off at the token limit',
    ])
      expect(lines).toContain(line)
  })

  it('shows both wordings, and what was refused and why', () => {
    const lines = describeEpisode(perturbed, 100, false)
    expect(lines).toContain('changed: forms 1, commandsSaid 1, commandsSeen 2, characters 30')
    expect(lines.slice(lines.indexOf('     You are in a room.'))).toEqual([
      ...['     You are in a room.', '     ≈ You are in a room .', ''],
      ...['  1 > move to desk 1', '     = go to desk 1', '     A desk.', '     * progress 50.0 %', ''],
      ...['  2 > go to bed 1', '     Nothing happens.', '     * refused: the old wording'],
      ...['     * memorised: the unperturbed environment would have understood it', ''],
      ...['  3 > go to bed 1', '     Nothing happens.', '     * refused: the old wording'],
      '     * memorised: the unperturbed environment would have understood it',
      ...['     * repeated after it was not understood', ''],
      ...['     thought: hm', '     reply: I think\\x1b[2J that I Action: move to bed1', '  4 > move to bed1'],
      ...['     You see a bed1.', '     ≈ You see a bed 1.', '     * not understood'],
      '     * format error: no action line',
    ])
  })

  it('heads each trial, and ends with one that was never played and why', () => {
    const trials = [
      { from: 0, seed: 3, outcome: 'step-limit' as const, progress: 0.5, reflection: { reply: 'Look first.' } },
      { from: 1, seed: 4, outcome: 'model-error' as const, progress: 0, reflection: { reply: '', left: 2 } },
    ]
    const trajectory = { ...clean.trajectory, steps: clean.trajectory.steps.slice(0, 1), trials }
    const lines = describeEpisode({ row: { ...clean.row, trials: [0.5, 0] }, trajectory }, 100, false)
    expect(lines.filter((line) => /──|reflection|\* made/.test(line))).toEqual([
      ...['── trial 1, seed 3 ──', '── trial 1 ended: step-limit ──', '     reflection: Look first.'],
      ...['── trial 2, seed 4 ──', '── trial 2 ended: model-error ──', '     reflection:'],
      '     * made without the first 2 steps, which did not fit',
    ])
  })

  it('is shown beside its twin, with a mark where they diverge', () => {
    const lines = describePair(clean, perturbed, 120, false)
    expect(lines.slice(0, -2).every((line) => line.indexOf('│') === 59)).toBe(true)
    expect(lines.find((line) => line.startsWith('≠'))).toMatch(/^≠ 2 > go to bed 1 +│ ≠ 2 > go to bed 1$/)
    expect(lines.at(-1)).toBe('They diverge at step 2, marked ≠.')
  })
})

it('text from a model cannot move the cursor, clear the screen, ring the bell or reverse the text direction', () => {
  const text = 'a\u001b[2Jb\u001b]0;title\u0007\rc\u0000\u009b1md\u202eevil\u2066\n\te\u007f'
  expect(escapeControls(text)).toBe('a\\x1b[2Jb\\x1b]0;title\\x07\\x0dc\\x00\\x9b1md\\u202eevil\\u2066\n  e\\x7f')
  expect(escapeControls('über 家 🙂\r\nnext')).toBe('über 家 🙂\nnext')
  expect(escapeLine('a\nb')).toBe('a\\nb')
})
