import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Fault, FileCall } from '../../bench/_faulty-files.js'
import { installFaults } from '../../bench/_faulty-files.js'
import { callSites, lookAt, playFaulty, runArgs } from '../../bench/_faulty-run.js'
import { runCommand } from '../../src/cli/run.js'
import { synthesiseCommand } from '../../src/cli/synthesise.js'
import { ShaketableError } from '../../src/core/errors.js'
import { createRandom } from '../../src/core/random.js'
import { readRun } from '../../src/run/store/read-run.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()
const args = runArgs(scratch)

interface Session {
  readonly calls: readonly FileCall[]
  readonly thrown: unknown
  readonly said: string
}

let lives = 0

/**
 * The command from start to end, in this process. It has its own process identity, so that an earlier one that was
 * killed counts as gone.
 */
async function play(at?: number, fault?: Fault, command = runCommand(), given = args.slice(1)): Promise<Session> {
  const faults = installFaults({
    below: scratch,
    life: String(++lives),
    kill: () => undefined,
    ...(at !== undefined && fault !== undefined && { at, fault }),
  })
  const listeners = ['SIGINT', 'SIGTERM'].map((name) => [name, process.listeners(name as NodeJS.Signals)] as const)
  let said = ''
  const take = (text: unknown, done?: unknown): boolean => {
    said += String(text)
    if (typeof done === 'function') (done as () => void)()
    return true
  }
  const streams = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(take))
  try {
    await command.parseAsync(given, { from: 'user' })
    return { calls: faults.calls, thrown: undefined, said }
  } catch (thrown) {
    return { calls: faults.calls, thrown, said }
  } finally {
    faults.remove()
    for (const stream of streams) stream.mockRestore()
    for (const [name, kept] of listeners) {
      for (const listener of process.listeners(name as NodeJS.Signals)) {
        if (!kept.includes(listener)) process.removeListener(name, listener)
      }
    }
    process.exitCode = undefined
  }
}

const look = (): Record<string, string> => lookAt(scratch)

function storedRows(): number {
  try {
    return readRun(join(scratch, 'run')).stored
  } catch {
    return 0
  }
}

function begin(): void {
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch)
}

let whole: Record<string, string> = {}
let calls: readonly FileCall[] = []
beforeAll(async () => {
  begin()
  const first = await play()
  expect(first.thrown).toBeUndefined()
  whole = look()
  calls = first.calls
})

