import * as z from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { readText } from '../../files/read-text.js'
import type { Labels } from './labelled-progress.js'

/** What AgentBoard's label file says of a task. */
export interface Label {
  readonly goal: string
  readonly difficulty: 'easy' | 'hard'
  readonly subGoals: Labels
}

const pattern = z.string().max(2000)
const row = z.looseObject({
  task: z.literal('babyai').optional(),
  id: z.union([z.number(), z.string()]),
  goal: z.string(),
  difficulty: z.enum(['easy', 'hard']),
  subgoals: z.array(pattern).min(1),
})

const advice = "Give the path of AgentBoard's data/babyai/test.jsonl."

/**
 * Reads AgentBoard's label file, one JSON object a line, by the number of the task. Where a row has further keys with `subgoals` in them they are
 * other ways to the goal.
 * @throws ShaketableError `bad-input` with the line
 */
export function readLabels(path: string): ReadonlyMap<string, Label> {
  const text = readText('The label file', path, advice)
  const labels = new Map<string, Label>()
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return
    const found = row.safeParse(parse(line))
    if (!found.success) {
      const { path: at, message } = found.error.issues[0]!
      const place = at.length === 0 ? '' : ` at '${at.join('.')}'`
      throw new ShaketableError(
        'bad-input',
        `${path}:${String(index + 1)}: expected a task with id, goal, difficulty and subgoals, got ${message}${place}. ${advice}`,
      )
    }
    const { id, goal, difficulty } = found.data
    labels.set(String(id), { goal, difficulty, subGoals: subGoalsOf(found.data) })
  })
  return labels
}

function subGoalsOf(data: z.infer<typeof row>): Labels {
  const ways = Object.entries(data)
    .filter(([key]) => key.includes('subgoals'))
    .flatMap(([, value]) =>
      Array.isArray(value) && value.every((one) => typeof one === 'string') ? [value as string[]] : [],
    )
  return ways.length === 1 ? ways[0]! : ways
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
