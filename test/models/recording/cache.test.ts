import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import type { Model } from '../../../src/core/model.js'
import { Cache } from '../../../src/models/recording/cache.js'
import { withCache } from '../../../src/models/recording/uses.js'
import { openExchanges } from '../../../src/run/exchanges.js'
import { ask, noisy, scratchPaths } from './_noisy.js'

const freshPath = scratchPaths('cache')

/** Asks a model calls one after another with a cache; returns its replies and the counts of the cache. */
async function askWith(folder: string, model: Model, calls: readonly Parameters<typeof ask>[]) {
  const cache = await Cache.open(folder)
  const cached = withCache(model, cache)
  const replies = []
  try {
    for (const call of calls) replies.push(await cached.complete(...ask(...call)))
  } finally {
    await cache.close()
  }
  return { replies, ...cache.count }
}

describe('a cache', () => {
  it('sends each call of an episode once, and never answers one episode with the reply of another', async () => {
    const folder = freshPath()
    const placebo = { call: { episode: 'household · task 1 · placebo · act', number: 0 } }
    const calls: Parameters<typeof ask>[] = [[0], [1], [0, placebo], [0, { seed: 1 }], [0, { temperature: 0 }]]
    const model = noisy()
    const first = await askWith(folder, model, [...calls, ...calls])
    expect(first).toMatchObject({ hits: 5, absent: 5, lost: 0 })
    expect(await askWith(folder, model, calls)).toEqual({
      replies: first.replies.slice(5),
      hits: 5,
      absent: 0,
      lost: 0,
    })
    expect(first.replies.slice(0, 5)).toEqual(first.replies.slice(5))
    expect(model.calls()).toBe(5)
    expect(readdirSync(folder)).toEqual(['1.jsonl'])
  })

  it('stores no failure', async () => {
    const folder = freshPath()
    const broken = noisy({ complete: () => Promise.reject(new ShaketableError('model', 'gone')) })
    await expect(askWith(folder, broken, [[0]])).rejects.toThrow('gone')
    expect(await askWith(folder, noisy(), [[0]])).toMatchObject({ hits: 0, absent: 1 })
  })

  it('asks again for an entry with a flipped bit, names its line and stores the new reply', async () => {
    const folder = freshPath()
    const path = join(folder, '1.jsonl')
    const model = noisy()
    await askWith(folder, model, [[0]])
    const whole = readFileSync(path)
    const start = whole.indexOf(10) + 1
    for (let bit = start * 8; bit < whole.length * 8; bit += 89) {
      const flipped = Buffer.from(whole)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      writeFileSync(path, flipped)
      const exchanges = (await openExchanges({ cache: folder }))!
      const before = model.calls()
      const cached = exchanges.wrap(model)
      const replies = [await cached.complete(...ask(0)), await cached.complete(...ask(0))]
      await exchanges.close()
      const asked = { text: `look ${String(before + 1)}` }
      expect({ bit, replies }).toMatchObject({ bit, replies: [asked, asked] })
      expect(exchanges.notes[0]).toMatch(/1\.jsonl(?::2: DAMAGED|: cut 1 unfinished last line)/)
      expect(exchanges.summary()).toEqual([`1 of 2 calls came from ${folder}; 1 were not in it.`])
      expect(await askWith(folder, model, [[0]])).toMatchObject({ hits: 1, absent: 0 })
    }
  })

  it('can be used by several processes at once, each of which writes to its own file', async () => {
    const folder = freshPath()
    const caches = []
    for (let index = 0; index < 3; index++) caches.push(await Cache.open(folder))
    for (const [index, cache] of caches.entries()) await withCache(noisy(), cache).complete(...ask(index))
    for (const cache of caches) await cache.close()
    expect(readdirSync(folder).sort()).toEqual(['1.jsonl', '2.jsonl', '3.jsonl'])
    expect(await askWith(folder, noisy(), [[0], [1], [2], [3]])).toMatchObject({ hits: 3, absent: 1 })
    expect(readdirSync(folder).sort()).toEqual(['1.jsonl', '2.jsonl', '3.jsonl'])
  })

  it('keeps what a killed process has written, and cuts its unfinished line', async () => {
    const folder = freshPath()
    await askWith(folder, noisy(), [[0]])
    appendFileSync(join(folder, '1.jsonl'), '{"id":"0123')
    writeFileSync(join(folder, '1.jsonl.lock'), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), started: '' }))
    expect(await askWith(folder, noisy(), [[0], [1]])).toMatchObject({ hits: 1, absent: 1 })
    expect(await askWith(folder, noisy(), [[0], [1]])).toMatchObject({ hits: 2, absent: 0 })
  })

  it('lets a run continue if replies cannot be stored, and counts them', async () => {
    const folder = freshPath()
    const exchanges = (await openExchanges({ cache: folder }))!
    rmSync(join(folder, '1.jsonl'))
    const model = exchanges.wrap(noisy())
    for (const number of [0, 1]) {
      expect(await model.complete(...ask(number))).toMatchObject({ text: `look ${String(number + 1)}` })
      await exchanges.settle()
    }
    await exchanges.settle()
    expect(exchanges.summary()).toEqual([`0 of 2 calls came from ${folder}; 2 were not in it; 2 could not be kept.`])
    await exchanges.close()
    expect(existsSync(join(folder, '1.jsonl'))).toBe(false)
  })

  it.each(['thesis.tex', 'v1'])('refuses a folder that contains %s, and a path that is not a folder', async (name) => {
    const folder = freshPath()
    mkdirSync(folder)
    writeFileSync(join(folder, name), '')
    await expect(Cache.open(folder)).rejects.toThrow(
      `Expected an empty folder or a cache of this version, but ${folder} holds other files (${name}). Give --cache another folder.`,
    )
    await expect(Cache.open(join(folder, name))).rejects.toThrow(
      /There is a file of that name\. Give --cache another folder/,
    )
  })
})
