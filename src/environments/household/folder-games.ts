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
  /** Leaves out games without `"solvable": true`, as ALFWorld's own loader does; those of them that are damaged are told. */
  const readAll = (): readonly Task[] => {
    const tasks = new Map<string, Task>()
    for (const id of data.list(split)) {
      found++
      const path = data.path(id)
      const text = readText('The game', path, 'Check that it may be read.')
      if (/"solvable"\s*:\s*true/.test(text)) tasks.set(id, describe(id, parseGameFile(text, path)))
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
    leftOut: () =>
      damaged.length === 0
        ? undefined
        : `${String(damaged.length)} of ${String(found)} games are LEFT OUT: their game.tw-pddl is damaged (not JSON with "solvable": true or false). They are ${damaged.slice(0, 5).join(', ')}${damaged.length > 5 ? ` and ${String(damaged.length - 5)} more` : ''}. Restore the files with alfworld-download.`,
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
