import { expect, it } from 'vitest'
import type { Sampling } from '../../src/core/model.js'
import { createServer } from '../../src/models/index.js'
import { type Answer, json, says, useEndpoint } from './loopback.js'

const { open } = useEndpoint()
const sampling: Sampling = { temperature: 0, seed: 1, maxTokens: 50, stop: [] }
const reset: Answer = (response) => void response.socket?.destroy()

/** Makes calls one after the other, and counts how often the identity is asked for. */
async function call(count: number, answers: readonly Answer[], why?: string) {
  const shared = createServer({ concurrency: 4, longestPauseMs: 5 })
  let asked = 0
  const verify = () => (asked++, Promise.resolve(why))
  const endpoint = await open(answers, { server: shared, verify })
  const replies: string[] = []
  for (let index = 0; index < count; index++) {
    const completion = Promise.resolve(endpoint.complete([{ role: 'user', content: 'Where to?' }], sampling))
    const told = (thrown: Error): string => thrown.message
    replies.push(await completion.then(({ text }) => text, told))
  }
  return { asked, replies, opened: shared.circuit.opened.aborted }
}

it.each([
  ['a reset', reset, 1],
  ['a status of 503', json({ error: { message: 'Loading model' } }, 503), 1],
  ['a status of 502 of a proxy', json({}, 502), 1],
  ['no failure', says('b'), 0],
  ['a limit of requests', json({}, 429), 0],
  ['an error of the server', json({}, 500), 0],
])('the identity of a model is asked for again, once, if at all: after %s', async (_, failure, times) => {
  const { asked, replies } = await call(3, [says('a'), failure, failure, says('b'), says('c')])
  expect([asked, ...replies.slice(0, 2)]).toEqual([times, 'a', 'b'])
})

it('the identity of a model stops the run where it is another one, and the reply is not kept', async () => {
  const why = 'another model under the name'
  const { replies, opened } = await call(3, [says('a'), reset, says('b')], why)
  const refused = expect.stringContaining(why) as string
  expect([replies, opened]).toEqual([['a', refused, refused], true])
})
