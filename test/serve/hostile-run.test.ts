import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { EpisodeRow } from '../../src/core/episode.js'
import { playHostile } from '../_hostile-run.js'
import { linesOf } from '../cli/_command.js'
import { hostileKinds, mixOf } from '../hostile-server.js'

const scratch = mkdtempSync(join(tmpdir(), 'shaketable-hostile-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

interface Steps {
  readonly key: string
  readonly steps: readonly { readonly action: string; readonly observation: string }[]
}

/**
 * What came of each episode that ended, and what was said in it. How often its calls were tried, and keys, which name
 * the port, are left out.
 */
function outcomesOf(folder: string): { readonly keys: readonly string[]; readonly played: readonly string[] } {
  const read = (name: string): unknown[] => linesOf(join(folder, name)).map((line) => JSON.parse(line) as unknown)
  const rows = (read('outcomes.jsonl') as EpisodeRow[]).filter(({ outcome }) => outcome !== 'model-error')
  const stepsOf = new Map((read('trajectories.jsonl') as Steps[]).map(({ key, steps }) => [key, steps]))
  const played = rows.map(({ key, measures, ...row }) => {
    const said = stepsOf.get(key)!.map(({ action, observation }) => [action, observation])
    return JSON.stringify([{ ...row, measures: { ...measures, attempts: 0 }, crc: '' }, said])
  })
  return { keys: rows.map(({ key }) => key), played: played.sort() }
}

describe('a run of 1,000 exchanges with a server of which every second answer is hostile', () => {
  it('keeps every episode once, as a good server would have had it played', async () => {
    const [calm, wild] = [join(scratch, 'calm'), join(scratch, 'wild')]
    await playHostile(() => undefined, 5, calm)
    const run = await playHostile(mixOf('a hostile server'), 5, wild)
    const { planned, exchanges, calls, errors, sent, ...measured } = run
    expect(exchanges).toBeGreaterThanOrEqual(1000)
    expect(exchanges - calls).toBeGreaterThan(exchanges / 4)
    const { keys, played } = outcomesOf(wild)
    expect(keys).toHaveLength(planned)
    expect(new Set(keys).size).toBe(planned)
    expect(played).toEqual(outcomesOf(calm).played)
    // Only what is refused, and is no fault of the moment, ends an episode; the next session plays it again.
    expect(errors.length).toBeGreaterThan(0)
    for (const message of errors)
      expect(message).toMatch(/^model-error of tuned: http:\S+ answered (?:400: Bad request|302: the server has moved)/)
    expect(sent.size).toBeGreaterThan(hostileKinds.length * 0.9)
    expect(measured.seconds).toBeLessThan(100)
    expect(measured.residentMegabytes).toBeLessThan(500)
    expect(measured.longestGapMs).toBeLessThan(measured.longestAnnouncedMs)
  }, 180_000)
})
