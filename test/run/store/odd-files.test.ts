import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import json from '../../../reports/json.js'
import { writeOwnReports } from '../../../src/cli/report.js'
import { ShaketableError } from '../../../src/core/errors.js'
import { summariseRun } from '../../../src/run/find-runs.js'
import { followRun } from '../../../src/run/follow-run.js'
import { createGrid } from '../../../src/run/grid.js'
import { createLocalPlayer } from '../../../src/run/play-cell.js'
import { schedule } from '../../../src/run/schedule.js'
import { writeServers } from '../../../src/run/servers.js'
import { openShrunk } from '../../../src/run/shrink/shrunk-file.js'
import { FileStore } from '../../../src/run/store/file-store.js'
import { mergeRuns } from '../../../src/run/store/merge-runs.js'
import { readRun } from '../../../src/run/store/read-run.js'
import { clearStopped, filesOf, writePrices, writeStopped } from '../../../src/run/store/run-folder.js'
import { recordSession } from '../../../src/run/store/sessions.js'
import { checkRun } from '../../../src/run/store/check-run.js'
import { scratchFolder } from '../../scratch.js'
import { doorParts } from '../_fakes.js'

const scratch = scratchFolder()
const [base, sound, run, elsewhere] = ['base', 'sound', 'run', 'elsewhere'].map((name) => join(scratch, name)) as [
  string,
  string,
  string,
  string,
]
const grid = createGrid(doorParts(1, { temperatures: [0] }), '1.0.0')
const never = new AbortController().signal
const spent = { episodes: 1, calls: 1, attempts: 1, tokens: { prompt: 1, completion: 1 } }

async function play(folder: string): Promise<void> {
  const files = filesOf(folder)
  const store = await FileStore.open(folder, { plan: grid.plan, experiment: {} })
  await schedule({ plan: grid.plan, player: createLocalPlayer(grid, 1), store, played: () => undefined, stop: never })
  await store.close()
  const session = { session: 'one', started: '2026-01-01T00:00:00Z', spent: () => spent }
  recordSession(files.sessions, session).close()
  writePrices(files.prices, new Map())
  clearStopped(files.stopped)
  writeStopped(files.stopped, 'The budget is used up.')
}

type Commands = Readonly<Record<string, (folder: string) => unknown>>

/** What commands do with a run; each may refuse it. */
const reading: Commands = {
  check: checkRun,
  runs: summariseRun,
  follow: (folder) => followRun(folder).update(),
}
const writing: Commands = {
  run: play,
  report: (folder) => writeOwnReports(readRun(folder), folder, [json]),
  shrink: async (folder) => {
    const opened = await openShrunk(filesOf(folder).shrunk)
    await opened.addReplay('two', { lost: false, calls: 1 })
    await opened.close()
  },
  merge: (folder) => mergeRuns([folder], join(scratch, 'merged'), { stop: never, opened: () => undefined }),
  'merge into': (folder) => mergeRuns([sound], folder, { stop: never, opened: () => undefined }),
}

beforeAll(async () => {
  await play(sound)
  cpSync(sound, base, { recursive: true })
  const files = filesOf(base)
  writeServers(files.servers, [])
  writeFileSync(files.lock, `${JSON.stringify({ pid: 1, host: 'gone', started: '1' })}\n`)
  writeFileSync(files.shrunk, '')
  // Each command that writes cuts an unfinished last line.
  for (const path of [files.outcomes, files.trajectories, files.prompts, files.sessions, files.shrunk])
    appendFileSync(path, '{"key":"')
  for (const path of [files.prices, files.stopped]) appendFileSync(path, 'damage')
})

const names = Object.entries(filesOf('')).flatMap(([field, path]) => (field === 'folder' ? [] : [basename(path)]))
const folders = ['report']

/** Puts something odd in the place of a file, with what was there elsewhere. */
const kinds: Readonly<Record<string, (path: string, other: string) => void>> = {
  link: (path, other) => symlinkSync(other, path),
  'hard link': (path, other) => linkSync(other, path),
  'link to nothing': (path, other) => symlinkSync(`${other}-none`, path),
  FIFO: (path) => execFileSync('mkfifo', [path]),
  device: (path) => symlinkSync('/dev/zero', path),
}

const cases = Object.keys(kinds).flatMap((kind) =>
  names.filter((name) => kind !== 'hard link' || !folders.includes(name)).map((name) => [kind, name] as const),
)

it.skipIf(process.platform === 'win32').each(cases)(
  'neither hangs on a %s as %s nor writes through it',
  async (kind, name) => {
    const failures: string[] = []
    const isRead = kind === 'FIFO' || kind === 'device'
    for (const [command, perform] of Object.entries({ ...(isRead && reading), ...writing })) {
      for (const folder of [run, elsewhere, join(scratch, 'merged')]) rmSync(folder, { recursive: true, force: true })
      cpSync(base, run, { recursive: true })
      if (name !== 'lock') rmSync(filesOf(run).lock)
      if (folders.includes(name)) mkdirSync(join(run, name))
      mkdirSync(elsewhere)
      const [path, other] = [join(run, name), join(elsewhere, name)]
      renameSync(path, other)
      if (name === 'servers.json') appendFileSync(other, 'damage')
      const before = textOf(other)
      kinds[kind]!(path, other)
      try {
        await perform(run)
      } catch (thrown) {
        if (!(thrown instanceof ShaketableError)) failures.push(`${command}: ${String(thrown)}`)
      }
      if (textOf(other) !== before) failures.push(`${command} changed it`)
      if (readdirSync(elsewhere).length > 1) failures.push(`${command} wrote ${readdirSync(elsewhere).join(' ')}`)
    }
    expect(failures).toEqual([])
  },
)

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return readdirSync(path).join('\n')
  }
}

it('names the file and what it is', async () => {
  for (const folder of [run, elsewhere]) rmSync(folder, { recursive: true, force: true })
  cpSync(base, run, { recursive: true })
  rmSync(filesOf(run).lock)
  renameSync(filesOf(run).outcomes, elsewhere)
  symlinkSync(elsewhere, filesOf(run).outcomes)
  await expect(play(run)).rejects.toThrow(
    `Cannot write to ${filesOf(run).outcomes}: expected a regular file or folder of its own, but it is a link. Move it away, or write to another folder.`,
  )
})
