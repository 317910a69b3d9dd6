import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { parseJson } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import { isAlive, thisProcess } from '../files/lock.js'
import type { QueueConnection } from './connect.js'
import { beatMs, goneMs, keys } from './connect.js'
import { coordinatorSign } from './messages.js'

/** Options of {@link holdRun}. */
interface HoldOptions {
  readonly connection: QueueConnection
  /** Once aborted, nothing is waited for. */
  readonly stop: AbortSignal
  readonly say: (text: string) => void
}

/** A run whose only coordinator is this process. */
export interface Hold {
  /** Gives a sign of life. Takes the run again if Redis lost it. @returns false if another process has it */
  renew(): Promise<boolean>
  release(): Promise<void>
}

/**
 * Makes this process the coordinator of a run. One that was killed on this machine is replaced at once, one on another
 * machine when it has given no sign of life for some time.
 * @throws ShaketableError `queue` if another process coordinates the run
 */
export async function holdRun({ connection, stop, say }: HoldOptions, id: string): Promise<Hold> {
  const { redis, shown } = connection
  const key = keys.coordinator(id)
  const own = JSON.stringify({ ...thisProcess(), token: randomUUID() })
  const take = async (): Promise<boolean> => (await redis.set(key, own, 'PX', goneMs, 'NX')) === 'OK'
  /** Runs a command if the coordinator is the given one. */
  const doAs = async (sign: string, command: string): Promise<boolean> => {
    const script = `if redis.call('get', KEYS[1]) == ARGV[1] then return ${command} else return 0 end`
    return (await redis.eval(script, 1, key, sign)) === 1
  }
  const remove = "redis.call('del', KEYS[1])"
  for (let waited = 0; !(await take()); waited += beatMs) {
    const found = (await redis.get(key)) ?? ''
    const holder = coordinatorSign.safeParse(parseJson(found)).data
    if (holder !== undefined && !isAlive(holder)) {
      await doAs(found, remove)
      continue
    }
    if (waited > goneMs + beatMs || stop.aborted) {
      const who = holder === undefined ? 'another process' : `process ${String(holder.pid)} on ${holder.host}`
      throw new ShaketableError('queue', `This run is played by ${who} on the queue at ${shown}. Wait for it to end.`)
    }
    if (waited === 0) say(`Waiting for the coordinator that had this run on the queue at ${shown} before.`)
    await setTimeout(beatMs)
  }
  return {
    renew: async () => (await doAs(own, `redis.call('pexpire', KEYS[1], ${String(goneMs)})`)) || take(),
    release: async () => void (await doAs(own, remove)),
  }
}
