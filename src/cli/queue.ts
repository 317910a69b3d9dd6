import { Command } from 'commander'
import { unknownName } from '../core/errors.js'
import type { QueueConnection } from '../queue/connect.js'
import { asQueueError, connectQueue, keys } from '../queue/connect.js'
import { readRuns } from '../queue/messages.js'
import type { RunStatus } from '../queue/runs.js'
import { forgetRun, readStatus } from '../queue/runs.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, queueFlag, usageError } from './_flags.js'
import { escapeLine, layOut, number, print, printDocument, say } from './_lines.js'

const flags = [queueFlag, ['--run <name>', 'the name or id of one run (default: all)']] as const
const statusFlags = [...flags, ['--json', 'print one JSON document']] as const
const cleanFlags = [
  ...flags,
  ['--yes', 'really remove it'],
  ['--force', 'also remove runs that are being played'],
] as const

type QueueFlags = OptionsOf<typeof flags>

/** `shaketable queue`: shows, drains or cleans a queue. */
export function queueCommand(): Command {
  return new Command('queue')
    .description('Shows, drains or cleans the queue of runs with --queue.')
    .addCommand(
      makeCommand('status', 'Shows the runs on a queue, with their jobs and workers.', {
        flags: statusFlags,
        run: status,
      }),
    )
    .addCommand(
      makeCommand('drain', 'Stops runs in order: running episodes are finished and kept, no others begin.', {
        flags,
        run: drain,
      }),
    )
    .addCommand(
      makeCommand('clean', 'Removes what runs left on a queue. Their folders stay as they are.', {
        flags: cleanFlags,
        run: clean,
      }),
    )
}

/**
 * Does something with the runs of a queue, if it has any, and leaves it.
 * @throws ShaketableError `usage` for a run that is not there
 */
async function withRuns(
  { queue, run }: QueueFlags,
  work: (runs: readonly RunStatus[], connection: QueueConnection) => Promise<void>,
  isEvenForNone = false,
): Promise<void> {
  const connection = await connectQueue(queue, say)
  try {
    const runs = await readStatus(connection, run)
    if (run !== undefined && runs.length === 0) {
      const known = [...readRuns(await connection.redis.hgetall(keys.runs)).values()].map(({ name }) => name)
      throw usageError(unknownName('run on this queue', run, [...new Set(known)]))
    }
    if (runs.length > 0 || isEvenForNone) await work(runs, connection)
    else await print(`No runs on ${connection.shown}.`)
  } catch (thrown) {
    throw asQueueError(connection, thrown)
  } finally {
    connection.close()
  }
}

function status(options: OptionsOf<typeof statusFlags>): Promise<void> {
  const show = async (runs: readonly RunStatus[]): Promise<void> => {
    if (options.json) return printDocument({ runs })
    const rows = runs.map(({ id, name, folder, episodes, coordinator, drained, jobs, workers }) => [
      escapeLine(name),
      id,
      ...[episodes, jobs.waiting, jobs.active, jobs.finished + jobs.failed].map(number),
      number(workers),
      coordinator === undefined ? 'none' : escapeLine(`${String(coordinator.pid)} on ${coordinator.host}`),
      escapeLine(folder) + (drained ? ' (drained)' : ''),
    ])
    const heads = ['run', 'id', 'episodes', 'waiting', 'active', 'finished', 'workers', 'coordinator', 'folder']
    await print(layOut([heads, ...rows]))
  }
  return withRuns(options, show, options.json)
}

function drain(options: QueueFlags): Promise<void> {
  return withRuns(options, async (runs, connection) => {
    for (const { id } of runs) await connection.queue(id).pause()
    const names = runs.map(({ name }) => escapeLine(name)).join(', ')
    await print(
      `Drained ${names}: running episodes are finished and kept. The same \`shaketable run\` command goes on.`,
    )
  })
}

function clean({ yes, force, ...options }: OptionsOf<typeof cleanFlags>): Promise<void> {
  return withRuns(options, async (runs, connection) => {
    const live = runs.find(({ coordinator }) => coordinator !== undefined)
    if (live !== undefined && !force) {
      throw usageError(
        `${live.name} is being played by process ${String(live.coordinator!.pid)} on ${live.coordinator!.host}. Stop it first (shaketable queue drain), or give --force, after which it puts its jobs in again.`,
      )
    }
    const finished = runs.reduce((sum, { jobs }) => sum + jobs.finished, 0)
    const names = runs.map(({ name, id }) => `${escapeLine(name)} (${id})`).join(', ')
    const lost = `${number(finished)} finished jobs that no run folder has yet are lost`
    if (!yes) throw usageError(`${names}: ${lost}. Give --yes to remove them.`)
    for (const { id } of runs) await forgetRun(connection, id)
    await print(`Removed ${names} from ${connection.shown}.`)
  })
}
