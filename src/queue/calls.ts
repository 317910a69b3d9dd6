import { setTimeout } from 'node:timers/promises'
import type { Budget } from '../run/budget.js'
import type { Calls } from '../run/worker-pool.js'
import type { QueueConnection } from './connect.js'
import { beatMs, keys } from './connect.js'

/*
 * A ceiling of calls over all workers: a number in Redis, from which each attempt at a call takes one before it is
 * sent.
 */

/** The number of attempts of a session without a ceiling. */
const unlimited = 2 ** 50

/** The ceiling of a session, for its coordinator. */
interface OfferedCalls {
  /** Puts the number of attempts in that the session has left. */
  offer(): Promise<void>
  /** Reads how many workers took, for the budget. @returns whether none is left */
  count(): Promise<boolean>
}

/** Offers the attempts that a budget has left now. */
export function offerCalls({ redis }: QueueConnection, id: string, budget: Budget): OfferedCalls {
  const key = keys.calls(id)
  const offered = budget.callsLeft() ?? unlimited
  let left = offered
  return {
    offer: async () => void (await redis.set(key, offered)),
    async count() {
      const found = Number((await redis.get(key)) ?? NaN)
      // Redis lost it, for example in a restart without its append-only file.
      if (Number.isNaN(found)) await redis.set(key, left, 'NX')
      else left = Math.min(offered, Math.max(0, Math.floor(found)))
      budget.elsewhere(offered - left)
      return left === 0
    },
  }
}

const take = `local left = tonumber(redis.call('get', KEYS[1]))
if not left then return -1 end
if left > 0 then redis.call('decr', KEYS[1]) end
return left`
const putBack = "if redis.call('exists', KEYS[1]) == 1 then return redis.call('incr', KEYS[1]) end return 0"

/** Permission for the attempts of a worker. While Redis has no number, its coordinator is waited for. */
export function takeCalls({ redis }: QueueConnection, id: string, closed: AbortSignal): Calls {
  return {
    async permit() {
      while (!closed.aborted) {
        const left = (await redis.eval(take, 1, keys.calls(id))) as number
        if (left >= 0) return left > 0
        await setTimeout(beatMs)
      }
      return false
    },
    unsent: async () => void (await redis.eval(putBack, 1, keys.calls(id))),
  }
}
