import type { Task, TaskSource } from '../../core/environment.js'
import { ShaketableError } from '../../core/errors.js'
import type { Game } from './engine/index.js'
import type { Goal } from './goal.js'
import { goalOfFolder, readGoal } from './goal.js'
import type { Generation } from './text/index.js'

/** Where the games of an environment come from. */
export interface Games {
  /** Where from, in a word. */
  readonly name: string
  /** The wording of these games, as far as the first tells. */
  wording(): Generation
  /** All tasks in the order asked for. */
  list(): readonly Task[]
  /** Games that the list lacks since their files are damaged; known once the list was read. */
  leftOut?(): TaskSource['leftOut']
  /** @throws ShaketableError `bad-input` where there is no such game or it cannot be played */
  find(id: string): Task
  /** Makes a game ready to be played. */
  compile(task: Task): Game
}

/** A task from what is known of a game without compiling it. */
export function taskOf(id: string, goal: string, hash: string): Task {
  const kind = (readGoal(goal) ?? goalOfFolder(id))?.kind
  return {
    id,
    goal,
    hash,
    ...(kind !== undefined && { kind, difficulty: kind === 'pick_and_place_simple' ? 'easy' : 'hard' }),
  }
}

/** What a task asks for. @throws ShaketableError `bad-input` where neither its goal nor its folder says it in ALFWorld's way */
export function goalOf({ id, goal }: Task): Goal {
  const read = readGoal(goal) ?? goalOfFolder(id)
  if (read !== undefined) return read
  throw new ShaketableError(
    'bad-input',
    `The game ${id} has the goal '${goal}', which is none of ALFWorld's six kinds of task, so its progress cannot be measured. ` +
      `Play it with --engine raw, or choose another game.`,
  )
}
