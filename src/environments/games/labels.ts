import { z } from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { readText } from '../../files/read-text.js'
import { gameNames } from './wording.js'

/** How hard AgentBoard takes each task to be, by its id. */
export type Difficulties = ReadonlyMap<string, 'easy' | 'hard'>

const row = z.looseObject({
  difficulty: z.enum(['easy', 'hard']),
  additional_info: z.looseObject({ subtask: z.string() }),
})
const advice = "Give the path of AgentBoard's data/pddl/test.jsonl."

/**
 * Reads the difficulties from AgentBoard's label file, one JSON object a line: the rows of each game are its problems in order. Nothing else in it
 * bears on an episode.
 * @throws ShaketableError `bad-input` with the line, or where it is of another environment
 */
export function readDifficulties(path: string): Difficulties {
  const text = readText('The label file', path, advice)
  const found = new Map<string, 'easy' | 'hard'>()
  const counts = new Map<string, number>()
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return
    const parsed = row.safeParse(parse(line))
    if (!parsed.success) {
      const { path: at, message } = parsed.error.issues[0]!
      const place = at.length === 0 ? '' : ` at '${at.join('.')}'`
      throw new ShaketableError(
        'bad-input',
        `${path}:${String(index + 1)}: expected a task with difficulty and additional_info.subtask, got ${message}${place}. ${advice}`,
      )
    }
    const {
      difficulty,
      additional_info: { subtask },
    } = parsed.data
    const number = counts.get(subtask) ?? 0
    counts.set(subtask, number + 1)
    found.set(`${subtask}/${String(number)}`, difficulty)
  })
  if (gameNames.every((game) => !counts.has(game))) {
    throw new ShaketableError(
      'bad-input',
      `${path}: expected tasks of ${gameNames.join(', ')}, got none of them. ${advice}`,
    )
  }
  return found
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
