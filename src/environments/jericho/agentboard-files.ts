import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { readText } from '../../files/read-text.js'
import { readLabelFile, subGoalPatterns } from '../label-file.js'

/** A row of AgentBoard's label file. */
export interface Label {
  readonly goal: string | undefined
  readonly difficulty: 'easy' | 'hard'
  readonly subGoals: readonly string[]
}

const fields = { goal: z.string().optional(), subgoals: subGoalPatterns }

/**
 * Reads AgentBoard's label file, one JSON object a line, in the order of its games.
 * @throws ShaketableError `bad-input` with the line
 */
export function readLabels(path: string): readonly Label[] {
  return readLabelFile(path, 'jericho', fields).map(({ row: { goal, difficulty, subgoals } }) => ({
    goal,
    difficulty,
    subGoals: subgoals,
  }))
}

const textAdvice = "Give AgentBoard's folder, or its agentboard/environment/jericho_env.py."
const inFolder = ['agentboard/environment/jericho_env.py', 'environment/jericho_env.py', 'jericho_env.py']

/**
 * Reads the goals and first observations that AgentBoard keeps in `jericho_env.py`, in the dictionaries `game_goals`
 * and `game_init_obs`.
 * @param path the file, or AgentBoard's folder
 * @throws ShaketableError `bad-input` where the file has no such dictionaries
 */
export function readTexts(path: string) {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  const file = isFolder ? (inFolder.map((part) => join(path, part)).find((inside) => existsSync(inside)) ?? path) : path
  const text = readText("AgentBoard's file", file, textAdvice)
  const read = (name: string): ReadonlyMap<string, string> => {
    const entries = readDictionary(text, name)
    if (entries !== undefined) return entries
    throw new ShaketableError(
      'bad-input',
      `${file}: expected a dictionary '${name}' of strings, as AgentBoard's jericho_env.py has, found none. ${textAdvice}`,
    )
  }
  return { goals: read('game_goals'), openings: read('game_init_obs') }
}

/** Goals and first observations by game, as AgentBoard's program has them. */
export type Texts = ReturnType<typeof readTexts>

/** A dictionary of a Python file with strings alone. */
function readDictionary(text: string, name: string): ReadonlyMap<string, string> | undefined {
  const begin = text.search(new RegExp(`^${name} *= *\\{`, 'm'))
  if (begin === -1) return undefined
  const texts = new Map<string, string>()
  const pair =
    /\s*(?:#[^\n]*\n\s*)*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')\s*:\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')\s*,?/y
  pair.lastIndex = text.indexOf('{', begin) + 1
  for (let match = pair.exec(text); match !== null; match = pair.exec(text)) {
    texts.set(unquote(match[1]!), unquote(match[2]!))
  }
  return texts.size === 0 ? undefined : texts
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unquote(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(.)/g, (whole, one: string) => (`"'\\`.includes(one) ? one : (escapes[one] ?? whole)))
}
