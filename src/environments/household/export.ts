import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, rmdirSync, writeFileSync } from 'node:fs'
import { ShaketableError, messageOf } from '../../core/errors.js'
import type { Lock } from '../../files/lock.js'
import { isLocked, takeLock, thisProcess } from '../../files/lock.js'
import { asWriteError } from '../../files/write-error.js'
import { compileGame } from './engine/engine.js'
import { gameFileText } from './engine/game-file.js'
import { solveHousehold } from './oracle/solve.js'
import type { GeneratedTask, Split } from './scenes/tasks.js'
import { householdTasks, splits } from './scenes/tasks.js'
import type { Generation } from './text/domain.js'

/** The tasks to export, and the folder. */
export interface HouseholdExport {
  readonly folder: string
  readonly generation: Generation
  readonly split: Split
  readonly seed?: string
  /** How many tasks; the whole split by default. */
  readonly count?: number
  /** Write into a folder that is not empty, replacing an earlier export of the same split. */
  readonly force?: boolean
  /** Stops the export; what was written so far is removed. */
  readonly signal?: AbortSignal
}

/** The result of an export. */
interface HouseholdExported {
  /** The split's folder: `…/json_2.1.1/valid_unseen`. */
  readonly path: string
  readonly games: number
  readonly bytes: number
}

/**
 * Writes household tasks as ALFWorld's own files, `json_2.1.1/<split>/<task>/<trial>/game.tw-pddl` with
 * `traj_data.json` beside it. Everything is written to a temporary folder first and moved to its place at the end, so
 * an export is complete or absent.
 * @throws ShaketableError `usage` or `bad-input` where the folder cannot be used; the signal's reason when stopped
 */
export async function exportHousehold(options: HouseholdExport): Promise<HouseholdExported> {
  const { generation, split, signal } = options
  const folder = resolve(options.folder)
  const path = join(folder, 'json_2.1.1', splits[split].folder)
  checkFolder(folder, path, options.force === true)
  const tasks = householdTasks({
    split,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.count === undefined ? {} : { count: options.count }),
  })
  let temporary: TemporaryFolder | undefined
  try {
    temporary = new TemporaryFolder(folder, path)
    let bytes = 0
    for (const task of tasks) {
      // Yields to the event loop, so that a signal can arrive.
      await nextTurn()
      signal?.throwIfAborted()
      const trial = join(temporary.fresh, ...task.id.split('/').slice(1))
      mkdirSync(resolve(trial), { recursive: true })
      for (const [name, content] of Object.entries(filesOf(task, generation))) {
        writeFileSync(join(trial, name), content)
        bytes += Buffer.byteLength(content)
      }
    }
    temporary.move()
    return { path, games: tasks.length, bytes }
  } catch (cause) {
    if (cause instanceof ShaketableError || signal?.aborted === true) throw cause
    throw asWriteError(cause, path, 'Give --out another folder')
  } finally {
    temporary?.close()
  }
}

function filesOf(task: GeneratedTask, generation: Generation): Readonly<Record<string, string>> {
  const game = task.game(generation)
  const walkthrough = solveHousehold(compileGame(game, task.id).start())
  if (walkthrough === undefined) {
    throw new ShaketableError(
      'environment',
      `Expected a solution of ${task.id} (${task.recipe}), found none. Use another seed.`,
    )
  }
  const { kind, object, target } = task.parameters
  const lit = kind === 'look_at_obj_in_light'
  const trajectory = {
    task_id: task.id.split('/').at(-1),
    task_type: kind,
    pddl_params: {
      object_target: object,
      parent_target: lit ? '' : target,
      toggle_target: lit ? target : '',
      mrecep_target: '',
      object_sliced: false,
    },
    scene: { floor_plan: `FloorPlan${task.scene}`, scene_num: task.scene },
    turk_annotations: { anns: [{ task_desc: `${task.goal}.`, high_descs: [] }] },
    source: task.recipe,
  }
  return {
    'game.tw-pddl': gameFileText({ ...game, walkthrough }),
    'traj_data.json': JSON.stringify(trajectory, undefined, 2),
  }
}

/** The temporary folders of exports, each with a lock beside it. */
const temporaryFolders = /^\.export-[\w-]{6,36}(?:\.lock.*)?$/

