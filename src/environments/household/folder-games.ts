import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { createHash } from 'node:crypto'
import type { Task } from '../../core/environment.js'
import { ShaketableError } from '../../core/errors.js'
import { readText } from '../../files/read-text.js'
import { compileGame } from './engine/engine.js'
import type { GameFile } from './engine/game-file.js'
import { generationOf, goalSentenceOf, parseGameFile, readGameFile, sourceOf } from './engine/game-file.js'
import { type Games, agentBoardOrder, taskOf } from './games.js'
import { taskKinds } from './scenes/rooms.js'
import type { Generation } from './text/domain.js'

/** Which of ALFWorld's games to play, and how. */
interface FolderGamesOptions {
  readonly folder: string
  readonly split: Split
  /** Default: that of each game. */
  readonly generation: Generation | undefined
}

/** ALFWorld's own games, from its data folder. An id may omit its split or end in `/game.tw-pddl`. */
export function folderGames({ folder, split, generation }: FolderGamesOptions): Games {
  const data = openDataFolder(folder)

  const describe = (id: string, file: GameFile): Task => {
    const goal = goalSentenceOf(file)
    const isOwn = generation === undefined || generation === generationOf(file)
    const wording = isOwn ? [file.pddlDomain, file.grammar] : [generation, goal]
    return taskOf(id, goal, hashOf([file.pddlProblem, ...wording]))
  }
  const damaged: string[] = []
  let depth = 0
  /** Leaves out games that are marked unsolvable, as ALFWorld's own loader does, and records those that are damaged. */
  const readAll = (): readonly Task[] => {
    const tasks = new Map<string, Task>()
    for (const id of data.list(split)) {
      depth++
      const path = data.path(id)
      const text = readText('The game', path, 'Check that it may be read.')
      try {
        const file = parseGameFile(text, path)
        if (file.solvable) tasks.set(id, describe(id, file))
      } catch {
        damaged.push(id)
      }
    }
    return agentBoardOrder([...tasks.keys()]).map((id) => tasks.get(id)!)
  }
  let listed: readonly Task[] | undefined

  const firstWording = (): Generation => {
    try {
      return generationOf(readGameFile(data.path(data.list(split)[0]!))) ?? 'new'
    } catch {
      return 'new' // An error in the games is reported when one is played.
    }
  }

  return {
    name: 'alfworld',
    wording: () => generation ?? firstWording(),
    list: () => (listed ??= readAll()),
    leftOut() {
      const count = damaged.length
      if (count === 0) return undefined
      const names = `${damaged.slice(0, 5).join(', ')}${count > 5 ? ` and ${String(count - 5)} more` : ''}`
      const what = count === 1 ? 'is LEFT OUT, as its' : 'are LEFT OUT, as their'
      return {
        count,
        of: depth,
        text: `household: ${String(count)} of ${String(depth)} games ${what} game.tw-pddl is damaged: ${names}. Numbers are not those of the whole split. Restore the files with alfworld-download.`,
      }
    },
    find(wanted) {
      const short = wanted.replace(/\/game\.tw-pddl$/, '')
      const id = short.split('/').length === 2 ? `${split}/${short}` : short
      const path = data.path(id)
      const file = readGameFile(path)
      if (file.solvable) return describe(id, file)
      throw new ShaketableError(
        'bad-input',
        `The game ${path} is marked unsolvable, and ALFWorld does not play such games. Choose another trial.`,
      )
    },
    compile({ id }) {
      const path = data.path(id)
      return compileGame(sourceOf(readGameFile(path), path, generation), path)
    },
  }
}

function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** The splits of ALFWorld's data, as its folders are named. */
const splits = ['train', 'valid_train', 'valid_seen', 'valid_unseen'] as const
/** One of {@link splits}. */
export type Split = (typeof splits)[number]

const gameFile = 'game.tw-pddl'

/**
 * Opens ALFWorld's data folder, or the `json_2.1.1` in it. Nothing is read yet. Ids are `valid_unseen/<task
 * folder>/<trial folder>`.
 * @throws ShaketableError `bad-input` where it is neither
 */
function openDataFolder(folder: string) {
  const root = [join(folder, 'json_2.1.1'), folder].find((path) =>
    splits.some((split) => existsSync(join(path, split))),
  )
  const refuse = (message: string): never => {
    throw new ShaketableError('bad-input', message)
  }
  if (root === undefined) {
    return refuse(
      `Expected ALFWorld's data at ${folder}, a folder with json_2.1.1/valid_unseen or another split, but there is none. ` +
        `alfworld-download fetches it to $ALFWORLD_DATA.`,
    )
  }
  return {
    /** The games that ALFWorld's own loader considers, unsorted. */
    list(split: Split): readonly string[] {
      if (!existsSync(join(root, split))) {
        const here = splits.filter((name) => existsSync(join(root, name)))
        return refuse(`There is no split '${split}' in ${root}. Here: ${here.join(', ')}.`)
      }
      return readdirSync(join(root, split), { recursive: true, encoding: 'utf8' }).flatMap((path) => {
        const [task = '', trial, file] = path.split(sep)
        const isPlayed = taskKinds.some((kind) => task.startsWith(`${kind}-`)) && !isLeftOut(path)
        return file === gameFile && isPlayed ? [`${split}/${task}/${trial!}`] : []
      })
    },
    /** Ids are untrusted: names that could lead out of the data folder are refused. */
    path(id: string): string {
      if (!/^[\w-][\w.-]*(?:\/[\w-][\w.-]*){2}$/.test(id)) {
        return refuse(
          `'${id.slice(0, 200)}' is not the id of a game. Expected '<split>/<task folder>/<trial folder>', such as ` +
            `'valid_unseen/look_at_obj_in_light-Bowl-None-DeskLamp-308/trial_T20190907_133919_856963'.`,
        )
      }
      const path = join(root, id, gameFile)
      return existsSync(path)
        ? path
        : refuse(`There is no ${path}. --list shows the games; alfworld-download fetches them.`)
    },
  }
}

/** ALFWorld plays no tasks with movable receptacles or sliced things. */
function isLeftOut(path: string): boolean {
  return path.includes('movable') || path.includes('Sliced')
}
