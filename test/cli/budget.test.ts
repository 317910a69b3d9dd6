import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable } from './_command.js'
import { serveChat } from './_served.js'

const scratch = scratchFolder()

/** Episodes of at most 20 calls, played 8 at a time; a model that only looks around needs all of them. */
const args = (address: string, out: string, ...more: string[]): string[] => [
  ...['run', '--base-url', address, '--model', 'tuned', '--env', 'household', '--tasks', '20', '--perturb', 'none'],
  ...['--steps', '20', '--seeds', '1', '--concurrency', '8', '--no-probe', '--out', out, '--json', ...more],
]

/** A server that answers slowly, and every seventh time with an error. @returns its address and its requests so far */
async function slowServer(): Promise<{ readonly address: string; readonly requests: () => number }> {
  let requests = 0
  const address = await serveChat(async (_, count) => {
    requests = count
    await setTimeout(5 + ((count * 7) % 11))
    return count % 7 === 0 ? { status: 500, content: 'busy' } : { content: 'Action: look' }
  })
  return { address, requests: () => requests }
}

describe('a budget', () => {
  it('of calls is a ceiling for attempts, and little of it is spent on episodes that are abandoned', async () => {
    const { address, requests } = await slowServer()
    const { code, stdout } = await shaketable(args(address, 'calls', '--max', 'calls=150'), scratch)
    const { spent } = JSON.parse(stdout) as { spent: { attempts: number } }
    expect([code, requests() <= 150, spent.attempts]).toEqual([4, true, requests()])
    expect(rowsOf(join(scratch, 'calls')).length).toBeGreaterThanOrEqual(3)
  })
})
