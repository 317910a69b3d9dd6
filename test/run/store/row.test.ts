import { describe, expect, it } from 'vitest'
import type { EpisodeRow } from '../../../src/results/episode-row.js'
import { readRow } from '../../../src/run/store/row.js'

const full: EpisodeRow = {
  key: '0123456789abcdef0123',
  environment: 'household',
  task: 'put a pen',
  condition: 'agentrefine-1',
  model: 'reader',
  agent: 'act',
  temperature: 0.7,
  seed: 3,
  date: '2026-11-22',
  outcome: 'success',
  progress: 1,
  measures: {
    ...{ steps: 5, understood: 4, formatErrors: 0, repeats: 0, memorised: 0, adapted: 2, modelCalls: 5 },
    ...{ attempts: 6, cut: 1, promptTokens: 100, completionTokens: 20 },
    faults: { empty: 1, length: 2, 'unclosed-reasoning': 3 },
    gains: [
      [2, 0.5],
      [5, 1],
    ],
  },
  dose: {
    ...{ forms: 1, commandsSaid: 2, commandsSeen: 3, names: 4, characters: 5, views: 6, viewed: 60, added: 10 },
    ...{ objects: 11, listed: 7, failed: 8, leaks: 0 },
  },
  error: 'none',
}
const line = JSON.stringify(full)

describe('a row', () => {
  it('is read as it was written, also one of an older or a newer version', () => {
    expect(readRow(line)).toEqual(full)
    const { gains, faults, attempts, cut, adapted, ...measures } = full.measures
    expect([gains, faults, attempts, cut, adapted]).not.toContain(undefined)
    const older = { ...full, measures, dose: undefined, error: undefined }
    expect(readRow(JSON.stringify(older))).toEqual(JSON.parse(JSON.stringify(older)))
    expect(readRow(JSON.stringify({ ...full, later: 1 }))).toEqual({ ...full, later: 1 })
  })

  it.each(['', '{', 'null', '[]', '7', '"row"', '{"__proto__":{}}'])('is not read from %j', (text) => {
    expect(readRow(text)).toBeUndefined()
  })

  it.each([
    ['"outcome":"success"', '"outcome":"won"'],
    ['"progress":1', '"progress":1.5'],
    ['"progress":1', '"progress":null'],
    ['"measures":', '"measured":'],
  ])('is not read with %s as %s', (was, is) => {
    expect(line).toContain(was)
    expect(readRow(line.replace(was, is))).toBeUndefined()
  })
})
