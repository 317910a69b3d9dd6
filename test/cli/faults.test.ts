import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../src/cli/run.js'
import { synthesiseCommand } from '../../src/cli/synthesise.js'
import { ShaketableError } from '../../src/core/errors.js'
import { createRandom } from '../../src/core/random.js'
import { readRun } from '../../src/run/store/read-run.js'
import { scratchFolder } from '../scratch.js'
import { captured, linesOf } from './_command.js'
import { type Fault, type FileCall, installFaults } from './_faulty-files.js'

const scratch = scratchFolder()
const out = join(scratch, 'run')
const grid = '--env household --perturb placebo --model parrot --temperatures 0 --out'.split(' ')
/** A run of two episodes with its report and a recording. */
const args = [...grid, out, '--tasks', '1', '--steps', '2', '--seeds', '1', '--record', join(scratch, 'tape.jsonl')]

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
async function play(at?: number, fault?: Fault, command = runCommand(), given = args): Promise<Session> {
  const chosen = at !== undefined && fault !== undefined ? { at, fault } : {}
  const faults = installFaults({ below: scratch, life: String(++lives), ...chosen })
  let thrown: unknown
  const { stdout, stderr } = await captured(() =>
    command.parseAsync(given, { from: 'user' }).catch((error: unknown) => (thrown = error)),
  )
  faults.remove()
  return { calls: faults.calls, thrown, said: stdout + stderr }
}

/**
 * The content of every file below the folder, by path. Of the recording only the replies count, since the exchanges of
 * an interrupted episode occur in it twice; of the trajectories and prompts the last line of each name, for the same
 * reason.
 */
function look(): Record<string, string> {
  const paths = readdirSync(scratch, { recursive: true, encoding: 'utf8' }).map((name) => join(scratch, name))
  const contentOf = (path: string): string => {
    if (!/(?:tape|trajectories|prompts)\.jsonl$/.test(path)) return readFileSync(path, 'utf8')
    const named = linesOf(path).map((line): [string, string] => {
      if (!path.endsWith('tape.jsonl')) return [line.slice(0, '{"hash":"'.length + 20), line]
      const { id = '', reply } = JSON.parse(line) as { id?: string; reply?: unknown }
      return [id, JSON.stringify([id, reply])]
    })
    return [...new Map(named).values()].sort().join('\n')
  }
  const files = paths.filter((path) => statSync(path).isFile())
  return Object.fromEntries(files.map((path) => [relative(scratch, path), contentOf(path)]))
}

/** The index of the first call from each call site. All files of a report count as one: the same lines write them. */
function callSites(calls: readonly FileCall[]): number[] {
  const first = new Map<string, number>()
  for (const [at, { kind, path, site }] of calls.entries()) {
    const file = path.startsWith('run/report') ? 'report' : path.replaceAll(/[0-9a-f]{12}/g, '#')
    const place = `${kind} ${file} ${site}`
    if (!first.has(place)) first.set(place, at)
  }
  return [...first.values()]
}

function storedRows(): number {
  try {
    return readRun(out).stored
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
          if (fault === 'ENOSPC' && message !== undefined)
            expect(message).toMatch(/^Cannot write to .*The disk is full\. Make room and run the same command/)
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
    const given = [...grid, out, '--tasks', '10', '--steps', '1', '--seeds', '5', '--workers', '0']
    const playThis = (at?: number, fault?: Fault) => play(at, fault, runCommand(), given)
    begin()
    const { calls: all } = await playThis()
    const undisturbed = look()
    const episodes = 10 * 2 * 5
    const keysOf = (): string[] => linesOf(join(out, 'outcomes.jsonl')).map((line) => line.slice(0, 30))
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
