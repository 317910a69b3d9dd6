import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeFollowed, follow } from '../../src/cli/_follow.js'
import { takeLock } from '../../src/files/lock.js'
import { followRun } from '../../src/run/follow-run.js'
import { writeStopped } from '../../src/run/store/run-folder.js'
import { widthOf } from '../../src/tables/plain.js'
import { makePlan } from '../reports/fixture.js'
import { appendRows, rowsOfPlan, writeRun } from '../run/_written-run.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const scratch = scratchFolder()
const plan = makePlan({
  models: ['reader', 'm\u001b[2J\u202e\nodel', ...Array.from({ length: 9 }, (_, at) => `model-${String(at)}`)],
})
const rows = rowsOfPlan(plan, ({ column, index }) => (column.label === 'none' || index % 2 > 0 ? 'success' : 'failure'))
const runs = join(scratch, 'runs')
writeRun(join(runs, 'whole'), plan, rows)
writeRun(join(runs, 'sweep', 'a-name\u001b[31m'.repeat(4)), plan, rows.slice(0, 50))
writeRun(join(runs, 'damaged'), plan, rows)
writeFileSync(join(runs, 'damaged', 'plan.json'), '{')

describe('shaketable runs', () => {
  it('lists runs in the width of the terminal, damaged ones too, and shows no character that a terminal acts on', async () => {
    const { code, stdout } = await shaketable(['runs'], scratch)
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(100)
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    expect(lines[0]).toMatch(/^run +state +episodes +success +changed +models$/)
    expect(stdout).toMatch(/^whole +complete +792 +100% → 50% +just now +11: r/m)
    expect(stdout).toMatch(/^sweep\/a-name.* partial +50 of 792 /m)
    expect(stdout).toMatch(/^damaged +unreadable .*\n {2}.*plan\.json: expected JSON/m)
    expect(lines.slice(-2)).toEqual(['and 3 more columns', expect.stringMatching(/^3 runs, /)])
  })

  it('shows a run, and everything as JSON', async () => {
    const shown = await shaketable(['runs', 'runs/whole'], scratch)
    expect(shown.stdout).toMatch(
      /^runs\/whole\nstate +complete\nepisodes +792 of 792\nenvironment +household, version 1: 4 tasks\n/,
    )
    const { stdout } = await shaketable(['runs', '--json'], scratch)
    const listed = JSON.parse(stdout) as { readonly runs: readonly Record<string, unknown>[] }
    expect(listed.runs.find(({ name }) => name === 'whole')).toMatchObject({
      folder: 'runs/whole',
      state: 'complete',
      episodes: { planned: 792, stored: 792, errors: 0 },
      conditions: ['none', 'placebo', 'agentrefine-1'],
    })
    mkdirSync(join(scratch, 'empty'))
    const empty = await shaketable(['runs', 'empty'], scratch)
    expect(empty).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^There is no run in empty/) as string,
    })
  })
})

describe('shaketable runs --follow', () => {
  /** A terminal, or a pipe, that keeps what is written. */
  function stream(size?: { columns: number; rows: number }) {
    let written = ''
    return { isTTY: size !== undefined, ...size, write: (text: string) => (written += text), written: () => written }
  }

  async function until(isTrue: () => boolean): Promise<void> {
    for (let tries = 0; tries < 1000 && !isTrue(); tries++) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(isTrue()).toBe(true)
  }

  it.each([
    ['a terminal', { columns: 80, rows: 24 }],
    ['a pipe', undefined],
  ])('shows on %s what is appended, and ends with the run', async (_, size) => {
    const folder = mkdtempSync(join(scratch, 'run-'))
    writeRun(folder, plan, rows.slice(0, 10))
    const lock = takeLock(join(folder, 'lock'))
    const screen = stream(size)
    const ended = follow(folder, screen, { stop: new AbortController().signal, pollMs: 5, lineMs: 20 })
    await until(() => screen.written().includes('10 of 792 episodes'))
    appendRows(folder, rows.slice(10, 400))
    await until(() => screen.written().includes('400 of 792'))
    appendRows(folder, rows.slice(400))
    lock.release()
    await ended
    expect(screen.written()).toMatch(/newest failures\n?.*[0-9a-f]{10} {2}failure/s)
    expect(screen.written().replace(/\s+/g, ' ')).toContain('is complete: 792 episodes.')
    expect(screen.written().includes('\u001b')).toBe(size !== undefined)
  })

  it('says why a run whose writer has stopped ended, and leaves one that goes on', async () => {
    const folder = mkdtempSync(join(scratch, 'run-'))
    writeRun(folder, plan, rows.slice(0, 10))
    const lock = takeLock(join(folder, 'lock'))
    const [stop, screen] = [new AbortController(), stream()]
    const left = follow(folder, screen, { stop: stop.signal, pollMs: 5 })
    stop.abort()
    await left
    expect(screen.written()).toContain('is still running')
    writeStopped(join(folder, 'stopped.json'), 'The server\u001b[2J is gone.')
    lock.release()
    await follow(folder, screen, { stop: new AbortController().signal })
    expect(screen.written().replace(/\s+/g, ' ')).toMatch(
      /has ended with 10 of 792 episodes\. The server\\x1b\[2J is gone\./,
    )
  })

  it('fits the window, and shows no character that a terminal acts on', () => {
    const folder = mkdtempSync(join(scratch, 'run-'))
    const nasty = 'm\u001b[2J\u202e\n漢字'.repeat(8)
    const broken = rows.map((row, at) =>
      at % 7 === 0 ? { ...row, outcome: 'model-error' as const, error: `\u0007${nasty}` } : row,
    )
    writeRun(folder, plan, broken)
    const run = followRun(folder).update()
    for (const width of [40, 80, 160]) {
      const lines = describeFollowed(run, nasty, width, 3)
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
      expect(lines.join('\n')).toMatch(/errors\n\d+ × model-error/)
    }
  })
})
