import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'

describe('a stream of random numbers', () => {
  it('is the same on every machine', () => {
    const random = createRandom('shaketable')
    expect([random.next(), random.next(), random.int(100)]).toEqual([0.9406740832669538, 0.35320372497624614, 17])
    expect(random.pick(['a', 'b', 'c'])).toBe('b')
    expect(random.shuffle([1, 2, 3, 4, 5])).toEqual([3, 2, 1, 5, 4])
    expect(createRandom('shaketable').fork('environment').next()).toBe(0.01877953921737832)
  })

  it('forks by name, whatever was drawn before', () => {
    const [fresh, used] = [createRandom('1'), createRandom('1')]
    for (let draw = 0; draw < 10; draw++) used.next()
    expect(used.fork('a').next()).toBe(fresh.fork('a').next())
    expect(fresh.fork('a').next()).not.toBe(fresh.fork('b').next())
    expect(fresh.fork('a').fork('b').next()).toBe(createRandom('1/a/b').next())
  })

  it('stays within its bounds, and shuffles a copy', () => {
    const random = createRandom('bounds')
    const list = Object.freeze([1, 2, 3])
    for (let draw = 0; draw < 1000; draw++) {
      expect([0, 1, 2]).toContain(random.int(3))
      expect(list).toContain(random.pick(list))
      expect(random.shuffle(list).sort()).toEqual([1, 2, 3])
    }
    expect(() => random.pick([])).toThrow('pick() needs a list with at least one element')
  })
})
