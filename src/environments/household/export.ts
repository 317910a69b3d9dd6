import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ShaketableError } from '../../core/errors.js'
import { asWriteError } from '../../files/write-error.js'
import { compileGame } from './engine/index.js'
import { checkFolder, Workshop } from './export-folder.js'
import { solveHousehold } from './oracle/index.js'
import type { GeneratedTask, Split } from './scenes/index.js'
import { householdTasks, splits } from './scenes/index.js'
import type { Generation } from './text/index.js'

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
export interface HouseholdExported {
  /** The split's folder: `…/json_2.1.1/valid_unseen`. */
  readonly path: string
  readonly games: number
  readonly bytes: number
}

/**
 * Writes household tasks as ALFWorld's own files, `json_2.1.1/<split>/<task>/<trial>/game.tw-pddl` with `traj_data.json` beside it.
 * Everything is written to a folder of its own first and moved to its place at the end, so that there is all of it or nothing.
 * @throws ShaketableError `usage` or `bad-input` where the folder cannot be used; the signal's reason when it is stopped.
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
  const { pddl_domain, grammar, pddl_problem, solvable } = game
  const file = { pddlDomain: pddl_domain, grammar, pddlProblem: pddl_problem, solvable }
  const walkthrough = solveHousehold(compileGame(file, task.id).start())
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
    'game.tw-pddl': JSON.stringify({ ...game, walkthrough }),
    'traj_data.json': JSON.stringify(trajectory, undefined, 2),
  }
}
