import { Command } from 'commander'
import { unknownName } from '../core/errors.js'
import type { QueueConnection } from '../run/queue/connect.js'
import { asQueueError, connectQueue } from '../run/queue/connect.js'
import type { RunStatus } from '../run/queue/runs.js'
import { forgetRun, readRuns, readStatus } from '../run/queue/runs.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, queueFlag, usageError } from './_flags.js'
import { escapeLine, layOut, number, print, say } from './_lines.js'

const flags = [queueFlag, ['--run <name>', 'the name or id of one run (default: all)']] as const
type QueueFlags = OptionsOf<typeof flags>

const actions = {
  status: ['Shows the runs on a queue, with their jobs and workers.', status],
  drain: ['Stops runs in order: running episodes are finished and kept, no others begin.', drain],
  clean: ['Removes what runs that nobody coordinates left on a queue. Their folders stay as they are.', clean],
} as const

/** `shaketable queue`: shows, drains or cleans a queue. */
export function queueCommand(): Command {
  const command = new Command('queue').description('Shows, drains or cleans the queue of runs with --queue.')
  for (const [name, [description, run]] of Object.entries(actions))
    command.addCommand(makeCommand(name, description, { flags, run: (options) => withRuns(options, run) }))
  return command
}

/**
 * Does something with the runs of a queue, if it has any, and leaves it.
 * @throws ShaketableError `usage` for a run that is not there
 */
async function withRuns(
  { queue, run }: QueueFlags,
  work: (runs: readonly RunStatus[], connection: QueueConnection) => Promise<void>,
): Promise<void> {
  const connection = await connectQueue(queue, say)
  try {
    const runs = await readStatus(connection, run)
    if (run !== undefined && runs.length === 0) {
      const known = [...(await readRuns(connection)).values()].map(({ name }) => name)
      throw usageError(unknownName('run on this queue', run, [...new Set(known)]))
    }
    if (runs.length > 0) await work(runs, connection)
    else await print(`No runs on ${connection.shown}.`)
  } catch (thrown) {
    throw asQueueError(connection, thrown)
  } finally {
    connection.close()
  }
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
