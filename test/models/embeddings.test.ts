import { afterEach, describe, expect, it } from 'vitest'
import { createEmbedder } from '../../src/models/embeddings.js'
import type { Answer, Loopback } from './loopback.js'
import { startLoopback } from './loopback.js'

let server: Loopback | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const reply =
  (body: unknown, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

async function embed(texts: readonly string[], ...answers: readonly Answer[]) {
  server = await startLoopback(...answers)
  const { baseUrl } = server
  return createEmbedder({ model: 'small', baseUrl, apiKey: 'sk-secret-key', concurrency: 1 })(texts)
}

describe('createEmbedder', () => {
  it('sends texts in batches with the key, and returns vectors in their order', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `text ${String(at)}`)
    const vectors = (from: number, to: number) => ({
      data: texts
        .slice(from, to)
        .map((_, index) => ({ index, embedding: [from + index, 1] }))
        .reverse(),
    })
    const found = await embed(texts, reply(vectors(0, 32)), reply(vectors(32, 40)))
    expect(found).toEqual(texts.map((_, at) => [at, 1]))
    expect(server!.heard.map(({ url }) => url)).toEqual(['/v1/embeddings', '/v1/embeddings'])
    expect(server!.heard[0]).toMatchObject({ authorization: 'Bearer sk-secret-key', body: { model: 'small' } })
    expect(server!.heard[1]!.body['input']).toEqual(texts.slice(32))
  })

  it('asks again where a call breaks off', async () => {
    const found = await embed(['a'], reply({ error: { message: 'busy' } }, 503), reply({ data: [{ embedding: [1] }] }))
    expect(found).toEqual([[1]])
  })

  it.each([
    ['fewer vectors', { data: [{ embedding: [1, 2] }] }, /1 embeddings of 1 texts, expected one for each of 2/],
    ['different lengths', { data: [{ embedding: [1, 2] }, { embedding: [1] }] }, /vectors of 2 and of 1 numbers/],
    ['numbers that are none', { data: [{ embedding: [null] }, { embedding: [1] }] }, /at 'data\.0\.embedding\.0'/],
    ['zeros alone', { data: [{ embedding: [0, 0] }, { embedding: [1, 0] }] }, /zeros alone/],
  ])('refuses %s in one sentence, at once', async (_, body, message) => {
    await expect(embed(['a', 'b'], reply(body))).rejects.toThrow(message)
    expect(server!.heard).toHaveLength(1)
  })

  it('does not show the key that a server repeats', async () => {
    const refused = embed(['a'], reply({ error: { message: 'bad key sk-secret-key' } }, 401))
    await expect(refused).rejects.toThrow(/The key was refused/)
    await expect(refused).rejects.not.toThrow(/sk-secret/)
  })
})
