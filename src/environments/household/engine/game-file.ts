import { messageOf, ShaketableError } from '../../../core/errors.js'
import { expectJson } from '../../../files/read-json.js'
import { readRegular } from '../../../files/read-text.js'

/** The content of a `game.tw-pddl` file. */
export interface GameFile {
  readonly pddlDomain: string
  readonly grammar: string
  readonly pddlProblem: string
  readonly solvable: boolean
  /** Commands that solve the game; only newer files have them. */
  readonly walkthrough?: readonly string[]
}

const largestFile = 32_000_000

/** Reads a game file. @throws ShaketableError `bad-input` if it is missing or not a game file. */
export function readGameFile(path: string): GameFile {
  let text: string
  try {
    text = readRegular(path, largestFile).toString('utf8')
  } catch (cause) {
    const message = `Expected a game file at '${path}', which cannot be read: ${messageOf(cause)}. Check the path.`
    throw new ShaketableError('bad-input', message, { cause })
  }
  return parseGameFile(text, path)
}

/** Reads the text of a game file. `where` names it in messages. @throws ShaketableError `bad-input`. */
export function parseGameFile(json: string, where: string): GameFile {
  const value = expectJson(json, `The game file ${where}`, advice)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ShaketableError('bad-input', `${where}: expected a JSON object, got ${typeName(value)}. ${advice}`)
  }
  const fields = new Map<string, unknown>(Object.entries(value))
  const take = <T>(key: string, type: string, is: (field: unknown) => field is T): T => {
    const field = fields.get(key)
    if (is(field)) return field
    const got = fields.has(key) ? typeName(field) : 'nothing'
    throw new ShaketableError('bad-input', `${where}: expected "${key}" to be ${type}, got ${got}. ${advice}`)
  }
  const walkthrough = fields.get('walkthrough') ?? undefined
  return {
    pddlDomain: take('pddl_domain', 'a string', isString),
    grammar: take('grammar', 'a string', isString),
    pddlProblem: take('pddl_problem', 'a string', isString),
    solvable: take('solvable', 'true or false', isBoolean),
    ...(walkthrough === undefined ? {} : { walkthrough: take('walkthrough', 'a list of strings', isStrings) }),
  }
}

/** The text of a game file, as ALFWorld's files have it. */
export function gameFileText({ pddlDomain, grammar, pddlProblem, ...rest }: GameFile): string {
  return JSON.stringify({ pddl_domain: pddlDomain, grammar, pddl_problem: pddlProblem, ...rest })
}

const advice = 'Use a game.tw-pddl file as ALFWorld publishes them.'

const isString = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString)

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}
