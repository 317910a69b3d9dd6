import type { Enlargement } from '../../../core/environment.js'
import { ShaketableError } from '../../../core/errors.js'
import { type Random, createRandom } from '../../../core/random.js'
import type { GameSource } from '../engine/game-file.js'
import { type Generation, domainText } from '../text/domain.js'
import { furnish } from './furnish.js'
import { type Goal, drawGoal, goalSentence } from './goal.js'
import type { TaskKind } from './rooms.js'
import { taskKinds } from './rooms.js'
import { populate, problemText } from './problem.js'
import { rooms as kindsOfRoom, sceneData } from './rooms.js'
import { type Scene, weighted } from './scene.js'

/**
 * Everything that determines the scenes: a version, which changes whenever the seed gives other tasks, and the seed.
 */
const origin = 'household scenes 1, seed "1"'
const seed = 'household/1'

/** A split's tasks, all of which can be solved. Scenes and goals are drawn at once, the texts of a game on demand. */
export function householdTasks(split: Split): readonly GeneratedTask[] {
  const { tasks } = splits()[split]
  const random = createRandom(`${seed}/${split}`)
  const deck = random.fork('kinds').shuffle(taskKinds.flatMap((kind) => Array<TaskKind>(tasks[kind]).fill(kind)))
  const scenes = scenesOf(split)
  return deck.map((kind, index) => generate(split, index, kind, scenes, random.fork(`task ${index}`)))
}

function generate(split: Split, index: number, kind: TaskKind, scenes: readonly Scene[], random: Random) {
  const { scene, goal } = drawScene(kind, scenes, random.fork('goal'))
  const sentence = goalSentence(goal, random.fork('sentence'))
  const target = `${goal.kind}-${goal.object}-None-${goal.target}-${scene.number}`
  const trial = `trial_${String(index + 1).padStart(4, '0')}`
  let problem: string | undefined
  return {
    /** Its folder, as in ALFWorld: `valid_unseen/pick_and_place_simple-Mug-None-Desk-1351/trial_0007`. */
    id: `${splits()[split].folder}/${target}/${trial}`,
    /** The goal sentence, without a full stop. */
    goal: sentence,
    /** Everything that determines the game, in a line. */
    recipe: `${origin}, ${split} ${index + 1}`,
    /** The game in the wording of a generation, written on demand. */
    game(generation: Generation, more?: Enlargement): GameSource {
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

/** A generated household task. */
export type GeneratedTask = ReturnType<typeof generate>

function drawScene(kind: TaskKind, scenes: readonly Scene[], random: Random): { scene: Scene; goal: Goal } {
  const { roomsOfKind } = sceneData()
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
export type Split = keyof ReturnType<typeof sceneData>['splits']

/** The composition of the splits. */
export const splits = (): ReturnType<typeof sceneData>['splits'] => sceneData().splits

/** Every scene of a split. */
function scenesOf(split: Split): readonly Scene[] {
  const random = createRandom(seed)
  return splits()[split].rooms.flatMap(({ room, first, count }) =>
    Array.from({ length: count }, (_, at) =>
      furnish(kindsOfRoom()[room], first + at, random.fork(`scene ${first + at}`)),
    ),
  )
}
