import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { playHostileStories } from './hostile-stories.js'

describe('the interpreter', () => {
  it('survives random input and damaged stories, with one class of error', () => {
    const { crashes, longestMs, ...counts } = playHostileStories(4000, 600, createRandom('hostile stories'))
    expect(crashes).toEqual([])
    expect(counts.inputs).toBeGreaterThan(4000)
    expect(Math.min(counts.faults, counts.refused, counts.played)).toBeGreaterThan(50)
    expect(longestMs).toBeLessThan(5000)
  })
})
