import type { Enlargement } from '../../../core/environment.js'
import { ShaketableError } from '../../../core/errors.js'
import type { Random } from '../../../core/random.js'
import { createRandom } from '../../../core/random.js'
import type { GameSource } from '../engine/game-file.js'
import { domainText } from '../text/domain.js'
import type { Generation } from '../text/domain.js'
import { furnish } from './furnish.js'
import type { Goal, TaskKind } from './goal.js'
import { drawGoal, goalSentence, taskKinds } from './goal.js'
import { populate, problemText } from './problem.js'
import { rooms as kindsOfRoom } from './rooms.js'
import type { Scene } from './scene.js'
import { weighted } from './scene.js'

/**
 * Everything that determines the scenes: a version, which changes whenever the seed gives other tasks, and the seed.
 */
const origin = 'household scenes 1, seed "1"'
const seed = 'household/1'

/** A generated household task. */
export interface GeneratedTask {
  /**
   * Its folder below `json_2.1.1`, in ALFWorld's form:
   * `valid_unseen/pick_and_place_simple-Mug-None-Desk-1351/trial_0007`.
   */
  readonly id: string
  readonly kind: TaskKind
  /** The goal sentence, without a full stop. */
  readonly goal: string
  /** The classes the goal names, as ALFRED writes them. */
  readonly parameters: Goal
  /** Number of its scene. */
  readonly scene: number
  /** Everything that determines the game, in a line. */
  readonly recipe: string
  /** The game in the wording of a generation, written on demand. */
  game(generation: Generation, more?: Enlargement): GameSource
}

/** A split's tasks, all of which can be solved. Scenes and goals are drawn at once, the texts of a game on demand. */
export function householdTasks(split: Split): readonly GeneratedTask[] {
  const { tasks } = splits[split]
  const random = createRandom(`${seed}/${split}`)
  const deck = random.fork('kinds').shuffle(taskKinds.flatMap((kind) => Array<TaskKind>(tasks[kind]).fill(kind)))
  const scenes = scenesOf(split)
  return deck.map((kind, index) => generate(split, index, kind, scenes, random.fork(`task ${index}`)))
}

function generate(
  split: Split,
  index: number,
  kind: TaskKind,
  scenes: readonly Scene[],
  random: Random,
): GeneratedTask {
  const { scene, goal } = drawScene(kind, scenes, random.fork('goal'))
  const sentence = goalSentence(goal, random.fork('sentence'))
  const target = `${goal.kind}-${goal.object}-None-${goal.target}-${scene.number}`
  const trial = `trial_${String(index + 1).padStart(4, '0')}`
  let problem: string | undefined
  return {
    id: `${splits[split].folder}/${target}/${trial}`,
    kind,
    goal: sentence,
    parameters: goal,
    scene: scene.number,
    recipe: `${origin}, ${split} ${index + 1}`,
    game(generation, more) {
      const write = (): string => problemText(`plan_${trial}`, populate(scene, goal, random.fork('items'), more))
      return {
        pddlDomain: domainText(generation),
        pddlProblem: more === undefined ? (problem ??= write()) : write(),
        generation,
        goalSentence: `${sentence}.`,
      }
    },
  }
}

function drawScene(kind: TaskKind, scenes: readonly Scene[], random: Random): { scene: Scene; goal: Goal } {
  const preferred = weighted(roomsOfKind[kind], random)
  const others = roomsOfKind[kind].map(([room]) => room).filter((room) => room !== preferred)
  for (const room of [preferred, ...others]) {
    for (const scene of random.shuffle(scenes.filter((candidate) => candidate.room === kindsOfRoom()[room]))) {
      const goal = drawGoal(kind, scene, random)
      if (goal !== undefined) return { scene, goal }
    }
  }
  throw new ShaketableError(
    'environment',
    `Expected a household scene for a task of kind ${kind}, found none. Report this.`,
  )
}

/** `train` is for training, `valid-unseen` for evaluation; no scene is in both. */
export type Split = 'train' | 'valid-unseen'

/**
 * The composition of a split. ALFWorld evaluates on four rooms, one of each kind, so a result depends on four layouts;
 * here there are 38, with more kitchens because more kinds of task need one. As in ALFWorld there are 108 training
 * rooms, and several tasks share a room. The number of tasks of each kind is ALFWorld's own for
 * `valid-unseen`, and in its proportion for `train`.
 */
export const splits: Readonly<
  Record<
    Split,
    {
      /** The split's folder in ALFWorld's data. */
      readonly folder: string
      readonly tasks: Readonly<Record<TaskKind, number>>
      readonly rooms: readonly { readonly room: RoomKind; readonly first: number; readonly count: number }[]
    }
  >
> = {
  train: {
    folder: 'train',
    tasks: {
      pick_and_place_simple: 133,
      look_at_obj_in_light: 52,
      pick_clean_then_place_in_recep: 110,
      pick_heat_then_place_in_recep: 78,
      pick_cool_then_place_in_recep: 90,
      pick_two_obj_and_place: 137,
    },
    rooms: rooms(1, { kitchen: 27, livingRoom: 27, bedroom: 27, bathroom: 27 }),
  },
  'valid-unseen': {
    folder: 'valid_unseen',
    tasks: {
      pick_and_place_simple: 24,
      look_at_obj_in_light: 18,
      pick_clean_then_place_in_recep: 31,
      pick_heat_then_place_in_recep: 23,
      pick_cool_then_place_in_recep: 21,
      pick_two_obj_and_place: 17,
    },
    rooms: rooms(51, { kitchen: 12, livingRoom: 8, bedroom: 10, bathroom: 8 }),
  },
}

type RoomKind = 'kitchen' | 'livingRoom' | 'bedroom' | 'bathroom'

/** Scene numbers are ALFRED's plus 1000, so that none is mistaken for one of its floor plans. */
function rooms(first: number, counts: Readonly<Record<RoomKind, number>>) {
  return [
    { room: 'kitchen' as const, first: 1000 + first, count: counts.kitchen },
    { room: 'livingRoom' as const, first: 1200 + first, count: counts.livingRoom },
    { room: 'bedroom' as const, first: 1300 + first, count: counts.bedroom },
    { room: 'bathroom' as const, first: 1400 + first, count: counts.bathroom },
  ]
}

/** The kinds of room for a kind of task, weighted by the number of ALFWorld's validation games there. */
const roomsOfKind: Readonly<Record<TaskKind, readonly (readonly [room: RoomKind, weight: number])[]>> = {
  pick_and_place_simple: [
    ['kitchen', 13],
    ['livingRoom', 16],
    ['bedroom', 14],
    ['bathroom', 16],
  ],
  look_at_obj_in_light: [
    ['livingRoom', 2],
    ['bedroom', 29],
  ],
  pick_clean_then_place_in_recep: [
    ['kitchen', 40],
    ['bathroom', 18],
  ],
  pick_heat_then_place_in_recep: [['kitchen', 1]],
  pick_cool_then_place_in_recep: [['kitchen', 1]],
  pick_two_obj_and_place: [
    ['kitchen', 7],
    ['livingRoom', 10],
    ['bedroom', 9],
    ['bathroom', 15],
  ],
}

/** Every scene of a split. */
function scenesOf(split: Split): readonly Scene[] {
  const random = createRandom(seed)
  return splits[split].rooms.flatMap(({ room, first, count }) =>
    Array.from({ length: count }, (_, at) =>
      furnish(kindsOfRoom()[room], first + at, random.fork(`scene ${first + at}`)),
    ),
  )
}
