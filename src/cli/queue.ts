import { Command } from 'commander'
import { unknownName } from '../core/errors.js'
import { type QueueConnection, asQueueError, connectQueue } from '../run/queue/connect.js'
import { type RunStatus, forgetRun, readRuns, readStatus } from '../run/queue/runs.js'
import { serveQueue } from '../run/queue/worker.js'
import { type OptionsOf, makeCommand, required, usageError, whole } from './_flags.js'
import { escapeLine, layOut, number, print, say } from './_lines.js'
import { stopSignal } from './_signals.js'

const queueFlag = required('--queue <address>', 'the Redis or Valkey server, such as redis://localhost:6379')
const flags = [queueFlag, ['--run <name>', 'the name or id of one run (default: all)']] as const
const workerFlags = [
  ...flags,
  whole(
    '--concurrency <n>',
    'episodes at once (default: 1; for models behind servers as the experiment says)',
    1,
    10_000,
  ),
  whole('--lock-seconds <n>', 'seconds without a sign of life after which others take an episode over', 1, 3600, 15),
] as const

/** Connects to a queue, does something with it, and leaves it. */
async function withQueue(address: string, work: (connection: QueueConnection) => Promise<void>): Promise<void> {
  const connection = await connectQueue(address, say)
  try {
    await work(connection)
  } catch (thrown) {
    throw asQueueError(connection, thrown)
  } finally {
    connection.close()
  }
}

/** `shaketable worker`: plays jobs of a queue until it is stopped. */
export const workerCommand = () =>
  makeCommand({
    flags: workerFlags,
    below:
      'A worker runs what the queue says, plug-ins included. Keys of model servers are read from its own environment.',
    run: ({ queue, lockSeconds, ...options }: OptionsOf<typeof workerFlags>) =>
      withQueue(queue, async (connection) => {
        const stop = stopSignal('running episodes are finished')
        say(`Waiting for runs on ${connection.shown}.`)
        await serveQueue({ connection, lockMs: lockSeconds * 1000, stop, say, ...options })
      }),
  })

const actions = {
  status: ['Shows the runs on a queue, with their jobs and workers.', status],
  drain: ['Stops runs in order: running episodes are finished and kept, no others begin.', drain],
  clean: ['Removes what runs that nobody coordinates left on a queue. Their folders stay as they are.', clean],
} as const

/** `shaketable queue`: shows, drains or cleans a queue. */
export function queueCommand(): Command {
  const command = new Command()
  for (const [name, [description, act]] of Object.entries(actions)) {
    const run = ({ queue, run: wanted }: OptionsOf<typeof flags>): Promise<void> =>
      withQueue(queue, async (connection) => {
        const runs = await readStatus(connection, wanted)
        if (wanted !== undefined && runs.length === 0) {
          const known = [...(await readRuns(connection)).values()].map(({ name }) => name)
          throw usageError(unknownName('run on this queue', wanted, [...new Set(known)]))
        }
        if (runs.length > 0) await act(runs, connection)
        else await print(`No runs on ${connection.shown}.`)
      })
    command.addCommand(makeCommand({ flags, run }).name(name).description(description))
  }
  return command
}

async function status(runs: readonly RunStatus[]): Promise<void> {
  const rows = runs.map(({ id, name, folder, episodes, coordinator, drained, jobs, workers }) => [
    ...[escapeLine(name), id],
    ...[episodes, jobs.waiting, jobs.active, jobs.finished, workers].map(number),
    coordinator === undefined ? 'none' : escapeLine(`${String(coordinator.pid)} on ${coordinator.host}`),
    escapeLine(folder) + (drained ? ' (drained)' : ''),
  ])
  const heads = ['run', 'id', 'episodes', 'waiting', 'active', 'finished', 'workers', 'coordinator', 'folder']
  await print(layOut([heads, ...rows]))
}

async function drain(runs: readonly RunStatus[], connection: QueueConnection): Promise<void> {
  for (const { id } of runs) await connection.queue(id).pause()
  await print(
    `Drained ${namesOf(runs)}: running episodes are finished and kept. The same \`shaketable run\` command goes on.`,
  )
}

async function clean(runs: readonly RunStatus[], connection: QueueConnection): Promise<void> {
  const live = runs.find(({ coordinator }) => coordinator !== undefined)
  if (live !== undefined) {
    throw usageError(
      `${live.name} is being played by process ${String(live.coordinator!.pid)} on ${live.coordinator!.host}. Stop it first: shaketable queue drain.`,
    )
  }
  for (const { id } of runs) await forgetRun(connection, id)
  await print(`Removed ${namesOf(runs)} from ${connection.shown}.`)
}

function namesOf(runs: readonly RunStatus[]): string {
  return runs.map(({ name }) => escapeLine(name)).join(', ')
}
