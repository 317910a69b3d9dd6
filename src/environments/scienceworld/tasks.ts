import * as z from 'zod'
import { packagedData } from '../../files/packaged.js'

/** The 30 types of task: what decides one beside its variation. */
export const taskTypes = packagedData(
  'src/environments/scienceworld/tasks.yaml',
  z.array(
    z.strictObject({
      name: z.string(),
      variations: z.number(),
      subGoals: z.array(z.string()),
    }),
  ),
)

/** Names of rooms, objects and substances, as far as they are known. */
export const names = packagedData('src/environments/scienceworld/names.yaml', z.array(z.string()))

type TaskType = ReturnType<typeof taskTypes>[number]

/** A part of the variations of each type. */
export type Split = 'train' | 'dev' | 'test'

/**
 * The variations of a split, as the engine divides them: groups of a quarter each, rounded down; the first two train,
 * the third develops, the fourth and what is left test.
 */
export function variationsOf({ variations }: TaskType, split: Split): readonly number[] {
  const size = Math.floor(variations / 4)
  const [from = 0, to = 0] = { train: [0, 2 * size], dev: [2 * size, 3 * size], test: [3 * size, 5 * size] }[split]
  return Array.from({ length: Math.min(to, variations) - from }, (_, index) => from + index)
}

/** Whether a type needs electrical actions, which the simplification `noElectricalAction` would forbid. */
export function isElectrical(type: string): boolean {
  return type.includes('power-component') || type.includes('conductivity')
}

/** A variation of a type of task. */
export interface Variation {
  readonly type: string
  readonly variation: number
}

const perType = 3

/** Tasks of ours: three variations of each type, spread over the split; the first of every type, then the second, … */
export function chooseVariations(split: Split): readonly Variation[] {
  return Array.from({ length: perType }, (_, round) =>
    taskTypes().map((type) => {
      const variations = variationsOf(type, split)
      return { type: type.name, variation: variations[Math.floor((round * variations.length) / perType)]! }
    }),
  ).flat()
}
