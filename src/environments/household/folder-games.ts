import { createHash } from 'node:crypto'
import type { Task } from '../../core/environment.js'
import { ShaketableError } from '../../core/errors.js'
import type { Split } from './data-folder.js'
import { openDataFolder } from './data-folder.js'
import type { GameFile } from './engine/index.js'
import { compileGame, parseGameFile, readGameFile, swapGeneration } from './engine/index.js'
import type { Games } from './games.js'
import { taskOf } from './games.js'
import { agentBoardOrder, sortIds } from './order.js'
import { readText } from '../../files/read-text.js'
import type { Generation } from './text/index.js'
import { domainText, grammarText } from './text/index.js'

/** How games of ALFWorld's data are asked for. */
export interface FolderGamesOptions {
  readonly folder: string
  readonly split: Split
  readonly order: 'agentboard' | 'sorted'
  /** As each game has it, where not given. */
  readonly generation: Generation | undefined
}

/** ALFWorld's own games, from its data folder. An id may lack its split, or end in `/game.tw-pddl`. */
export function folderGames({ folder, split, order, generation }: FolderGamesOptions): Games {
  const data = openDataFolder(folder)

  const describe = (id: string, file: GameFile): Task => {
    const goal = goalOf(file)
    const isOwn = generation === undefined || generation === generationOf(file)
    const wording = isOwn ? [file.pddlDomain, file.grammar] : [generation, goal]
    return taskOf(id, goal, hashOf([file.pddlProblem, ...wording]))
  }
  const damaged: string[] = []
  let found = 0
  /** Leaves out games without `"solvable": true`, as ALFWorld's own loader does, and names those that are damaged. */
  const readAll = (): readonly Task[] => {
    const tasks = new Map<string, Task>()
    for (const id of data.list(split)) {
      found++
      const path = data.path(id)
      const text = readText('The game', path, 'Check that it may be read.')
      const file = /"solvable"\s*:\s*true/.test(text) ? parseIntact(text, path) : undefined
      if (file !== undefined) tasks.set(id, describe(id, file))
      else if (!isUnsolvable(text)) damaged.push(id)
    }
    const inOrder = order === 'agentboard' ? agentBoardOrder : sortIds
    return inOrder([...tasks.keys()]).map((id) => tasks.get(id)!)
  }
  let listed: readonly Task[] | undefined

  const firstWording = (): Generation => {
    try {
      return generationOf(readGameFile(data.path(data.list(split)[0]!)))
    } catch {
      return 'new' // Whatever is wrong with the games is said when one is asked for.
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
        of: found,
        text: `household: ${String(count)} of ${String(found)} games ${what} game.tw-pddl is damaged: ${names}. Numbers are not those of the whole split. Restore the files with alfworld-download.`,
      }
    },
    find(given) {
      const short = given.replace(/\/game\.tw-pddl$/, '')
      const id = short.split('/').length === 2 ? `${split}/${short}` : short
      const path = data.path(id)
      const file = readGameFile(path)
      if (file.solvable) return describe(id, file)
      throw new ShaketableError(
        'bad-input',
        `The game ${path} is marked unsolvable, and ALFWorld does not play such games. Choose another trial.`,
      )
    },
    compile(task) {
      const path = data.path(task.id)
      const file = readGameFile(path)
      if (describe(task.id, file).hash !== task.hash) {
        throw new ShaketableError('environment', `The game ${path} has changed since the tasks were read. Start again.`)
      }
      if (generation === undefined || generation === generationOf(file)) return compileGame(file, path)
      return compileGame(swapGeneration(file, domainText(generation), grammarText(generation)), path)
    },
  }
}

/** A game; undefined where its file is damaged. */
function parseIntact(text: string, path: string): GameFile | undefined {
  try {
    return parseGameFile(text, path)
  } catch {
    return undefined
  }
}

function isUnsolvable(text: string): boolean {
  try {
    return (JSON.parse(text) as { readonly solvable?: unknown } | null)?.solvable === false
  } catch {
    return false
  }
}

function generationOf({ grammar }: GameFile): Generation {
  return grammar.includes('"put {o} in/on {r}"') ? 'old' : 'new'
}

function goalOf({ grammar }: GameFile): string {
  return /Your task is to: ([^"\\\n]*)/.exec(grammar)?.[1]?.trim() ?? ''
}

function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('hex').slice(0, 16)
}
