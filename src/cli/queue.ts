import { Command } from 'commander'
import { unknownName } from '../core/errors.js'
import type { QueueConnection } from '../queue/connect.js'
import { asQueueError, connectQueue, keys } from '../queue/connect.js'
import { readRuns } from '../queue/messages.js'
import type { RunStatus } from '../queue/runs.js'
import { forgetRun, readStatus } from '../queue/runs.js'
import { addQueueFlag, usageError } from './_flags.js'
import { escapeLine, layOut, number, print, printJson, say } from './_lines.js'

interface QueueFlags {
  readonly queue: string
  readonly run?: string
  readonly json?: true
  readonly yes?: true
  readonly force?: true
}

/** `shaketable queue`: shows, drains or cleans a queue. */
export function queueCommand(): Command {
  const command = new Command('queue').description('Shows, drains or cleans the queue of runs with --queue.')
  const add = (name: string, description: string): Command =>
    addQueueFlag(command.command(name).description(description)).option(
      '--run <name>',
      'the name or id of one run (default: all)',
    )
  add('status', 'Shows the runs on a queue, with their jobs and workers.')
    .option('--json', 'print one JSON document')
    .action(status)
  add('drain', 'Stops runs in order: running episodes are finished and kept, no others begin.').action(drain)
  add('clean', 'Removes what runs left on a queue. Their folders stay as they are.')
    .option('--yes', 'really remove it')
    .option('--force', 'also remove runs that are being played')
    .action(clean)
  return command
}

/** Does something with a queue and leaves it. */
async function withQueue(flags: QueueFlags, work: (connection: QueueConnection) => Promise<void>): Promise<void> {
  const connection = await connectQueue(flags.queue, say)
  try {
    await work(connection)
  } catch (thrown) {
    throw asQueueError(connection, thrown)
  } finally {
    connection.close()
  }
}

/** @throws ShaketableError `usage` for a run that is not there */
async function findRuns(connection: QueueConnection, { run }: QueueFlags): Promise<readonly RunStatus[]> {
  const found = await readStatus(connection, run)
  if (run === undefined || found.length > 0) return found
  const names = [...readRuns(await connection.redis.hgetall(keys.runs)).values()].map(({ name }) => name)
  throw usageError(unknownName('run on this queue', run, [...new Set(names)]))
}

function status(flags: QueueFlags): Promise<void> {
  return withQueue(flags, async (connection) => {
    const runs = await findRuns(connection, flags)
    if (flags.json) return printJson(JSON.stringify({ runs }, undefined, 2))
    if (runs.length === 0) return print(`No runs on ${connection.shown}.`)
    const rows = runs.map(({ id, name, folder, episodes, coordinator, drained, jobs, workers }) => [
      escapeLine(name),
      id,
      number(episodes),
      number(jobs.waiting),
      number(jobs.active),
      number(jobs.finished + jobs.failed),
      number(workers),
      coordinator === undefined ? 'none' : escapeLine(`${String(coordinator.pid)} on ${coordinator.host}`),
      escapeLine(folder) + (drained ? ' (drained)' : ''),
    ])
    const heads = ['run', 'id', 'episodes', 'waiting', 'active', 'finished', 'workers', 'coordinator', 'folder']
    await print(layOut([heads, ...rows]))
  })
}

function drain(flags: QueueFlags): Promise<void> {
  return withQueue(flags, async (connection) => {
    const runs = await findRuns(connection, flags)
    for (const { id } of runs) await connection.queue(id).pause()
    if (runs.length === 0) return print(`No runs on ${connection.shown}.`)
    const names = runs.map(({ name }) => escapeLine(name)).join(', ')
    await print(
      `Drained ${names}: running episodes are finished and kept. The same \`shaketable run\` command goes on.`,
    )
  })
}

function clean(flags: QueueFlags): Promise<void> {
  return withQueue(flags, async (connection) => {
    const runs = await findRuns(connection, flags)
    const live = runs.find(({ coordinator }) => coordinator !== undefined)
    if (live !== undefined && !flags.force) {
      throw usageError(
        `${live.name} is being played by process ${String(live.coordinator!.pid)} on ${live.coordinator!.host}. Stop it first (shaketable queue drain), or give --force, after which it puts its jobs in again.`,
      )
    }
    if (runs.length === 0) return print(`No runs on ${connection.shown}.`)
    const finished = runs.reduce((sum, { jobs }) => sum + jobs.finished, 0)
    const listed = runs.map(({ name, id }) => `${escapeLine(name)} (${id})`)
    const names = listed.join(', ')
    const lost = `${number(finished)} finished jobs that no run folder has yet are lost`
    if (!flags.yes) throw usageError(`${names}: ${lost}. Give --yes to remove them.`)
    for (const { id } of runs) await forgetRun(connection, id)
    await print(`Removed ${names} from ${connection.shown}.`)
  })
}
