import { createHash } from 'node:crypto'
import { messageOf, ShaketableError } from '../../../core/errors.js'
import { expectJson } from '../../../files/read-json.js'
import { readRegular } from '../../../files/read-text.js'
import type { Generation } from '../text/domain.js'
import { domainText } from '../text/domain.js'

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

/** What a game is compiled from. */
export interface GameSource {
  readonly pddlDomain: string
  readonly pddlProblem: string
  readonly generation: Generation
  /** The task as the opening states it, with its full stop. */
  readonly goalSentence: string
}

/**
 * What to compile of a game file, in its own wording or in that of a generation, to which the domain then belongs too.
 * @throws ShaketableError `bad-input` if it is marked as unsolvable, states no task, or has another grammar
 */
export function sourceOf(file: GameFile, where: string, generation = generationOf(file)): GameSource {
  const refuse = (message: string): never => {
    throw new ShaketableError('bad-input', `${where}: ${message}`)
  }
  if (!file.solvable) refuse('expected a solvable game, got "solvable": false. Choose another game.')
  const goalSentence = goalSentenceOf(file)
  if (goalSentence === '') {
    refuse(
      `expected a grammar that states the task in plain text after '${announcement}', got one that does not. ${advice}`,
    )
  }
  if (generation === undefined) {
    return refuse(
      `expected the grammar of ALFWorld's release 0.2.2 or 0.4.2, got another one (SHA-256 ${hashOf(file)}). ` +
        'Use the file as ALFWorld published it, or give --set household.generation=old or new to play it in one of these wordings.',
    )
  }
  const pddlDomain = generation === generationOf(file) ? file.pddlDomain : domainText(generation)
  return { pddlDomain, pddlProblem: file.pddlProblem, generation, goalSentence }
}

/** The generation whose grammar a file has; undefined for any other grammar. */
export function generationOf(file: GameFile): Generation | undefined {
  return grammars[hashOf(file)]
}

/**
 * The task as a file's grammar states it, with its full stop; empty where there is none, or one with a character that
 * means something in a grammar.
 */
export function goalSentenceOf({ grammar }: GameFile): string {
  const rest = grammar.split(announcement, 2)[1] ?? ''
  return /^[^\p{Cc}\\"#{}[\]<>|;]+(?=")/u.exec(rest)?.[0] ?? ''
}

const announcement = 'Your task is to: '

/** The known grammars, by the hash of their text without the goal: ALFWorld's own, and those of games written here. */
const grammars: Readonly<Record<string, Generation>> = {
  de0a5951f63a9b4f91f174c56b77d639d55d935b828aa39d92a156b1670e0a5a: 'old',
  '10da93e13b58e1a6039723f5d4a59ceae7c60772515bfab9fc603bafa7f8ee06': 'new',
  '99b9ed2253e8c181e04b6fbf624af958a0226076c5f4fe1303a290b9fb7340c7': 'old',
  '44d47d421552dee380a1182c9fa49df393aced0235b0e7e871799e6879a3dbcf': 'new',
}

function hashOf(file: GameFile): string {
  const text = file.grammar.replace(announcement + goalSentenceOf(file), announcement)
  return createHash('sha256').update(text).digest('hex')
}

const advice = 'Use a game.tw-pddl file as ALFWorld publishes them.'

const isString = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString)

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}
