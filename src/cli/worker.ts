import { Command } from 'commander'
import { asQueueError, connectQueue } from '../queue/connect.js'
import { serveQueue } from '../queue/worker.js'
import { addQueueFlag, whole } from './_flags.js'
import { say } from './_lines.js'
import { onStop } from './_signals.js'

interface WorkerFlags {
  readonly queue: string
  readonly concurrency?: number
  readonly run?: string
  readonly lockSeconds: number
}

/** `shaketable worker`: plays jobs of a queue until it is stopped. */
export function workerCommand(): Command {
  const command = new Command('worker').description(
    'Plays episodes of runs that were started with --queue, on this or any other machine. Ctrl-C or SIGTERM finishes running episodes first.',
  )
  return addQueueFlag(command)
    .option(
      ...whole(
        '--concurrency <n>',
        'episodes at once (default: the cores of this machine; for models behind servers as the experiment says)',
        1,
        10_000,
      ),
    )
    .option('--run <name>', 'the name or id of the one run to play (default: all)')
    .option(
      ...whole(
        '--lock-seconds <n>',
        'seconds without a sign of life after which other workers take an episode over',
        1,
        3600,
        15,
      ),
    )
    .addHelpText(
      'after',
      '\nA worker runs what the queue says, plug-ins included. Keys of model servers are read from its own environment.',
    )
    .action(work)
}

async function work({ queue, concurrency, run, lockSeconds }: WorkerFlags): Promise<void> {
  const connection = await connectQueue(queue, say)
  const stopping = new AbortController()
  onStop(() => {
    say('Stopping: running episodes are finished. Press Ctrl-C again to leave at once.')
    stopping.abort()
  })
  say(`Waiting for runs on ${connection.shown}.`)
  try {
    await serveQueue({
      connection,
      lockMs: lockSeconds * 1000,
      stop: stopping.signal,
      say,
      ...(concurrency !== undefined && { concurrency }),
      ...(run !== undefined && { run }),
    })
  } catch (thrown) {
    throw asQueueError(connection, thrown)
  } finally {
    connection.close()
  }
}
