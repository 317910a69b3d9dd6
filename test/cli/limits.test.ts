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

it('an episode that a content filter refused is played again with --retry-refused alone', async () => {
  let [isFiltered, calls] = [true, 0]
  const filtered = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
  const address = await serveChat(() => {
    calls++
    return isFiltered ? { status: 400, content: filtered } : { content: 'Action: look' }
  })
  const grid = '--env household --tasks 2 --seeds 1 --temperatures 0 --steps 2 --perturb none --no-probe --out run'
  const run = (more = '') => shaketable(`run --base-url ${address} --model tuned ${grid}${more}`, scratch)
  const read = () => rowsOf(join(scratch, 'run')).map(({ outcome, refused }) => [outcome, refused])
  expect(await run()).toMatchObject({ code: 1 })
  expect([calls, read()]).toEqual([2, [['model-error', true], ['model-error', true]]]) // prettier-ignore
  isFiltered = false
  await run()
  expect(calls).toBe(2)
  expect(await run(' --retry-refused')).toMatchObject({ code: 0 })
  expect([calls, read().slice(2)]).toEqual([6, [['step-limit', undefined], ['step-limit', undefined]]]) // prettier-ignore
})
