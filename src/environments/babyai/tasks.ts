import type { Task } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import type { Rules } from './sight.js'
import type { Label } from './progress.js'
import { makeLevel } from './simulator/simulation.js'
import type { MadeLevel } from './simulator/simulation.js'

/** Which tasks: AgentBoard's 112, or others on the same levels for tuning. */
export type Split = 'test' | 'train'

/** A task before it is made: its id, and which level from which seed. */
export interface LevelSeed {
  readonly id: string
  readonly level: number
  readonly seed: number
}

/** The levels that AgentBoard plays, in its order. */
const levels = [...Array.from({ length: 21 }, (_, index) => index + 1), 24, 25, 27, 28, 29, 31, 32]
const seeds: Readonly<Record<Split, readonly number[]>> = {
  test: [1234, 1235, 1236, 1237],
  train: Array.from({ length: 25 }, (_, seed) => seed),
}

/**
 * The tasks of a split in the benchmark's order: level by level, seed by seed, numbered from 0 (`train/0` and so on).
 */
export function listLevels(split: Split): readonly LevelSeed[] {
  const pairs = levels.flatMap((level) => seeds[split].map((seed) => ({ level, seed })))
  return pairs.map((pair, index) => ({ id: split === 'test' ? String(index) : `${split}/${String(index)}`, ...pair }))
}

/** Makes the level of a task. */
export function makeTaskLevel({ level, seed }: LevelSeed, rules: Rules): MadeLevel {
  return makeLevel(level, seed, rules === 'fixed' ? 'fixed' : 'minigrid-2.3.0')
}

/**
 * What is to be done. AgentBoard writes `and` for every `then` and `after you`, so that the order in which two things
 * are wanted is lost; the fixed rules leave the mission as it is.
 */
export function goalOf(mission: string, rules: Rules): string {
  return rules === 'fixed' ? mission : mission.replaceAll('then', 'and').replaceAll('after you', 'and')
}

/** Describes a task; `label` is what the label file says of it. */
export function taskOf(task: LevelSeed, made: MadeLevel, rules: Rules, label: Label | undefined): Task {
  const { mission } = made.start()
  return {
    id: task.id,
    goal: goalOf(mission, rules),
    kind: made.name,
    ...(label && { difficulty: label.difficulty }),
    hash: hashOf({ level: task.level, seed: task.seed, rules, ...(label && { subGoals: label.subGoals }) }, 16),
    data: task,
  }
}
