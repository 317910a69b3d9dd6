import { createContext, Script } from 'node:vm'
import * as z from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { labelAdvice, readLabelFile, subGoalPatterns, taskId } from '../label-file.js'
import { type SubGoals, trackSubGoals } from '../sub-goals.js'
import type { Variation } from './tasks.js'

/** A task of AgentBoard's label file. */
export interface Label extends Variation {
  readonly id: string
  readonly goal: string
  readonly difficulty: 'easy' | 'hard'
  /** Regular expressions; a task is solved when each has matched an observation. */
  readonly subGoals: readonly string[]
}

const fields = {
  id: taskId,
  goal: z.string(),
  subgoals: subGoalPatterns,
  additional_info: z.looseObject({ var: z.number().int().nonnegative(), env_name: z.string().min(1).max(200) }),
}

const advice = labelAdvice('scienceworld')

/**
 * Reads AgentBoard's label file, one JSON object a line. As in AgentBoard, of two rows for one variation of a task the
 * later one counts, in the place of the earlier.
 * @throws ShaketableError `bad-input` with the line
 */
export function readLabels(path: string): readonly Label[] {
  const labels = new Map<string, Label>()
  for (const { row, place } of readLabelFile(path, 'scienceworld', fields)) {
    const { id, goal, difficulty, subgoals, additional_info: info } = row
    const bad = subgoals.find((pattern) => !isPattern(pattern))
    if (bad !== undefined) {
      const why = `'${bad.slice(0, 100)}' is not a regular expression that can be read here`
      throw new ShaketableError('bad-input', `${place}: ${why}. ${advice}`)
    }
    const label = { id: String(id), goal, difficulty, subGoals: subgoals, type: info.env_name, variation: info.var }
    labels.set(`${label.type}/${String(label.variation)}`, label)
  }
  if (labels.size === 0) throw new ShaketableError('bad-input', `${path} has no tasks. ${advice}`)
  return [...labels.values()]
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

const maxMatchMs = 2000
/** Without repetition and alternatives, no text makes the match of a pattern slow. */
const plain = /^[^*+?{|]*$/
const sandbox = createContext({ pattern: '', text: '' })
const script = new Script('new RegExp(pattern).test(text)')

/**
 * AgentBoard's progress: a sub-goal is reached once its pattern is found in an observation; several can be reached at
 * once, in any order.
 * @throws ShaketableError `environment` from `record`, for a pattern that takes more than two seconds on an observation
 */
export function createSubGoals(patterns: readonly string[]): SubGoals {
  return trackSubGoals(patterns, matches)
}

function matches(pattern: string, text: string): boolean {
  if (plain.test(pattern)) return new RegExp(pattern).test(text)
  try {
    return script.runInContext(Object.assign(sandbox, { pattern, text }), { timeout: maxMatchMs }) as boolean
  } catch (cause) {
    const message = `The sub-goal '${pattern.slice(0, 100)}' takes longer than ${String(maxMatchMs / 1000)} s on an observation. Simplify it in the label file.`
    throw new ShaketableError('environment', message, { cause })
  }
}
