import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import { Cache } from '../../../src/models/recording/cache.js'
import { withCache } from '../../../src/models/recording/with-recording.js'
import { openExchanges } from '../../../src/run/exchanges.js'
import { ask, noisy, scratchPaths } from './_noisy.js'

const freshPath = scratchPaths('cache')

/** The entries of a cache, and any other files between them. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

describe('a cache', () => {
  it('sends each call of an episode once, and never answers one episode with the reply of another', async () => {
    const folder = freshPath()
    const model = noisy()
    const cached = withCache(model, Cache.open(folder))
    const placebo = { call: { episode: 'household · task 1 · placebo · act', number: 0 } }
    const calls: Parameters<typeof ask>[] = [[0], [1], [0, placebo], [0, { seed: 1 }], [0, { temperature: 0 }]]
    const replies = []
    for (const call of calls) replies.push(await cached.complete(...ask(...call)))
    expect(model.calls()).toBe(5)
    const second = Cache.open(folder)
    const again = withCache(model, second)
    for (const [index, call] of calls.entries()) expect(await again.complete(...ask(...call))).toEqual(replies[index])
    expect(model.calls()).toBe(5)
    expect(second.count).toEqual({ hits: 5, absent: 0, damaged: 0, lost: 0 })
  })

  it('finds an entry by the label of the seed, whatever seed a server received', async () => {
    const cache = Cache.open(freshPath())
    const cached = withCache(noisy(), cache)
    const kept = await cached.complete(...ask(0))
    expect(await cached.complete(...ask(0, { sentSeed: 7 }))).toEqual(kept)
    expect(cache.count).toEqual({ hits: 1, absent: 1, damaged: 0, lost: 0 })
  })

  it('treats the same name with other settings as another model', async () => {
    const folder = freshPath()
    const cache = Cache.open(folder)
    await withCache(noisy(), cache).complete(...ask(0))
    await withCache(noisy({ settings: { endpoint: 'http://elsewhere/v1' } }), cache).complete(...ask(0))
    expect(cache.count).toEqual({ hits: 0, absent: 2, damaged: 0, lost: 0 })
  })

  it('stores no failure', async () => {
    const cache = Cache.open(freshPath())
    const broken = withCache(noisy({ complete: () => Promise.reject(new ShaketableError('model', 'gone')) }), cache)
    await expect(broken.complete(...ask(0))).rejects.toThrow('gone')
    expect(filesOf(cache.folder)).toEqual([])
  })

  it('asks again if an entry is damaged, belongs to another question or has no answer', async () => {
    const folder = freshPath()
    const model = noisy()
    await withCache(model, Cache.open(folder)).complete(...ask(0))
    const [entry = ''] = filesOf(folder)
    const whole = readFileSync(entry, 'utf8')
    for (const text of [
      whole.slice(0, -20),
      whole.replace(/"id":"../, '"id":"zz'),
      whole.replace('"text":', '"test":'),
      'null',
    ]) {
      writeFileSync(entry, text)
      const cache = Cache.open(folder)
      const reply = await withCache(model, cache).complete(...ask(0))
      expect(cache.count).toEqual({ hits: 0, absent: 0, damaged: 1, lost: 0 })
      expect(await withCache(model, Cache.open(folder)).complete(...ask(0))).toEqual(reply)
    }
  })

  it('detects each flipped bit of an entry, names the file and asks again', async () => {
    const folder = freshPath()
    const model = noisy()
    await withCache(model, Cache.open(folder)).complete(...ask(0))
    const [entry = ''] = filesOf(folder)
    const whole = readFileSync(entry)
    for (let bit = 0; bit < whole.length * 8; bit += 11) {
      const flipped = Buffer.from(whole)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      writeFileSync(entry, flipped)
      const exchanges = (await openExchanges({ cache: folder }))!
      const before = model.calls()
      const reply = await exchanges.wrap(model).complete(...ask(0))
      expect({ bit, asked: model.calls() - before, reply }).toMatchObject({
        bit,
        asked: 1,
        reply: { text: `look ${String(before + 1)}` },
      })
      expect(exchanges.summary()).toEqual([
        `0 of 1 call came from ${folder}; 1 were damaged and asked again: ${entry}.`,
      ])
      writeFileSync(entry, whole)
    }
  })

  it('can be used by several processes at once', async () => {
    const folder = freshPath()
    const writers = Array.from({ length: 8 }, () => withCache(noisy(), Cache.open(folder)))
    await Promise.all(
      writers.flatMap((model) => [0, 1, 2].map((number) => Promise.resolve(model.complete(...ask(number))))),
    )
    expect(filesOf(folder).length).toBe(3)
    const cache = Cache.open(folder)
    const model = withCache(noisy(), cache)
    for (const number of [0, 1, 2]) await model.complete(...ask(number))
    expect(cache.count.hits).toBe(3)
  })

  it('lets a run continue if a reply cannot be stored, and counts it', async () => {
    const folder = freshPath()
    const cache = Cache.open(folder)
    const taken = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))
    for (const name of taken) writeFileSync(join(folder, 'v1', name), '')
    expect(await withCache(noisy(), cache).complete(...ask(0))).toMatchObject({ text: 'look 1' })
    expect(cache.count).toEqual({ hits: 0, absent: 1, damaged: 0, lost: 1 })
  })

  it('reports that entries of another version are not used', () => {
    const folder = freshPath()
    mkdirSync(join(folder, 'v0'), { recursive: true })
    const { notes } = Cache.open(folder)
    expect(notes).toEqual([
      `${join(folder, 'v0')} is of another version of shaketable (format v0, this is v1): nothing in it is used.`,
    ])
  })

  it('refuses a folder that contains something else, and a path that is not a folder', () => {
    const folder = freshPath()
    mkdirSync(folder)
    writeFileSync(join(folder, 'thesis.tex'), '')
    expect(() => Cache.open(folder)).toThrow(
      `Expected an empty folder or a cache, but ${folder} holds other files (thesis.tex). Give --cache another folder.`,
    )
    expect(() => Cache.open(join(folder, 'thesis.tex'))).toThrow(
      /There is a file of that name\. Give --cache another folder/,
    )
  })
})
