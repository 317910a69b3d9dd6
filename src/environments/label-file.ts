import type { z } from 'zod'
import { ShaketableError } from '../core/errors.js'
import { jsonLinesIn } from '../files/read-json.js'
import { readText } from '../files/read-text.js'

/** How a label file of AgentBoard is read. */
interface LabelFile<Row> {
  readonly schema: z.ZodType<Row>
  /** What a row is: `a task with id, goal and subgoals`. */
  readonly expected: string
  /** How to fix a wrong file, in sentences. */
  readonly advice: string
}

/** A row with its place, for messages. */
interface PlacedRow<Row> {
  readonly row: Row
  /** `test.jsonl:3`. */
  readonly place: string
}

/**
 * The rows of one of AgentBoard's label files, one JSON object a line; empty lines are passed over.
 * @throws ShaketableError `bad-input` with the line of a row that does not fit the schema
 */
export function readLabelFile<Row>(path: string, { schema, expected, advice }: LabelFile<Row>): PlacedRow<Row>[] {
  return Array.from(jsonLinesIn(readText('The label file', path, advice)), ({ value, number }) => {
    const place = `${path}:${String(number)}`
    const found = schema.safeParse(value)
    if (found.success) return { row: found.data, place }
    const { path: at, message } = found.error.issues[0]!
    const where = at.length === 0 ? '' : ` at '${at.join('.')}'`
    throw new ShaketableError('bad-input', `${place}: expected ${expected}, got ${message}${where}. ${advice}`)
  })
}
