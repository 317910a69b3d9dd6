import { createHash } from 'node:crypto'
import * as z from 'zod'
import { ShaketableError } from '../../../core/errors.js'
import { expectJson } from '../../../files/read-json.js'
import { readText } from '../../../files/read-text.js'
import { expectShape } from '../../prompts.js'
import { type Generation, domainText } from '../text/domain.js'

/** The content of a `game.tw-pddl` file. */
export interface GameFile {
  readonly pddlDomain: string
  readonly grammar: string
  readonly pddlProblem: string
  readonly solvable: boolean
}

const largestFile = 32_000_000

/** Reads a game file. @throws ShaketableError `bad-input` if it is missing or not a game file. */
export function readGameFile(path: string): GameFile {
  return parseGameFile(readText('The game file', path, 'Check the path.', largestFile), path)
}

const schema = z.object({
  pddl_domain: z.string(),
  grammar: z.string(),
  pddl_problem: z.string(),
  solvable: z.boolean(),
})

/** Reads the text of a game file. `where` names it in messages. @throws ShaketableError `bad-input`. */
export function parseGameFile(json: string, where: string): GameFile {
  const file = expectShape(schema, expectJson(json, `The game file ${where}`, advice), where, advice)
  const { pddl_domain: pddlDomain, pddl_problem: pddlProblem, ...rest } = file
  return { pddlDomain, pddlProblem, ...rest }
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
