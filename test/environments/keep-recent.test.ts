import { expect, it } from 'vitest'
import { keepRecent } from '../../src/environments/keep-recent.js'

it('keeps the most recently used values and makes the others again', () => {
  const keep = keepRecent<string>(2)
  const made: string[] = []
  const get = (key: string): string => keep(key, () => (made.push(key), key.toUpperCase()))
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(get)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})
