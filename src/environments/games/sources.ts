import { join } from 'node:path'
import { existsSync, readdirSync } from 'node:fs'
import { z } from 'zod'
import { ShaketableError, messageOf, suggest } from '../../core/errors.js'
import { readText } from '../../files/read-text.js'
import { labelAdvice, readLabelFile } from '../label-file.js'
import { sortByCodePoint } from '../pddl/code-points.js'
import { type GameName, type GameText, gameNames } from './wording.js'

/** Where the games of an environment come from. */
export interface GameSource {
  /** A one-word name of the source. */
  readonly name: string
  /** In playing order. @throws ShaketableError `bad-input` where they cannot be read */
  list(): readonly GameText[]
  /** @throws ShaketableError `bad-input` with the near miss where there is no such game */
  find(id: string): GameText
}

/** Finds a game by its id. @throws ShaketableError `bad-input` with the near miss and `advice` */
export function findAmong(games: readonly GameText[], id: string, advice: string): GameText {
  const text = games.find((game) => game.id === id)
  if (text !== undefined) return text
  const ids = games.map((game) => game.id)
  throw new ShaketableError('bad-input', `There is no PDDL game '${id.slice(0, 200)}'.${suggest(id, ids)} ${advice}`)
}

/** AgentBoard's difficulty of each task, by its id. */
type Difficulties = ReadonlyMap<string, 'easy' | 'hard'>

const fields = { additional_info: z.looseObject({ subtask: z.string() }) }

/**
 * Reads the difficulties from AgentBoard's label file, one JSON object a line: the rows of each game are its problems
 * in order.
 * @throws ShaketableError `bad-input` with the line, or where the file belongs to another environment
 */
export function readDifficulties(path: string): Difficulties {
  const difficulties = new Map<string, 'easy' | 'hard'>()
  const counts = new Map<string, number>()
  for (const { row } of readLabelFile(path, 'pddl', fields)) {
    const { subtask } = row.additional_info
    const number = counts.get(subtask) ?? 0
    counts.set(subtask, number + 1)
    difficulties.set(`${subtask}/${String(number)}`, row.difficulty)
  }
  if (gameNames.every((game) => !counts.has(game))) {
    throw new ShaketableError(
      'bad-input',
      `${path}: expected tasks of ${gameNames.join(', ')}, got none of them. ${labelAdvice('pddl')}`,
    )
  }
  return difficulties
}

interface FolderOptions {
  readonly folder: string
  /** Default: all that exist. */
  readonly games: readonly GameName[] | undefined
  readonly difficulties: Difficulties | undefined
}

const advice =
  "Give a folder with gripper.pddl and gripper/, and so on for blockworld, barman and tyreworld, as AgentBoard's pddl_env/pddlgym/pddl has them."

/**
 * AgentBoard's problems: beside the domain `gripper.pddl` a folder `gripper` of problems, numbered from 0 in the order
 * of their file names by code point, so that `problem10.pddl` comes after `problem1.pddl`. They are read on first use.
 * @throws ShaketableError `bad-input` where the folder does not contain the games
 */
export function folderSource({ folder, games, difficulties }: FolderOptions): GameSource {
  const chosen = games ?? gameNames.filter((game) => existsSync(join(folder, `${game}.pddl`)))
  if (chosen.length === 0) {
    throw new ShaketableError(
      'bad-input',
      `Expected AgentBoard's PDDL games in ${folder}, but there are none. ${advice}`,
    )
  }
  const readGames = (game: GameName): readonly GameText[] => {
    const path = join(folder, `${game}.pddl`)
    const domain = { text: readText('The domain', path, advice), where: path }
    return problemFiles(folder, game).map((file, index): GameText => {
      const where = join(folder, game, file)
      const problem = { text: readText('The problem', where, 'Check that it may be read.'), where }
      const id = `${game}/${String(index)}`
      const difficulty = difficulties?.get(id)
      return { id, game, domain, problem, ...(difficulty && { difficulty }) }
    })
  }
  let listed: readonly GameText[] | undefined
  const list = (): readonly GameText[] => (listed ??= chosen.flatMap(readGames))
  return { name: 'agentboard', list, find: (id) => findAmong(list(), id, '--list shows them.') }
}

function problemFiles(folder: string, game: GameName): readonly string[] {
  const path = join(folder, game)
  let names: string[]
  try {
    names = readdirSync(path).filter((name) => name.endsWith('.pddl') && !name.startsWith('.'))
  } catch (cause) {
    throw new ShaketableError('bad-input', `The problems in ${path} cannot be read: ${messageOf(cause)}. ${advice}`, {
      cause,
    })
  }
  if (names.length > 0) return sortByCodePoint(names)
  throw new ShaketableError('bad-input', `There are no problems in ${path}. ${advice}`)
}
