import { expect, it } from 'vitest'
import {
  ShaketableError,
  canonicalJson,
  createRandom,
  episodeKey,
  hashOf,
  messageOf,
  nearMiss,
  unknownName,
} from '../../src/index.js'

it('an error for users suggests the nearest name, and lists the valid ones', () => {
  expect(unknownName('agent', 'reactt', ['act', 'react'])).toBe(
    "Unknown agent 'reactt'. Did you mean 'react'? Known: act, react.",
  )
  expect(unknownName('agent', 'xyz', ['act', 'react'])).toBe("Unknown agent 'xyz'. Known: act, react.")
  expect(nearMiss('AGENTREFINE-1', ['agentrefine-1'])).toBe('agentrefine-1')
  expect([nearMiss('', ['a']), nearMiss('a'.repeat(1e6), ['b'])]).toEqual(['a', undefined])
})

it('an error for users is one line, however long or unusual the thrown value', () => {
  expect(messageOf(new Error(' a \n  b '))).toBe('a b')
  expect(messageOf('x'.repeat(5000))).toHaveLength(601)
  expect([messageOf(undefined), messageOf({})]).toEqual(['undefined', '[object Object]'])
  const cause = new Error('below')
  const known = { cause, retryable: true }
  expect(new ShaketableError('model', 'no', known)).toMatchObject({ code: 'model', ...known })
  expect(new ShaketableError('model', 'no').retryable).toBe(false)
})

it('the key of an episode is the hash of everything that determines it, in any order', () => {
  const identity = {
    ...{ environment: 'toy', environmentVersion: '1', environmentSettings: { b: 1, a: [{ d: 1, c: null }] } },
    ...{ task: 't', taskHash: 'h', perturbations: [{ name: 'agentrefine-4', version: '1', intensity: 0.5 }] },
    ...{ model: 'm', modelSettings: {}, agent: 'act', agentSettings: {}, temperature: 0, seed: 1 },
    ...{ stepLimit: 30, maxTokens: 100 },
  }
  expect(episodeKey(identity)).toMatchInlineSnapshot(`"25ed8656da3c0c198571"`)
  expect(episodeKey(Object.fromEntries(Object.entries(identity).reverse()) as unknown as typeof identity)).toBe(
    episodeKey(identity),
  )
  for (const key of Object.keys(identity) as (keyof typeof identity)[]) {
    expect(episodeKey({ ...identity, [key]: 'other' } as never)).not.toBe(episodeKey(identity))
  }
  expect(canonicalJson({ b: [2, { z: 1, y: undefined }], a: 1 })).toBe('{"a":1,"b":[2,{"z":1}]}')
  expect(hashOf({ a: 1 })).toHaveLength(64)
})

it('a stream of random numbers is the same on every machine', () => {
  const random = createRandom('shaketable')
  expect([random.next(), random.next(), random.int(100)]).toEqual([0.9406740832669538, 0.35320372497624614, 17])
  expect(random.pick(['a', 'b', 'c'])).toBe('b')
  expect(random.shuffle([1, 2, 3, 4, 5])).toEqual([3, 2, 1, 5, 4])
  expect(createRandom('shaketable').fork('environment').next()).toBe(0.01877953921737832)
})

it('a stream of random numbers forks by name, whatever was drawn before', () => {
  const [fresh, used] = [createRandom('1'), createRandom('1')]
  for (let draw = 0; draw < 10; draw++) used.next()
  expect(used.fork('a').next()).toBe(fresh.fork('a').next())
  expect(fresh.fork('a').next()).not.toBe(fresh.fork('b').next())
  expect(fresh.fork('a').fork('b').next()).toBe(createRandom('1/a/b').next())
})

it('a stream of random numbers stays within its bounds, and shuffles a copy', () => {
  const random = createRandom('bounds')
  const list = Object.freeze([1, 2, 3])
  for (let draw = 0; draw < 1000; draw++) {
    expect([0, 1, 2]).toContain(random.int(3))
    expect(list).toContain(random.pick(list))
    expect(random.shuffle(list).sort()).toEqual([1, 2, 3])
  }
  expect(() => random.pick([])).toThrow('pick() needs a list with at least one element')
})