/**
 * Checks that games can be exported to a folder without loss; `path` is the folder of the split in it.
 * @throws ShaketableError `usage` or `bad-input` where they cannot
 */
function checkFolder(folder: string, path: string, force: boolean): void {
  const excluded = ['movable', 'Sliced'].find((word) => folder.includes(word))
  if (excluded !== undefined) {
    throw new ShaketableError(
      'usage',
      `Expected a folder without '${excluded}' in its path, as ALFWorld passes over such games, got ${folder}. Choose another name.`,
    )
  }
  const content = entriesOf(folder).filter((name) => !temporaryFolders.test(name))
  if (content.length > 0 && !force) {
    const some = content.slice(0, 3).join(', ') + (content.length > 3 ? ', …' : '')
    throw new ShaketableError(
      'usage',
      `Expected an empty or new folder to export to, got ${folder} with ${some} in it. Choose another, or give --force to replace an earlier export in it.`,
    )
  }
  for (const task of entriesOf(path)) {
    const foreign = entriesOf(join(path, task)).find((trial) => !/^trial_\d{4}$/.test(trial))
    if (foreign !== undefined) {
      throw new ShaketableError(
        'usage',
        `Expected only games that shaketable exported in ${path}, got ${task}/${foreign}, which would be lost. Choose another folder.`,
      )
    }
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return []
    throw new ShaketableError(
      'bad-input',
      `Expected a folder that can be read at ${folder}, but: ${messageOf(cause)}. Choose another.`,
      { cause },
    )
  }
}

/** Removes temporary folders whose process is gone, and restores an earlier export that one was replacing. */
function removeLeftovers(folder: string, home: string): void {
  const ids = new Set(
    entriesOf(folder).flatMap((name) => (temporaryFolders.test(name) ? [name.replace(/\.lock.*$/, '')] : [])),
  )
  for (const id of ids) {
    const temporary = join(folder, id)
    if (isLocked(`${temporary}.lock`)) continue
    for (const name of existsSync(temporary) ? entriesOf(temporary) : []) {
      if (name !== 'fresh' && !existsSync(join(home, name))) renameSync(join(temporary, name), join(home, name))
    }
    rmSync(temporary, { recursive: true, force: true })
    rmSync(`${temporary}.lock`, { force: true })
  }
}

/**
 * A temporary folder inside the output folder, whose content is moved to its place at once or removed. What a killed
 * process left behind is removed first.
 */
class TemporaryFolder {
  /** The folder for the new content. */
  readonly fresh: string
  readonly #path: string
  readonly #temporary: string
  readonly #lock: Lock
  /** Folders that were created for it, innermost first. */
  readonly #made: string[] = []

  /** Creates the output folder where it is missing; the content is for `path` in it. */
  constructor(folder: string, path: string) {
    this.#path = path
    this.#temporary = join(folder, `.export-${randomUUID()}`)
    this.fresh = join(this.#temporary, 'fresh')
    let lock: Lock | undefined
    try {
      this.#make(folder)
      removeLeftovers(folder, dirname(path))
      const guarded = { what: folder, elsewhere: 'give --out another folder' }
      this.#lock = lock = takeLock(`${this.#temporary}.lock`, thisProcess(), guarded)
      mkdirSync(this.#temporary)
    } catch (cause) {
      lock?.release()
      this.#unmake()
      throw cause
    }
  }

  /** Moves the new content to `path`, replacing what was there. */
  move(): void {
    const path = this.#path
    this.#make(dirname(path))
    const earlier = join(this.#temporary, basename(path))
    const replaces = existsSync(path)
    if (replaces) renameSync(path, earlier)
    try {
      renameSync(this.fresh, path)
    } catch (cause) {
      if (replaces) renameSync(earlier, path)
      throw cause
    }
    this.#made.length = 0
  }

  /** Removes the temporary folder, and the folders created for it if they are empty. */
  close(): void {
    rmSync(this.#temporary, { recursive: true, force: true })
    this.#lock.release()
    this.#unmake()
  }

  #unmake(): void {
    for (const folder of this.#made) if (readdirSync(folder).length === 0) rmdirSync(folder)
  }

  #make(folder: string): void {
    const missing: string[] = []
    for (let path = folder; !existsSync(path); path = dirname(path)) missing.unshift(path)
    for (const path of missing) {
      mkdirSync(path)
      this.#made.unshift(path)
    }
  }
}
