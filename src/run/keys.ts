import { hash } from 'node:crypto'
import type { EpisodeIdentity } from '../core/episode.js'
import { canonicalJson } from '../core/episode.js'
import type { Plan } from '../core/report.js'
import type { Cell } from './cells.js'
import { identityOf } from './cells.js'

/**
 * Makes a function that gives each cell of a plan its episode's key, equal to `episodeKey(identityOf(plan, cell))`. The
 * greater part of an identity is the same for many cells and is written out only once, as a resumed run asks for every
 * key of its grid, and a report for that of every row.
 */
export function createKeyMaker(plan: Plan): (cell: Cell) => string {
  const heads = new Map<Cell['environment'], string[]>()
  const middles = new Map<Cell['task'], string>()
  const headAt = (cell: Cell): string => {
    let known = heads.get(cell.environment)
    if (known === undefined) heads.set(cell.environment, (known = []))
    return (known[cell.combination] ??= headOf(identityOf(plan, cell)))
  }
  const middleAt = ({ task }: Cell): string => {
    let known = middles.get(task)
    if (known === undefined) {
      known = JSON.stringify({ stepLimit: plan.stepLimit, task: task.id, taskHash: task.hash }).slice(1, -1)
      middles.set(task, known)
    }
    return known
  }
  return (cell) => {
    const text = `${headAt(cell)},"seed":${String(cell.seed)},${middleAt(cell)},"temperature":${String(cell.temperature)}}`
    return hash('sha256', text, 'hex').slice(0, 20)
  }
}

/** The canonical text of an identity up to `seed`, the first of its fields in order that is a cell's own. */
function headOf(identity: EpisodeIdentity): string {
  const shared = Object.entries(identity).filter(([name]) => name < 'seed')
  return canonicalJson(Object.fromEntries(shared)).slice(0, -1)
}
