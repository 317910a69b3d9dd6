import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { exportCommand } from '../../../src/cli/export.js'
import { createRandom } from '../../../src/core/random.js'
import { openDataFolder } from '../../../src/environments/household/folder-games.js'
import { compileGame } from '../../../src/environments/household/engine/engine.js'
import { readGameFile } from '../../../src/environments/household/engine/game-file.js'
import type { HouseholdExport } from '../../../src/environments/household/export.js'
import { exportHousehold } from '../../../src/environments/household/export.js'
import { householdTasks } from '../../../src/environments/household/scenes/tasks.js'
import { generations } from '../../../src/environments/household/text/domain.js'
import { shaketable, start } from '../../cli/_command.js'

const home = mkdtempSync(join(tmpdir(), 'household-export-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
let named = 0
const newFolder = (): string => join(home, `out-${named++}`)
const options = (folder: string): HouseholdExport => ({ folder, generation: 'old', split: 'valid-unseen', count: 8 })
const isAtWork = (folder: string): boolean =>
  existsSync(folder) &&
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.tw-pddl'))
const allIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(json|tw-pddl|txt)$/.test(name))
    .sort()

describe('exportHousehold', () => {
  it.each(generations)('writes games that play like the tasks in memory: %s', async (generation) => {
    const folder = newFolder()
    const { path, games, bytes } = await exportHousehold({ ...options(folder), generation })
    expect({ path, games }).toEqual({ path: join(folder, 'json_2.1.1', 'valid_unseen'), games: 8 })
    const tasks = householdTasks({ split: 'valid-unseen', count: 8 })
    const data = openDataFolder(folder)
    expect([...data.list('valid_unseen')].sort()).toEqual(tasks.map(({ id }) => id).sort())
    let written = 0
    for (const task of tasks) {
      const text = readFileSync(data.path(task.id), 'utf8')
      written +=
        Buffer.byteLength(text) + readFileSync(data.path(task.id).replace('game.tw-pddl', 'traj_data.json')).length
      const keys = Object.keys(JSON.parse(text) as object)
      expect(keys.join()).toBe('pddl_domain,grammar,pddl_problem,solvable,walkthrough')
      const file = readGameFile(data.path(task.id))
      const [read, kept] = [compileGame(file, task.id), compileGame(task.game(generation), task.id).start()]
      const walked = read.start()
      for (const command of file.walkthrough!) {
        expect({ command, accepted: walked.step(command).accepted, generation }).toMatchObject({ accepted: true })
      }
      expect(walked.won).toBe(true)
      const strayed = read.start()
      expect(strayed.opening).toBe(kept.opening)
      const random = createRandom(task.id)
      for (let step = 0; step < 40; step++) {
        expect(strayed.admissible()).toEqual(kept.admissible())
        const command = random.pick(strayed.admissible())
        expect(strayed.step(command)).toEqual(kept.step(command))
      }
    }
    expect(bytes).toBe(written)
  })

  it('writes the trajectory fields for ALFWorld’s loader beside each game', async () => {
    const folder = newFolder()
    await exportHousehold({ ...options(folder), count: 30 })
    for (const { id, kind, goal, parameters } of householdTasks({ split: 'valid-unseen', count: 30 })) {
      const text = readFileSync(join(folder, 'json_2.1.1', id, 'traj_data.json'), 'utf8')
      const lit = kind === 'look_at_obj_in_light'
      expect(JSON.parse(text)).toMatchObject({
        task_type: kind,
        pddl_params: {
          object_target: parameters.object,
          parent_target: lit ? '' : parameters.target,
          toggle_target: lit ? 'DeskLamp' : '',
          mrecep_target: '',
          object_sliced: false,
        },
        turk_annotations: { anns: [{ task_desc: `${goal}.` }] },
      })
    }
  })

  it('refuses a non-empty folder and leaves it as it was, unless forced', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, 'mine.txt'), 'mine')
    await expect(exportHousehold(options(folder))).rejects.toThrow(
      /with mine\.txt in it\. Choose another, or give --force/,
    )
    expect(readdirSync(folder)).toEqual(['mine.txt'])
    await exportHousehold({ ...options(folder), force: true })
    await exportHousehold({ ...options(folder), split: 'train', count: 2, force: true })
    const before = allIn(folder)
    expect(before).toHaveLength(1 + 2 * (8 + 2))
    await exportHousehold({ ...options(folder), count: 3, force: true })
    expect(allIn(folder)).toHaveLength(1 + 2 * (3 + 2))
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine')
    expect(readdirSync(folder).sort()).toEqual(['json_2.1.1', 'mine.txt'])
  })

  it('never replaces games that are not its own, not even when forced', async () => {
    const folder = newFolder()
    const task = 'look_at_obj_in_light-Bowl-None-DeskLamp-308'
    const theirs = join(folder, 'json_2.1.1', 'valid_unseen', task, 'trial_T2019')
    mkdirSync(theirs, { recursive: true })
    await expect(exportHousehold({ ...options(folder), force: true })).rejects.toThrow(
      /trial_T2019, which would be lost/,
    )
    expect(existsSync(theirs)).toBe(true)
  })

  it('leaves nothing behind when it is stopped half-way', async () => {
    const folder = join(newFolder(), 'deeper', 'still')
    const stop = new AbortController()
    const running = exportHousehold({ ...options(folder), count: 134, signal: stop.signal })
    setTimeout(() => stop.abort(), 30)
    await expect(running).rejects.toThrow()
    expect(existsSync(folder)).toBe(false)
    expect(existsSync(join(folder, '..', '..'))).toBe(false)
  })

  it('removes what a killed export left, restores what it was replacing, and leaves a running one alone', async () => {
    const folder = newFolder()
    await exportHousehold(options(folder))
    const whole = allIn(folder)
    const split = join(folder, 'json_2.1.1', 'valid_unseen')
    const lock = (host: string) => JSON.stringify({ pid: 2 ** 30, host, started: 'x' })
    const [dead, alive] = ['dead', 'live'].map((name) =>
      join(folder, `.export-00000000-0000-0000-0000-00000000${name}`),
    )
    for (const [workshop, host] of [
      [dead!, hostname()],
      [alive!, 'elsewhere'],
    ] as const) {
      mkdirSync(join(workshop, 'fresh', 'task'), { recursive: true })
      writeFileSync(`${workshop}.lock`, `${lock(host)}\n`)
    }
    // Killed between its two moves: the previous content is in the folder of the dead process.
    renameSync(split, join(dead!, 'valid_unseen'))
    const other = { ...options(folder), split: 'train', count: 1 } as const
    await exportHousehold({ ...other, force: true })
    expect(readdirSync(folder).sort()).toEqual([basename(alive!), `${basename(alive!)}.lock`, 'json_2.1.1'])
    expect(allIn(join(folder, 'json_2.1.1', 'valid_unseen')).length).toBe(whole.length)
    await expect(exportHousehold(other)).rejects.toThrow(/Expected an empty or new folder .* with json_2\.1\.1 in it/)
  })

  it('replaces its own leftovers when it is run again after it was killed', async () => {
    const folder = newFolder()
    const args = ['export', 'household', '--out', folder]
    const { child, ended } = start(args, home)
    for (let tries = 0; tries < 3000 && !isAtWork(folder); tries++) await new Promise((done) => setTimeout(done, 10))
    child.kill('SIGKILL')
    await ended
    expect(isAtWork(folder)).toBe(true)
    const again = await shaketable(args, home)
    expect([again.code, again.stderr]).toEqual([0, ''])
    expect(readdirSync(folder)).toEqual(['json_2.1.1'])
    expect(allIn(folder)).toHaveLength(2 * 134)
  })

  it('keeps an earlier export when a forced one is stopped', async () => {
    const folder = newFolder()
    await exportHousehold(options(folder))
    const before = allIn(folder)
    const stop = new AbortController()
    const running = exportHousehold({ ...options(folder), count: 134, force: true, signal: stop.signal })
    setTimeout(() => stop.abort(), 30)
    await expect(running).rejects.toThrow()
    expect(allIn(folder)).toEqual(before)
    expect(readdirSync(folder)).toEqual(['json_2.1.1'])
  })

  it('explains why it cannot write to a folder', async () => {
    const file = join(home, 'a-file.txt')
    writeFileSync(file, '')
    await expect(exportHousehold(options(file))).rejects.toThrow(/a folder that can be read at .*a-file\.txt/)
    await expect(exportHousehold(options(join(file, 'below')))).rejects.toThrow(/a-file\.txt/)
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, 'json_2.1.1'), 'a file where a folder should be')
    await expect(exportHousehold({ ...options(folder), force: true })).rejects.toThrow(/json_2\.1\.1/)
    expect(readdirSync(folder)).toEqual(['json_2.1.1'])
  })

  it('refuses a path in which ALFWorld’s loader skips every game', async () => {
    const folder = join(home, 'Sliced', 'games')
    await expect(exportHousehold(options(folder))).rejects.toThrow("a folder without 'Sliced' in its path")
    expect(existsSync(folder)).toBe(false)
  })
})

