import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StoredSession } from '../../../src/run/store/sessions.js'
import { readSessions, recordSession, sumSessions } from '../../../src/run/store/sessions.js'
import { scratchFolder } from '../../scratch.js'

const path = join(scratchFolder(), 'sessions.jsonl')
const [started, ended] = ['2026-11-23T10:00:00.000Z', '2026-11-23T10:30:00.000Z']
const use = { episodes: 2, calls: 30, attempts: 33, tokens: { prompt: 900, completion: 90 } }
const line = (session: string, more: Partial<StoredSession> = {}): string =>
  `${JSON.stringify({ session, started, ended, ...use, ...more })}\n`

describe('the sessions of a run', () => {
  it('count with their last line each, and leave out damaged and torn ones with a note', () => {
    writeFileSync(
      path,
      line('a', { calls: 10 }) +
        line('b', { cost: 2 }) +
        line('a', { cost: 1 }) +
        line('a').replace('"calls":30', '"calls":-1') +
        `{"session":"c"}\n` +
        line('d').slice(0, 50),
    )
    const { sessions, notes } = readSessions(path)
    expect(sessions.map(({ session, calls }) => [session, calls])).toEqual([
      ['a', 30],
      ['b', 30],
    ])
    expect(notes).toEqual(['sessions.jsonl: left out 2 lines that cannot be read; what was spent may be more.'])
    expect(sumSessions(sessions)).toEqual({
      spent: { sessions: 2, calls: 60, attempts: 66, promptTokens: 1800, completionTokens: 180, hours: 1, money: 3 },
    })
    const unpriced = sumSessions([...sessions, { session: 'e', started, ended, ...use }])
    expect(unpriced.spent).not.toHaveProperty('money')
    expect(sumSessions([])).toEqual({})
  })

  it('are recorded after a torn line, and only if something was spent', () => {
    writeFileSync(path, line('a') + line('b').slice(0, 50))
    recordSession(path, { session: 'd', started, spent: () => ({ ...use, attempts: 0 }) }).close()
    expect(readSessions(path).sessions.length).toBe(1)
    let spent = use
    const recorded = recordSession(path, { session: 'd', started, spent: () => spent })
    spent = { ...use, calls: 40 }
    recorded.close()
    recorded.close()
    expect(readSessions(path)).toMatchObject({ sessions: [{ session: 'a' }, { calls: 40 }], notes: [] })
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(3)
    appendFileSync(path, line('c'))
    expect(readSessions(path).sessions.length).toBe(3)
  })

  it('that cannot be written are an error once they end', () => {
    const recorded = recordSession(join(path, 'not-a-folder'), { session: 'd', started, spent: () => use })
    expect(() => recorded.close()).toThrow(/Cannot write to .*not-a-folder/)
    expect(existsSync(path)).toBe(true)
  })
})
