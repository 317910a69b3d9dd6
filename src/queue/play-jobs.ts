import { messageOf } from '../core/errors.js'
import { cellAt } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import { failCell } from '../run/play-cell.js'
import type { SealedEpisode } from '../run/store/record.js'
import { createSealer } from '../run/store/record.js'
import type { Job, Jobs, Outcome } from './jobs.js'
import { maxTries } from './jobs.js'
import type { Returned } from './messages.js'

/** Options of {@link createJobPlayer}. */
interface JobPlayerOptions {
  readonly grid: Grid
  readonly jobs: Jobs
  /** Jobs of an earlier coordinator, by the cells that are wanted of them. */
  readonly adopted: Map<number, Job>
  readonly isStopping: () => boolean
  /** Called with the episodes of a job, and the time that its worker took. */
  readonly played: (episodes: readonly SealedEpisode[], milliseconds: number) => void
  /** Called for each cell whose worker gave it back. */
  readonly givenBack: (returned: Returned, cell: number) => Promise<void>
  readonly say: (text: string) => void
}

/**
 * Creates a function that plays cells as a job, and what is left of them as others: a batch that was lost or refused as
 * single cells, a single cell until its tries are used up. It is then an environment error.
 */
export function createJobPlayer(options: JobPlayerOptions) {
  const { grid, jobs, adopted, isStopping, played, givenBack, say } = options
  const seal = createSealer()

  return async (indices: readonly number[]): Promise<SealedEpisode[]> => {
    /** Number of cells that were wanted of each job. They stay in Redis until all of them are returned. */
    const uses = new Map<Job, number>()

    const perform = async (cells: readonly number[], round: number, tries = 0): Promise<SealedEpisode[]> => {
      if (isStopping()) return []
      return follow(await jobs.add(cells, round), cells, round, tries)
    }
    const follow = async (
      job: Job,
      cells: readonly number[],
      round: number,
      before: number,
    ): Promise<SealedEpisode[]> => {
      uses.set(job, cells.length)
      const outcome = await job.outcome
      if (outcome.kind === 'withdrawn') return []
      const found = outcome.kind === 'played' ? cells.flatMap((cell) => outcome.episodes.get(cell) ?? []) : []
      if (outcome.kind === 'played' && found.length > 0) played(found, outcome.milliseconds)
      if (found.length === cells.length) return found
      const rest = outcome.kind === 'played' ? cells.filter((cell) => !outcome.episodes.has(cell)) : cells
      if (outcome.kind === 'refused') say(outcome.reason)
      if (job.cells.length > 1) {
        const singles = await Promise.all(rest.map((cell) => perform([cell], round + 1)))
        return [...found, ...singles.flat()]
      }
      if (outcome.kind === 'returned') {
        await givenBack(outcome, cells[0]!)
        return perform(cells, round + 1, before)
      }
      const tries = outcome.kind === 'failed' ? maxTries : before + 1
      if (tries < maxTries) return perform(cells, round + 1, tries)
      return cells.map((cell) => seal(failCell(grid, cellAt(grid.plan, cell), describeFailure(outcome))))
    }

    const claims = new Map<Job, number[]>()
    const rest: number[] = []
    for (const index of indices) {
      const job = adopted.get(index)
      adopted.delete(index)
      if (job === undefined) rest.push(index)
      else claims.set(job, [...(claims.get(job) ?? []), index])
    }
    const parts = await Promise.all([
      ...[...claims].map(([job, cells]) => follow(job, cells, 0, 0)),
      ...(rest.length > 0 ? [perform(rest, 0)] : []),
    ])
    for (const [job, count] of uses) jobs.returned(job, count)
    return parts.flat()
  }
}

function describeFailure(outcome: Outcome): string {
  const reason = 'reason' in outcome ? outcome.reason : 'its worker sent no episode'
  const said = /allowable limit/.test(reason) ? 'its workers ended' : messageOf(reason).replace(/\.$/, '')
  return `No worker could play this episode in ${String(maxTries)} tries: ${said}.`
}
