import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { follow } from '../../src/cli/_follow.js'
import { describeFollowed } from '../../src/cli/_follow-view.js'
import { takeLock } from '../../src/files/lock.js'
import { followRun } from '../../src/run/follow-run.js'
import { writeStopped } from '../../src/run/store/run-folder.js'
import { coloursOf } from '../../src/tables/colours.js'
import { widthOf } from '../../src/tables/plain.js'
import { makePlan } from '../reports/fixture.js'
import { appendRows, rowsOfPlan, writeRun } from '../run/_written-run.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const scratch = scratchFolder()
const newFolder = (): string => mkdtempSync(join(scratch, 'run-'))
const plan = makePlan({ columns: ['none', 'placebo', 'synonyms'] })
const rows = rowsOfPlan(plan, ({ column }) => (column.label === 'synonyms' ? 'step-limit' : 'success'))
const never = new AbortController().signal

/** A terminal that keeps what is written. */
function terminal(size: { columns: number; rows: number } | undefined) {
  let written = ''
  return {
    isTTY: size !== undefined,
    ...size,
    write: (text: string) => (written += text),
    written: () => written,
    /** What is on the second screen now. */
    screen: () =>
      (written.split('\u001b[H').at(-1) ?? '')
        .split('\u001b[J')[0]!
        .replace(/\u001b\[\d*[Km]/g, '')
        .split('\r\n'),
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !isTrue(); tries++) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(isTrue()).toBe(true)
}

const [enter, leave] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l']

describe('a followed run, on a terminal', () => {
  it('draws what is appended, and ends with the run', async () => {
    const folder = newFolder()
    writeRun(folder, plan, rows.slice(0, 10))
    const lock = takeLock(join(folder, 'lock'))
    const screen = terminal({ columns: 80, rows: 24 })
    const ended = follow(folder, screen, { stop: never, pollMs: 5 })
    await until(() => screen.screen()[0]!.startsWith('running · '))
    expect(screen.written().startsWith(enter)).toBe(true)
    expect(screen.screen()[1]).toContain(`10 of ${String(rows.length)} episodes`)
    expect(screen.screen().length).toBeLessThanOrEqual(24)

    appendRows(folder, rows.slice(10, 40))
    await until(() => screen.screen()[1]!.includes('40 of'))
    Object.assign(screen, { columns: 40, rows: 10 })
    await until(() => screen.screen().length <= 10 && screen.screen().every((line) => widthOf(line) < 40))
    const frames = screen.written().split('\u001b[H').length
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.written().split('\u001b[H').length - frames).toBeLessThanOrEqual(11)

    appendRows(folder, rows.slice(40))
    lock.release()
    await ended
    const last = screen.written().split(leave)
    expect(last).toHaveLength(2)
    expect(last[1]).toContain('complete')
    expect(last[1]!.replace(/\s+/g, ' ')).toContain(`is complete: ${String(rows.length)} episodes.`)
    expect(last[1]!.replace(/\s+/g, ' ')).toContain('writes its reports')
  })

  it.each([
    ['has ended', () => undefined, 'The command that began the run continues it.'],
    [
      'stopped',
      (folder: string) => writeStopped(join(folder, 'stopped.json'), 'The server\u001b[2J is gone.'),
      'The server\\x1b[2J is gone. The command that began the run continues it.',
    ],
  ])('says that a run whose writer %s can be continued', async (_, change, sentence) => {
    const folder = newFolder()
    writeRun(folder, plan, rows.slice(0, 10))
    const lock = takeLock(join(folder, 'lock'))
    const screen = terminal({ columns: 200, rows: 50 })
    const ended = follow(folder, screen, { stop: never, pollMs: 5 })
    await until(() => screen.screen()[0]!.startsWith('running · '))
    change(folder)
    lock.release()
    await ended
    expect(screen.written().replace(/\s+/g, ' ')).toContain(`has ended with 10 of ${String(rows.length)} episodes.`)
    expect(screen.written().replace(/\s+/g, ' ')).toContain(sentence)
  })

  it.each([
    ['a stop', (stop: AbortController) => stop.abort(), undefined],
    ['an error', (_: AbortController, folder: string) => rmSync(folder, { recursive: true }), /has none/],
  ])('restores the screen after %s', async (_, end, problem) => {
    const folder = newFolder()
    writeRun(folder, plan, rows.slice(0, 10))
    takeLock(join(folder, 'lock'))
    const screen = terminal({ columns: 80, rows: 24 })
    const stop = new AbortController()
    const listeners = process.listenerCount('exit')
    const ended = follow(folder, screen, { stop: stop.signal, pollMs: 5 })
    await until(() => screen.screen()[0]!.startsWith('running · '))
    end(stop, folder)
    if (problem === undefined) await ended
    else await expect(ended).rejects.toThrow(problem)
    expect(screen.written().split(leave)).toHaveLength(2)
    expect(process.listenerCount('exit')).toBe(listeners)
    if (problem === undefined) expect(screen.written()).toContain('is still running')
  })
})

