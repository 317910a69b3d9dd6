import { parentPort } from 'node:worker_threads'
import { hashOf, isValid } from '../core/episode.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { Plan } from './plan.js'
import { cells, createKeyMaker } from './cells.js'
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
  if (remote === undefined) checkUnchanged(plan, grid.plan)
  else checkSame(plan, grid.plan)
  const clock = remote && grid.live ? { clock: () => performance.now() } : {}
  return { grid, player: createLocalPlayer(grid, 1, clock) }
}

/** A thread of the pool, after its first message: plays the cells of its orders. */
function work(start: WorkerStart): void {
  const { remote } = start
  const prepared = prepare(start)
  prepared.catch((thrown: unknown) => answer({ order: undefined, error: describe(thrown) }))
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

function checkUnchanged(was: Plan, is: Plan): void {
  if (hashOf(was) === hashOf(is)) return
  throw new ShaketableError(
    'bad-input',
    'A file of this experiment changed while it was being read. Run the same command again.',
  )
}

/** @throws ShaketableError `bad-input` if this machine's files or version make another plan than the run's */
function checkSame(was: Plan, is: Plan): void {
  if (was.version !== is.version) {
    throw new ShaketableError(
      'bad-input',
      `Expected shaketable ${was.version}, with which the run is played, got ${is.version} on this machine. Install the same version here.`,
    )
  }
  const { refused } = joinPlans(was, is)
  const keysOf = (plan: Plan) => new Set(cells(plan).map(createKeyMaker(plan)))
  const [run, here] = [keysOf(was), keysOf(is)]
  const missing = [...run].filter((key) => !here.has(key)).length
  if (refused === undefined && missing === 0 && run.size === here.size) return
  const differences = refused
    ? describeDifferences(refused)
    : `  episodes: was ${String(run.size)}, is ${String(here.size)}, of which ${String(missing)} of the run's are missing`
  throw new ShaketableError(
    'bad-input',
    `The files of this machine make another experiment than the run's (was: the run's, is: here):\n${differences}\nCopy the data, trained models and plug-ins of the run to this machine.`,
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
