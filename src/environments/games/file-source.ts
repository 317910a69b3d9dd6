import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { sortByCodePoint } from '../pddl/code-points.js'
import { readText } from '../../files/read-text.js'
import { plainWording } from './plain-wording.js'
import type { GameSource } from './source.js'
import { findAmong } from './source.js'
import { readTemplates } from './template-file.js'
import type { GameText } from './wording.js'

/** How games of somebody's own are asked for. */
export interface FileOptions {
  readonly domain: string
  /** A file, or a folder of them. */
  readonly problem: string
  readonly templates?: string
}

/** A domain and problems of anybody's. Tasks are called by the file of the problem, without `.pddl`. */
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
  const games = problemFiles(problem).map(readGame)
  return {
    name: 'files',
    settings: { templates: given?.hash ?? 'names' },
    list: () => games,
    find: (id) =>
      findAmong(
        games,
        id,
        `There is '${games[0]!.id}'${games.length > 1 ? ` and so on, called as the files of ${problem}` : ''}.`,
      ),
    wordingOf: () => (read) => plainWording(read, given),
  }
}

function problemFiles(path: string): readonly string[] {
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
