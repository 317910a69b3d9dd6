import * as z from 'zod'
import { readLabelFile, subGoalPatterns, taskId } from '../label-file.js'
import { type SubGoals, trackSubGoals } from '../sub-goals.js'
import type { Simulation } from './simulator/simulation.js'

/** The labels of a task in AgentBoard's label file. */
export interface Label {
  readonly goal: string
  readonly difficulty: 'easy' | 'hard'
  readonly subGoals: Labels
}

const fields = { id: taskId, goal: z.string(), subgoals: subGoalPatterns }

/**
 * Reads AgentBoard's label file, one JSON object a line, by task id. Further keys that contain `subgoals` are
 * alternative ways to the goal.
 * @throws ShaketableError `bad-input` with the line
 */
export function readLabels(path: string): ReadonlyMap<string, Label> {
  const labels = new Map<string, Label>()
  for (const { row } of readLabelFile(path, 'babyai', fields)) {
    const { id, goal, difficulty } = row
    labels.set(String(id), { goal, difficulty, subGoals: subGoalsOf(row) })
  }
  return labels
}

function subGoalsOf(data: Readonly<Record<string, unknown>>): Labels {
  const ways = Object.entries(data)
    .filter(([key]) => key.includes('subgoals'))
    .flatMap(([, value]) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string') ? [value as string[]] : [],
    )
  return ways.length === 1 ? ways[0]! : ways
}

/** Sub-goals of a label file: patterns for observations, or several lists of them, each a way to the goal. */
export type Labels = readonly string[] | readonly (readonly string[])[]

/** Measures the progress of an episode. */
export type Progress = Pick<SubGoals, 'record'>

/**
 * AgentBoard's progress: each observation reaches at most one pattern, the first remaining one that it matches. With
 * several ways, the patterns at one index of each way are alternatives.
 */
export function createLabelledProgress(labels: Labels): Progress {
  const isWays = labels.some((label) => typeof label !== 'string')
  const ways = (isWays ? labels : [labels]) as readonly (readonly string[])[]
  const goals = (ways[0] ?? []).map((_, place) => ways.flatMap((way) => way[place] ?? []))
  return trackSubGoals(
    goals,
    (patterns, observation) => patterns.some((pattern) => fits(pattern, observation.split('.'))),
    1,
  )
}

/** A pattern is prose with stars for any text; one sentence must contain all its parts, in any order. */
function fits(pattern: string, sentences: readonly string[]): boolean {
  const text = pattern.trim()
  const parts = text.split(text.includes('**') ? '**' : '*').map((part) => part.trim().replace(/^\.+|\.+$/g, ''))
  return sentences.some((sentence) => parts.every((part) => sentence.includes(part)))
}

/**
 * Sub-goals derived from the instruction, used without a label file. Each subtask has two: one of its things was seen;
 * it was done when it counted, which implies the other. A reached sub-goal stays reached. Progress is the share of
 * reached sub-goals, and 1 when every subtask is done.
 */
export function createMilestones(simulation: Simulation): Progress {
  const seen = simulation.subtasks.map(() => false)
  return {
    record() {
      const inView = new Set(simulation.view())
      const done = simulation.done()
      if (done.every(Boolean)) return 1
      let count = 0
      simulation.subtasks.forEach(({ things }, index) => {
        seen[index] ||= done[index]! || things.some((thing) => inView.has(thing))
        count += Number(seen[index]) + Number(done[index])
      })
      return count / (2 * seen.length)
    },
  }
}