describe('a followed run, without a terminal', () => {
  it('prints a line from time to time, and the view at the end', async () => {
    const folder = newFolder()
    writeRun(folder, plan, rows.slice(0, 10))
    const lock = takeLock(join(folder, 'lock'))
    const pipe = terminal(undefined)
    const ended = follow(folder, pipe, { stop: never, pollMs: 5, lineMs: 20 })
    await until(() => pipe.written().split('\n').length > 3)
    expect(pipe.written()).toMatch(/^\d+% · 10 of 144 episodes.*\n/)
    expect(pipe.written()).not.toContain('newest failures')
    appendRows(folder, rows.slice(10))
    lock.release()
    await ended
    expect(pipe.written()).toContain('newest failures')
    expect(pipe.written()).toContain('is complete: 144 episodes.')
    expect(pipe.written()).not.toContain('\u001b')
  })
})

describe('the view', () => {
  const colours = coloursOf({}, { NO_COLOR: '1' })

  it('fits every window, and shows no character that a terminal acts on', () => {
    const folder = newFolder()
    const nasty = 'm\u001b[2J\u202e\n漢字'.repeat(8)
    const hostile = makePlan({
      environments: [{ name: 'household', tasks: 3 }],
      models: [nasty, ...Array.from({ length: 12 }, (_, index) => `model-${String(index)}`)],
      columns: ['none', ...Array.from({ length: 9 }, (_, index) => `synonyms:draw=${String(index + 1)}`)],
      temperatures: [0],
    })
    const all = rowsOfPlan(hostile, ({ index }) =>
      index % 7 === 0 ? 'model-error' : index % 2 === 0 ? 'failure' : 'success',
    ).map((row) => (row.outcome === 'model-error' ? { ...row, error: `\u0007${nasty}${row.model}` } : row))
    writeRun(folder, hostile, all)
    const run = followRun(folder).update()
    const texts: string[] = []
    for (const width of [40, 57, 80, 100, 160]) {
      for (const height of [10, 11, 13, 24, 40, 80]) {
        const lines = describeFollowed(run, { folder: nasty, width, height, rate: 3, colours })
        expect(lines.length).toBeLessThanOrEqual(height)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
        texts.push(lines.join('\n'))
      }
    }
    expect(texts.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    // The smallest window still has all that can be acted upon.
    expect(texts[0]).toMatch(/newest failures\n[0-9a-f]{10} /)
    expect(texts[0]).toMatch(/errors\n\d+ × model-error/)
    expect(texts[0]).toMatch(/success in %/)
    expect(texts.at(-1)).toContain('model-11')
  })
})

describe('shaketable runs --follow', () => {
  it('prints the view of a run that has ended, and refuses a folder without a run', async () => {
    const folder = newFolder()
    writeRun(folder, plan, rows)
    const ended = await shaketable(['runs', folder, '--follow'], scratch)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const key = /newest failures\n([0-9a-f]{10}) {2}step-limit/.exec(ended.stdout)![1]!
    expect(rows.findLast(({ outcome }) => outcome === 'step-limit')!.key.startsWith(key)).toBe(true)
    expect(ended.stdout).toMatch(/none +100 \[\d+, 100\] +100 \[\d+, 100\]/)
    const wrong = await shaketable(['runs', scratch, '--follow'], scratch)
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toMatch(/^Expected a run folder with a plan\.json, .*\n$/)
  })
})
