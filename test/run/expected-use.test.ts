import { describe, expect, it } from 'vitest'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { meansOf } from '../../src/run/expected-use.js'

const row = (model: string, calls: number, tokens: number, date?: string): EpisodeRow =>
  ({
    environment: 'household',
    model,
    agent: 'act',
    column: 'none',
    outcome: 'success',
    measures: { modelCalls: calls, promptTokens: tokens, completionTokens: 0 },
    ...(date !== undefined && { date }),
  }) as EpisodeRow

const place = { environment: 'household', agent: 'act', column: 'none', isServed: false }

describe('expected use', () => {
  it('of a model behind a server is never that of control models, which take no tokens', () => {
    const controls = meansOf([row('parrot', 9, 0)])
    expect(controls({ ...place, model: 'served', isServed: true })).toBeUndefined()
    expect(controls({ ...place, model: 'reader' })).toEqual({ calls: 9, prompt: 0, completion: 0 })

    const mixed = meansOf([row('parrot', 9, 0), row('other', 5, 700, '2026-01-01')])
    expect(mixed({ ...place, model: 'served', isServed: true })).toEqual({ calls: 5, prompt: 700, completion: 0 })
    expect(mixed({ ...place, model: 'parrot' })).toEqual({ calls: 9, prompt: 0, completion: 0 })
  })
})
