import type { z } from 'zod'
import { parseJson } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
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
  const lines = readText('The label file', path, advice).split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const place = `${path}:${String(index + 1)}`
    const found = schema.safeParse(parseJson(line))
    if (found.success) return [{ row: found.data, place }]
    const { path: at, message } = found.error.issues[0]!
    const where = at.length === 0 ? '' : ` at '${at.join('.')}'`
    throw new ShaketableError('bad-input', `${place}: expected ${expected}, got ${message}${where}. ${advice}`)
  })
}
