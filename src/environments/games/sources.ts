import { basename, join } from 'node:path'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { z } from 'zod'
import { ShaketableError, messageOf, nearMiss } from '../../core/errors.js'
import { readText } from '../../files/read-text.js'
import { labelAdvice, readLabelFile } from '../label-file.js'
import { sortByCodePoint } from '../pddl/code-points.js'
import type { Domain } from '../pddl/domain.js'
import { agentBoardWording } from './agentboard-wording.js'
import { plainWording, readTemplates } from './plain-wording.js'
import type { GameName, GameText, Wording } from './wording.js'
import { gameNames } from './wording.js'

/** Where the games of an environment come from. */
export interface GameSource {
  /** A one-word name of the source. */
  readonly name: string
  /** Further settings that change episodes; part of every episode's key. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** In playing order. @throws ShaketableError `bad-input` where they cannot be read */
  list(): readonly GameText[]
  /** @throws ShaketableError `bad-input` with the near miss where there is no such game */
  find(id: string): GameText
  wordingOf(game: GameText): (domain: Domain) => Wording
}

/** Finds a game by its id. @throws ShaketableError `bad-input` with the near miss and `advice` */
export function findAmong(games: readonly GameText[], id: string, advice: string): GameText {
  const found = games.find((game) => game.id === id)
  if (found !== undefined) return found
  const near = nearMiss(
    id,
    games.map((game) => game.id),
  )
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`
  throw new ShaketableError('bad-input', `There is no PDDL game '${id.slice(0, 200)}'.${hint} ${advice}`)
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
  const found = new Map<string, 'easy' | 'hard'>()
  const counts = new Map<string, number>()
  for (const { row } of readLabelFile(path, 'pddl', fields)) {
    const {
      difficulty,
      additional_info: { subtask },
    } = row
    const number = counts.get(subtask) ?? 0
    counts.set(subtask, number + 1)
    found.set(`${subtask}/${String(number)}`, difficulty)
  }
  if (gameNames.every((game) => !counts.has(game))) {
    throw new ShaketableError(
      'bad-input',
      `${path}: expected tasks of ${gameNames.join(', ')}, got none of them. ${labelAdvice('pddl')}`,
    )
  }
  return found
}

interface FileOptions {
  readonly domain: string
  /** A file, or a folder of them. */
  readonly problem: string
  readonly templates?: string
}

/** A user's domain and problems. The name of a task is that of the problem's file, without `.pddl`. */
export function fileSource({ domain, problem, templates }: FileOptions): GameSource {
  const given = templates === undefined ? undefined : readTemplates(templates)
  const text = readText('The domain', domain, 'Give the path of a PDDL domain.')
  const game = stem(domain)
  const readGame = (path: string): GameText => ({
    id: `${game}/${stem(path)}`,
    game,
    domain: { text, where: domain },
    problem: { text: readText('The problem', path, 'Give the path of a PDDL problem.'), where: path },
  })
  const games = filesOfProblem(problem).map(readGame)
  return {
    name: 'files',
    settings: { templates: given?.hash ?? 'names' },
    list: () => games,
    find: (id) =>
      findAmong(
        games,
        id,
        `There is '${games[0]!.id}'${games.length > 1 ? ` and so on, named after the files of ${problem}` : ''}.`,
      ),
    wordingOf: () => (read) => plainWording(read, given),
  }
}

function filesOfProblem(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter((name) => name.endsWith('.pddl') && !/domain/i.test(name))
    if (names.length > 0) return sortByCodePoint(names).map((name) => join(path, name))
  } catch (cause) {
    throw new ShaketableError('bad-input', `The problem ${path} cannot be read: ${messageOf(cause)}. Check the path.`, {
      cause,
    })
  }
  throw new ShaketableError(
    'bad-input',
    `There are no problems in the folder ${path}. Give a problem, or a folder of .pddl files.`,
  )
}

function stem(path: string): string {
  return basename(path).replace(/\.pddl$/, '')
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
 * of their file names by code point, so that `problem10.pddl` comes after `problem1.pddl`. Each file is read on first
 * use.
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
  const files = new Map(chosen.map((game) => [game, problemFiles(folder, game)]))
  const domains = new Map<GameName, string>()
  const domainOf = (game: GameName): string => {
    const text = domains.get(game) ?? readText('The domain', join(folder, `${game}.pddl`), advice)
    domains.set(game, text)
    return text
  }
  const texts = new Map<string, GameText>()
  const gameAt = (game: GameName, index: number): GameText => {
    const id = `${game}/${String(index)}`
    const text = texts.get(id) ?? readGame(id, game, index)
    texts.set(id, text)
    return text
  }
  const readGame = (id: string, game: GameName, index: number): GameText => {
    const path = join(folder, game, files.get(game)![index]!)
    const difficulty = difficulties?.get(id)
    return {
      id,
      game,
      domain: { text: domainOf(game), where: join(folder, `${game}.pddl`) },
      problem: { text: readText('The problem', path, 'Check that it may be read.'), where: path },
      ...(difficulty && { difficulty }),
    }
  }
  let listed: readonly GameText[] | undefined
  const list = (): readonly GameText[] =>
    (listed ??= chosen.flatMap((game) => files.get(game)!.map((_, index) => gameAt(game, index))))
  return {
    name: 'agentboard',
    list,
    find(id) {
      const [game, number] = id.split('/') as [GameName, string | undefined]
      const isIndex = /^(0|[1-9]\d{0,5})$/.test(number ?? '') && `${game}/${number!}` === id
      if (isIndex && Number(number) < (files.get(game)?.length ?? 0)) return gameAt(game, Number(number))
      return findAmong(
        list(),
        id,
        `There are ${[...files].map(([name, all]) => `${name}/0 to ${String(all.length - 1)}`).join(', ')}.`,
      )
    },
    wordingOf:
      ({ game }) =>
      (domain) =>
        agentBoardWording(game as GameName, domain),
  }
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