describe('a run with a report and a recording', () => {
  it('touches its files in every way that is tested', () => {
    expect(new Set(calls.map(({ kind }) => kind)).size).toBe(6)
    expect(calls.length).toBeGreaterThan(60)
    expect(callSites(calls).length).toBeGreaterThan(30)
  })

  it.each<Fault>(['kill', 'kill-halfway', 'ENOSPC', 'EIO'])(
    'is resumed and ends the same after %s at any point',
    async (fault) => {
      const failures: string[] = []
      for (const at of callSites(calls)) {
        const call = calls[at]!
        if (fault === 'kill-halfway' && call.kind !== 'write') continue
        if (fault === 'ENOSPC' && (call.kind === 'open' || call.kind === 'unlink')) continue
        begin()
        const { thrown, calls: hit } = await play(at, fault)
        const where = `${fault} at call ${String(at)}, ${JSON.stringify(hit[at])}`
        if (fault === 'ENOSPC' || fault === 'EIO') {
          const message = thrown instanceof ShaketableError ? thrown.message : undefined
          if (thrown !== undefined && !message?.includes(fault))
            failures.push(`${where}: ${String((thrown as Error).stack)}`)
          expect(message ?? '', where).not.toMatch(/\n|    at /)
        }
        const kept = storedRows()
        const { thrown: again, said } = await play()
        expect(again, where).toBeUndefined()
        if (kept > 0) expect(said, where).toContain(`has ${kept === 2 ? 'all 2' : '1 of 2'} episodes`)
        expect(look(), where).toEqual(whole)
      }
      expect(failures).toEqual([])
    },
    120_000,
  )

  it('has every episode once, and the same report, after many kills at random moments', async () => {
    const random = createRandom('kills')
    const grid = ['--env', 'household', '--tasks', '10', '--perturb', 'placebo', '--model', 'parrot', '--steps', '1']
    const given = [...grid, '--seeds', '5', '--temperatures', '0', '--workers', '0', '--out', join(scratch, 'run')]
    const playThis = (at?: number, fault?: Fault) => play(at, fault, runCommand(), given)
    begin()
    const { calls: all } = await playThis()
    const undisturbed = look()
    const outcomes = join(scratch, 'run', 'outcomes.jsonl')
    const episodes = 10 * 2 * 5
    const keysOf = (): string[] =>
      readFileSync(outcomes, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(0, 30))
    expect(new Set(keysOf()).size).toBe(episodes)
    const firstReport = all.findIndex(({ path }) => path.startsWith('run/report'))
    for (let kills = 0; kills < (process.env['NIGHTLY'] === undefined ? 30 : 400);) {
      begin()
      for (let times = 1 + random.int(6); times > 0; times--, kills++) {
        const fault = random.int(2) === 0 ? 'kill' : 'kill-halfway'
        await playThis(random.int(random.int(4) === 0 ? all.length : firstReport), fault)
      }
      const { thrown } = await playThis()
      expect(thrown).toBeUndefined()
      expect(keysOf().length).toBe(episodes)
      expect(look()).toEqual(undisturbed)
    }
  }, 600_000)

  it('resumes after a real kill, and a run with a full disk reports that in one line and exits with 2', async () => {
    const atFirst = (kind: FileCall['kind'], name: string): number =>
      calls.findIndex((call) => call.kind === kind && call.path.endsWith(name))
    const outcomes = atFirst('write', 'outcomes.jsonl')
    const cases: readonly (readonly [number, Fault])[] = [
      [atFirst('open', '.draft'), 'kill'],
      [atFirst('link', 'run/lock'), 'kill'],
      [atFirst('rename', 'plan.json'), 'kill'],
      [outcomes, 'kill-halfway'],
      [outcomes, 'ENOSPC'],
    ]
    for (const [at, fault] of cases) {
      begin()
      const hit = await playFaulty(scratch, { at, fault })
      if (fault === 'ENOSPC') {
        expect(hit.code).toBe(2)
        expect(hit.stderr).toMatch(/^Cannot write to .*ENOSPC.*The disk is full\. Make room and run the same command/m)
        expect(hit.stderr).not.toContain('    at ')
      } else {
        expect(hit.signal, `${fault} at call ${String(at)}: ${hit.stderr}`).toBe('SIGKILL')
      }
      const again = await playFaulty(scratch)
      expect(again.code, again.stderr).toBe(0)
      expect(lookAt(scratch)).toEqual(whole)
    }
  }, 300_000)
})

describe('shaketable data synthesise on a full disk', () => {
  it('says so wherever it writes, and the same command goes on', async () => {
    const made = join(scratch, 'made.jsonl')
    const given = ['--model', 'teacher', '--count', '2', '--concurrency', '1', '--out', made, '--force']
    const synthesise = (at?: number, fault?: Fault) => play(at, fault, synthesiseCommand(), given)
    begin()
    const first = await synthesise()
    expect(first.thrown).toBeUndefined()
    const text = readFileSync(made, 'utf8')
    const writes = callSites(first.calls).filter((at) => ['write', 'fsync'].includes(first.calls[at]!.kind))
    expect(writes.length).toBeGreaterThan(2)
    for (const at of writes) {
      begin()
      const { thrown } = await synthesise(at, 'ENOSPC')
      expect(thrown, JSON.stringify(first.calls[at])).toMatchObject({ name: 'ShaketableError', code: 'store' })
      expect((thrown as Error).message).toMatch(/^Cannot write to .*ENOSPC.*The disk is full\./)
      expect((await synthesise()).thrown).toBeUndefined()
      expect(readFileSync(made, 'utf8')).toBe(text)
    }
  })
})
