import type { Enlargement, Task } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import type { Rules } from './sight.js'
import type { Label } from './progress.js'
import { makeLevel } from './simulator/simulation.js'
import type { MadeLevel } from './simulator/simulation.js'

/** AgentBoard's 112 tasks, or others on the same levels for tuning. */
export type Split = 'test' | 'train'

/** What a task is made from. */
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

/** Makes the level of a task, with further things if any are given; `added` counts them. */
export function makeTaskLevel({ level, seed }: LevelSeed, rules: Rules, more?: Enlargement) {
  return makeLevel(level, seed, rules === 'fixed' ? 'fixed' : 'minigrid-2.3.0', more)
}

/**
 * The goal of a mission. AgentBoard replaces every `then` and `after you` by `and`, which loses the order of two
 * subtasks; the fixed rules keep the mission unchanged.
 */
export function goalOf(mission: string, rules: Rules): string {
  return rules === 'fixed' ? mission : mission.replaceAll('then', 'and').replaceAll('after you', 'and')
}

/** A task; `label` is its row of the label file. */
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
