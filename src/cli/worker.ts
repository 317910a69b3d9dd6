import { asQueueError, connectQueue } from '../run/queue/connect.js'
import { serveQueue } from '../run/queue/worker.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, queueFlag, whole } from './_flags.js'
import { say } from './_lines.js'
import { stopSignal } from './_signals.js'

const flags = [
  queueFlag,
  whole(
    '--concurrency <n>',
    'episodes at once (default: 1, so start a worker for each core; for models behind servers as the experiment says)',
    1,
    10_000,
  ),
  ['--run <name>', 'the name or id of the one run to play (default: all)'],
  whole('--lock-seconds <n>', 'seconds without a sign of life after which others take an episode over', 1, 3600, 15),
] as const

/** `shaketable worker`: plays jobs of a queue until it is stopped. */
export const workerCommand = () =>
  makeCommand(
    'worker',
    'Plays episodes of runs that were started with --queue, on this or any other machine. Ctrl-C or SIGTERM finishes running episodes first.',
    {
      flags,
      below:
        'A worker runs what the queue says, plug-ins included. Keys of model servers are read from its own environment.',
      run: work,
    },
  )

async function work({ queue, lockSeconds, ...options }: OptionsOf<typeof flags>): Promise<void> {
  const connection = await connectQueue(queue, say)
  const stop = stopSignal(() => say('Stopping: running episodes are finished. Press Ctrl-C again to leave at once.'))
  say(`Waiting for runs on ${connection.shown}.`)
  try {
    await serveQueue({ connection, lockMs: lockSeconds * 1000, stop, say, ...options })
  } catch (thrown) {
    throw asQueueError(connection, thrown)
  } finally {
    connection.close()
  }
}
