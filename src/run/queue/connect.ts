import type * as Bullmq from 'bullmq'
import { ShaketableError, messageOf, usageError } from '../../core/errors.js'
import { fillReferences, referencesIn } from '../../files/variables.js'
import { showAddress } from '../../models/address.js'

/**
 * Names of keys in Redis: the prefix of jobs, the hash of the runs that are played, and for the id of each (16
 * hexadecimal digits) what workers need, its coordinator, and the workers that cannot play it with their reasons.
 */
export const keys = {
  prefix: 'shaketable:queue',
  runs: 'shaketable:runs',
  run: (id: string) => `shaketable:run:${id}`,
  coordinator: (id: string) => `shaketable:coordinator:${id}`,
  refused: (id: string) => `shaketable:refused:${id}`,
}

/** Milliseconds between two looks at a queue. */
export const lookMs = 500

/**
 * Connects to a queue. Once connected, a lost connection is waited for, with a word to `say` when it is lost and when
 * it is back.
 * @throws ShaketableError `usage` for an unusable address or missing packages, `queue` for a server that does not
 * answer or refuses the login
 */
export async function connectQueue(address: string, say: (text: string) => void) {
  const url = readQueueAddress(address)
  const shown = `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`
  const { Redis, bullmq } = await loadPackages()
  let [isOpen, isLost, isClosed] = [false, false, false]
  let problem: unknown
  const retryStrategy = (times: number): number | null => (isOpen ? Math.min(times * 100, 2000) : null)
  const options = { maxRetriesPerRequest: null, connectTimeout: 10_000, lazyConnect: true, retryStrategy }
  const redis = new Redis(url.href, options)
  // Without a listener an error would end the process; what it means is said on 'close'.
  redis.on('error', (error) => (problem ??= error))
  try {
    await redis.connect()
    await redis.info()
    isOpen = true
  } catch (thrown) {
    redis.disconnect()
    throw new ShaketableError('queue', explainRefusal(shown, problem ?? thrown))
  }
  redis.on('close', () => {
    if (!isLost && !isClosed) say(`The connection to ${shown} is lost; waiting for it.`)
    isLost = true
  })
  redis.on('ready', () => {
    if (isLost) say(`The connection to ${shown} is back.`)
    isLost = false
  })
  return {
    shown,
    redis,
    bullmq,
    /** A queue of jobs, by the id of its run. */
    queue: (id: string) => {
      // Each would write the settings of its queue when it is connected, of one that is removed as well.
      const queue = new bullmq.Queue(id, { connection: redis, prefix: keys.prefix, skipMetasUpdate: true })
      queue.on('error', () => undefined)
      return queue
    },
    /** Forgets the connection at once; nothing waits for the server. */
    close() {
      isClosed = true
      redis.disconnect()
    },
  }
}

/** A connection to the Redis server of a queue. */
export type QueueConnection = Awaited<ReturnType<typeof connectQueue>>

/** What Redis refused, as an error for users; any other error as it is. */
export function asQueueError({ shown }: Pick<QueueConnection, 'shown'>, thrown: unknown): unknown {
  if (!isReplyError(thrown)) return thrown
  const why = thrown.message.replace(/\.$/, '')
  return new ShaketableError('queue', `Redis at ${shown} refuses a command: ${why}.`)
}

/** Whether Redis answered a command with an error. */
export function isReplyError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.name === 'ReplyError'
}

/** A sentence on an error, for those who wait for its end. */
export function reportOf(connection: QueueConnection, thrown: unknown): string {
  return `The queue reports an error: ${messageOf(asQueueError(connection, thrown)).replace(/\.$/, '')}.`
}

/** Passes each text on once. */
export function sayOnce(say: (text: string) => void): (text: string) => void {
  const told = new Set<string>()
  return (text) => void (told.has(text) || (told.add(text), say(text)))
}

async function loadPackages() {
  try {
    const [{ Redis }, bullmq] = await Promise.all([import('ioredis'), import('bullmq')])
    return { Redis, bullmq: bullmq as typeof Bullmq }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw thrown
    const install = 'Install them: npm install bullmq ioredis'
    throw usageError(`A queue needs the packages bullmq and ioredis, which are not installed. ${install}`)
  }
}

/**
 * The address of a queue with its variables filled in, each as one part of the address: `redis://:${PASSWORD}@host`.
 * @throws ShaketableError `usage`; the message shows no password
 */
export function readQueueAddress(address: string): URL {
  const names = referencesIn(address)
  const isWhole = /^\$(\{\w+\}|\w+)$/.test(address.trim())
  const encoded = names.map((name) => [name, encodeURIComponent(process.env[name]?.trim() ?? '')])
  const variables = isWhole ? process.env : (Object.fromEntries(encoded) as Record<string, string>)
  const text = fillReferences(address.trim(), variables, '--queue')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^(\/\d{0,4})?$/.test(url.pathname)) return url
  const got = names.length > 0 ? '' : `, got '${showAddress(address).slice(0, 200)}'`
  throw usageError(
    `--queue: expected an address such as redis://localhost:6379, or rediss:// with TLS${got}. Write a password as a variable, 'redis://:\${REDIS_PASSWORD}@host:6379', or its characters / ? # @ as %2F %3F %23 %40.`,
  )
}

function explainRefusal(shown: string, thrown: unknown): string {
  const reason = messageOf(thrown).replace(/\.$/, '')
  if (!/NOAUTH|NOPERM|WRONGPASS|invalid password|without any password/i.test(reason))
    return `Cannot reach the queue at ${shown}: ${reason}. Start Redis or Valkey there, or check --queue; with TLS the address begins with rediss://.`
  const why = reason.startsWith('NOAUTH') ? 'it wants a password' : 'it refuses this login'
  return `Cannot use the queue at ${shown}: ${why}. Give the right one in the address, 'redis://:\${REDIS_PASSWORD}@host:6379'.`
}
