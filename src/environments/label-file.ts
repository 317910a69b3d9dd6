import * as z from 'zod'
import { recordsIn } from '../files/read-json.js'
import { readText } from '../files/read-text.js'
import { expectShape } from './prompts.js'

/** Sub-goals of a task, as AgentBoard's label files have them. */
export const subGoalPatterns = z.array(z.string().max(2000)).min(1)

/** The id of a task, as AgentBoard's label files have it. */
export const taskId = z.union([z.number(), z.string()])

/** What to do about a wrong label file of an environment. */
export function labelAdvice(environment: string): string {
  return `Give the path of AgentBoard's data/${environment}/test.jsonl.`
}

/**
 * The rows of one of AgentBoard's label files, one JSON object a line, each with its difficulty, and its place for
 * messages, `test.jsonl:3`.
 * @param fields further fields of a row
 * @throws ShaketableError `bad-input` with the line of a row that has not these fields, or is of another environment
 */
export function readLabelFile<Fields extends z.ZodRawShape>(path: string, environment: string, fields: Fields) {
  const advice = labelAdvice(environment)
  const difficulty = z.enum(['easy', 'hard'])
  const schema = z.looseObject({ task: z.literal(environment).optional(), ...fields, difficulty })
  const needed = Object.keys(fields).filter((name) => !(fields[name] instanceof z.ZodOptional))
  const expected = `expected a task with ${needed.join(', ')} and difficulty`
  return recordsIn(readText('The label file', path, advice), path, advice).map(({ value, place }) => {
    return { row: expectShape(schema, value, `${place}: ${expected}`, advice), place }
  })
}
