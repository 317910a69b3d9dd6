import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable } from './_command.js'
import { serveChat } from './_served.js'

const scratch = scratchFolder()

it('a budget of calls is a ceiling for attempts, and little of it is spent on episodes that are abandoned', async () => {
  let requests = 0
  // Slow, and every seventh answer is an error. An episode takes 20 calls, and 8 are played at a time.
  const address = await serveChat(async (_, count) => {
    requests = count
    await setTimeout(5 + ((count * 7) % 11))
    return count % 7 === 0 ? { status: 500, content: 'busy' } : { content: 'Action: look' }
  })
  const grid = '--env household --tasks 20 --perturb none --steps 20 --seeds 1 --concurrency 8 --no-probe --json'
  const limits = '--max calls=150 --out calls'
  const { code, stdout } = await shaketable(`run --base-url ${address} --model tuned ${grid} ${limits}`, scratch)
  const { spent } = JSON.parse(stdout) as { spent: { attempts: number } }
  expect([code, requests <= 150, spent.attempts]).toEqual([4, true, requests])
  expect(rowsOf(join(scratch, 'calls')).length).toBeGreaterThanOrEqual(3)
})
