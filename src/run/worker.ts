import { parentPort } from 'node:worker_threads'
import { hashOf, isValid } from '../core/episode.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { Plan } from './plan.js'
import { cells, countCells } from './cells.js'
import { describeDifferences, joinPlans } from './join-plans.js'
import { recallServers } from './learn-servers.js'
import { createLocalPlayer } from './play-cell.js'
import { prepareGrid } from './prepare-grid.js'
import type { WorkerAnswer, WorkerOrder, WorkerStart } from './worker-pool.js'

/** Creates the same grid as the pool. */
async function prepare({ experiment, plan, played, remote }: WorkerStart) {
  const learner = remote && recallServers(remote.servers)
  const warn = (warning: string): void => answer({ warning })
  const { grid } = await prepareGrid(experiment, { learner, warn, played })
  checkSame(plan, grid.plan, remote !== undefined)
  const clock = remote && grid.live ? { clock: () => performance.now() } : {}
  return { grid, player: createLocalPlayer(grid, 1, clock) }
}

/** A thread of the pool, after its first message: plays the cells of its orders. */
function work(start: WorkerStart): void {
  const { remote } = start
  const prepared = prepare(start)
  prepared.catch((thrown: unknown) => answer({ error: describe(thrown) }))
  let turn = Promise.resolve()
  parentPort!.on('message', ({ order, indices }: WorkerOrder) => {
    const play = async (): Promise<void> => {
      try {
        const { grid, player } = await prepared
        const episodes = await player.play(indices)
        if (remote !== undefined && !episodes.every(({ row }) => isValid(row.outcome))) grid.gone?.throwIfAborted()
        // A row is in its line too, and text is sent faster.
        answer({ order, episodes: episodes.map((episode) => ({ ...episode, row: undefined })) })
      } catch (thrown) {
        answer({ order, error: describe(thrown) })
      }
    }
    turn = remote === undefined ? turn.then(play) : play()
  })
}

/**
 * @param isRemote whether the plan was made on another machine; its goals and other texts may then differ
 * @throws ShaketableError `bad-input` if the files or the version here make other episodes than the plan's
 */
function checkSame(was: Plan, is: Plan, isRemote: boolean): void {
  const deciding = isRemote ? (plan: Plan) => [plan.version, ...cells(plan).map(({ key }) => key)] : hashOf
  if (hashOf(deciding(was)) === hashOf(deciding(is))) return
  const differences = [
    { path: 'version', was: was.version, is: is.version },
    ...(joinPlans(was, is).refused ?? []),
    { path: 'number of episodes', was: countCells(was), is: countCells(is) },
  ].filter((difference) => difference.was !== difference.is)
  throw new ShaketableError(
    'bad-input',
    isRemote
      ? `This machine makes another experiment than the run's (was: the run's, is: here):\n${describeDifferences(differences)}\nInstall the version of shaketable of the run, and copy its data, trained models and plug-ins to this machine.`
      : 'A file of this experiment changed while it was being read. Run the same command again.',
  )
}

function answer(message: WorkerAnswer): void {
  parentPort!.postMessage(message)
}

function describe(thrown: unknown) {
  const isOwn = thrown instanceof ShaketableError
  return { message: isOwn ? thrown.message : messageOf(thrown), ...(isOwn && { code: thrown.code }) }
}

parentPort!.once('message', work)
