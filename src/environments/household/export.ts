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

/** What is to be exported, and where to. */
export interface HouseholdExport {
  readonly folder: string
  readonly generation: Generation
  readonly split: Split
  readonly seed?: string
  /** How many tasks; the whole split by default. */
  readonly count?: number
  /** Write into a folder that is not empty, replacing an earlier export of the same split. */
  readonly force?: boolean
  /** Stops the export; what was written so far is taken away again. */
  readonly signal?: AbortSignal
}

/** What an export left behind. */
interface HouseholdExported {
  /** The split's folder: `…/json_2.1.1/valid_unseen`. */
  readonly path: string
  readonly games: number
  readonly bytes: number
}

/**
 * Writes household tasks as ALFWorld's own files, `json_2.1.1/<split>/<task>/<trial>/game.tw-pddl` with
 * `traj_data.json` beside it. Everything is written to a folder of its own first and moved to its place at the end, so
 * that there is all of it or nothing.
 * @throws ShaketableError `usage` or `bad-input` where the folder cannot be used; the signal's reason when it is
 * stopped.
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
  let workshop: Workshop | undefined
  try {
    workshop = new Workshop(folder, path)
    let bytes = 0
    for (const task of tasks) {
      // A turn of the event loop, in which a signal can arrive.
      await nextTurn()
      signal?.throwIfAborted()
      const trial = join(workshop.fresh, ...task.id.split('/').slice(1))
      mkdirSync(resolve(trial), { recursive: true })
      for (const [name, content] of Object.entries(filesOf(task, generation))) {
        writeFileSync(join(trial, name), content)
        bytes += Buffer.byteLength(content)
      }
    }
    workshop.move()
    return { path, games: tasks.length, bytes }
  } catch (cause) {
    if (cause instanceof ShaketableError || signal?.aborted === true) throw cause
    throw asWriteError(cause, path, 'Give --out another folder')
  } finally {
    workshop?.close()
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

/** Folders in which an export is made, each with a lock beside it. */
const workshops = /^\.export-[\w-]{6,36}(?:\.lock.*)?$/

/**
 * Sees whether games can be exported to a folder without loss; `path` is the folder of the split in it.
 * @throws ShaketableError `usage` or `bad-input` where they cannot.
 */
function checkFolder(folder: string, path: string, force: boolean): void {
  const passedOver = ['movable', 'Sliced'].find((word) => folder.includes(word))
  if (passedOver !== undefined) {
    throw new ShaketableError(
      'usage',
      `Expected a folder without '${passedOver}' in its path, as ALFWorld passes over such games, got ${folder}. Choose another name.`,
    )
  }
  const content = entriesOf(folder).filter((name) => !workshops.test(name))
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

/** Removes workshops whose process is gone; an earlier export that it had taken away to replace it is put back. */
function removeLeftovers(folder: string, home: string): void {
  const ids = new Set(
    entriesOf(folder).flatMap((name) => (workshops.test(name) ? [name.replace(/\.lock.*$/, '')] : [])),
  )
  for (const id of ids) {
    const workshop = join(folder, id)
    if (isLocked(`${workshop}.lock`)) continue
    for (const name of existsSync(workshop) ? entriesOf(workshop) : []) {
      if (name !== 'fresh' && !existsSync(join(home, name))) renameSync(join(workshop, name), join(home, name))
    }
    rmSync(workshop, { recursive: true, force: true })
    rmSync(`${workshop}.lock`, { force: true })
  }
}

/**
 * A workshop inside the folder that is written to: what is made in it comes to its place in one move, or is gone. What
 * a killed process left in the folder is removed first.
 */
class Workshop {
  /** Where the new content is made. */
  readonly fresh: string
  readonly #path: string
  readonly #workshop: string
  readonly #lock: Lock
  /** Folders that were made for it, innermost first. */
  readonly #made: string[] = []

  /** Makes the folder where it is missing; the content is for `path` in it. */
  constructor(folder: string, path: string) {
    this.#path = path
    this.#workshop = join(folder, `.export-${randomUUID()}`)
    this.fresh = join(this.#workshop, 'fresh')
    let lock: Lock | undefined
    try {
      this.#make(folder)
      removeLeftovers(folder, dirname(path))
      const guarded = { what: folder, elsewhere: 'give --out another folder' }
      this.#lock = lock = takeLock(`${this.#workshop}.lock`, thisProcess(), guarded)
      mkdirSync(this.#workshop)
    } catch (cause) {
      lock?.release()
      this.#unmake()
      throw cause
    }
  }

  /** Puts the new content where it belongs, in the place of what was there before. */
  move(): void {
    const path = this.#path
    this.#make(dirname(path))
    const earlier = join(this.#workshop, basename(path))
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

  /** Takes away the workshop, and the folders made for it as long as they are empty. */
  close(): void {
    rmSync(this.#workshop, { recursive: true, force: true })
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
