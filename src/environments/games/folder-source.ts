import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { sortByCodePoint } from '../pddl/code-points.js'
import { readText } from '../../files/read-text.js'
import { agentBoardWording } from './agentboard-wording.js'
import type { Difficulties } from './labels.js'
import type { GameSource } from './source.js'
import { findAmong } from './source.js'
import type { GameName, GameText } from './wording.js'
import { gameNames } from './wording.js'

/** How AgentBoard's games are asked for. */
export interface FolderOptions {
  readonly folder: string
  /** All that are there where not given. */
  readonly games: readonly GameName[] | undefined
  readonly difficulties: Difficulties | undefined
}

const advice =
  "Give a folder with gripper.pddl and gripper/, and so on for blockworld, barman and tyreworld, as AgentBoard's pddl_env/pddlgym/pddl has them."

/**
 * AgentBoard's problems: beside the domain `gripper.pddl` a folder `gripper` of problems, numbered from 0 in the order of their file names by code
 * point, so that `problem10.pddl` comes after `problem1.pddl`. Files are read when they are first asked for.
 * @throws ShaketableError `bad-input` where the folder does not hold the games
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
