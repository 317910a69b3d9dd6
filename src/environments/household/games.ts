import type { Enlargement, Task, TaskSource } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { ShaketableError, suggest } from '../../core/errors.js'
import { legacyShuffle } from '../mersenne-twister.js'
import { type Game, compileGame } from './engine/engine.js'
import type { GameSource } from './engine/game-file.js'
import { goalOfFolder, readGoal } from './goal.js'
import type { Goal } from './scenes/goal.js'
import { type GeneratedTask, type Split, householdTasks, splits } from './scenes/tasks.js'
import type { Generation } from './text/domain.js'

/** A source of games. */
export interface Games {
  /** `generated` or `alfworld`, for settings. */
  readonly name: string
  /** The wording of the first of these games. */
  wording(): Generation
  /** All tasks, in the order of the options. */
  list(): readonly Task[]
  /** Games that are left out of the list because their files are damaged; known once the list was read. */
  leftOut?(): TaskSource['leftOut']
  /** @throws ShaketableError `bad-input` where there is no such game or it cannot be played */
  find(id: string): Task
  /** Compiles the game of a task. */
  compile(task: Task): Game
  /** Compiles it with further objects; `added` counts them. Absent for games from files. */
  enlarge?(task: Task, more: Enlargement): { readonly game: Game; readonly added: number }
}

/** A task with what is known of its game without compiling it. */
export function taskOf(id: string, goal: string, hash: string): Task {
  const kind = (readGoal(goal) ?? goalOfFolder(id))?.kind
  return {
    id,
    goal,
    hash,
    ...(kind !== undefined && { kind, difficulty: kind === 'pick_and_place_simple' ? 'easy' : 'hard' }),
  }
}

/** The goal of a task. @throws ShaketableError `bad-input` where neither its sentence nor its folder tells it */
export function goalOf({ id, goal }: Task): Goal {
  const read = readGoal(goal) ?? goalOfFolder(id)
  if (read !== undefined) return read
  throw new ShaketableError(
    'bad-input',
    `The game ${id} has the goal '${goal}', which is none of ALFWorld's six kinds of task, so its progress cannot be measured. ` +
      `Choose another game.`,
  )
}

/** Games generated from a fixed seed, in the order in which they were drawn. */
export function generatedGames(split: Split, generation: Generation): Games {
  const drawn = new Map<Split, ReadonlyMap<string, GeneratedTask>>()
  const draw = (from: Split): ReadonlyMap<string, GeneratedTask> => {
    const known = drawn.get(from) ?? new Map(householdTasks(from).map((task) => [task.id, task]))
    drawn.set(from, known)
    return known
  }
  const describe = ({ id, goal, recipe }: GeneratedTask): Task =>
    taskOf(id, `${goal}.`, hashOf({ recipe, generation }, 16))
  const known = (id: string): GeneratedTask => {
    const from = Object.keys(splits()).find((name) => id.startsWith(`${splits()[name as Split].folder}/`)) as
      Split | undefined
    const task = draw(from ?? split).get(from === undefined ? `${splits()[split].folder}/${id}` : id)
    if (task !== undefined) return task
    const hint = suggest(id, draw(from ?? split).keys())
    throw new ShaketableError(
      'bad-input',
      `There is no generated household task '${id.slice(0, 200)}'.${hint} Without --list they are not shown; for ALFWorld's own games give --set household.data=DIR.`,
    )
  }

  let listed: readonly Task[] | undefined
  return {
    name: 'generated',
    wording: () => generation,
    list: () => (listed ??= [...draw(split).values()].map(describe)),
    find: (id) => describe(known(id.replace(/\/game\.tw-pddl$/, ''))),
    compile: ({ id }) => compileGame(known(id).game(generation), `The generated task ${id}`),
    enlarge({ id }, { share, seed }) {
      const task = known(id)
      const [before, after] = [task.game(generation), task.game(generation, { share, seed: `${seed}/${id}` })]
      const count = ({ pddlProblem }: GameSource): number => pddlProblem.split('(objectType ').length
      return { game: compileGame(after, `The generated task ${id}`), added: count(after) - count(before) }
    },
  }
}

/** Ids in the order of ALFWorld's sorted file paths, by code point. */
function sortIds(ids: readonly string[]): readonly string[] {
  const path = (id: string): string => `${id}/game.tw-pddl`
  return [...ids].sort((a, b) => (path(a) < path(b) ? -1 : path(a) > path(b) ? 1 : 0))
}

/** The order in which AgentBoard plays a split: sorted, then shuffled once by the gym layer with seed 1234. */
export function agentBoardOrder(ids: readonly string[]): readonly string[] {
  return legacyShuffle(sortIds(ids), 1234)
}