describe('shaketable export', () => {
  const run = (...words: string[]): Promise<unknown> =>
    exportCommand().exitOverride().parseAsync(words, { from: 'user' })

  it('exports a split and reports what it wrote', async () => {
    const folder = newFolder()
    const say = vi.spyOn(process.stdout, 'write').mockImplementation((_, ...rest: unknown[]) => {
      ;(rest.at(-1) as (() => void) | undefined)?.()
      return true
    })
    try {
      await run('household', '--out', folder, '--generation', 'new', '--seed', 'other')
      expect(say.mock.calls.join('')).toMatch(
        /^Wrote 134 games \(valid-unseen, new generation, seed other; [\d.]+ MB\) to .*valid_unseen\n/,
      )
    } finally {
      say.mockRestore()
    }
    expect(openDataFolder(folder).list('valid_unseen')).toHaveLength(134)
  })

  it.each([
    [['babyai', '--out', 'x'], "Unknown environment to export 'babyai'. Known: household."],
    [
      ['household', '--out', 'x', '--generation', 'olde'],
      "Unknown generation 'olde'. Did you mean 'old'? Known: old, new.",
    ],
    [
      ['household', '--out', 'x', '--split', 'valid_unseen'],
      "Unknown split 'valid_unseen'. Did you mean 'valid-unseen'?",
    ],
  ])('refuses %j', async (words, message) => {
    await expect(run(...words)).rejects.toThrow(message)
  })
})
