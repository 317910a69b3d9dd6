import { describe, expect, it } from 'vitest'
import { ownPersonas } from '../../../src/training/synthesis/read-personas.js'

const personas = ownPersonas()

const words = personas.map((persona) => new Set(persona.toLowerCase().match(/[a-z]+/g)))

function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length
  return shared / (one.size + other.size - shared)
}

describe('the personas', () => {
  it('are two hundred sentences', () => {
    expect(personas).toHaveLength(200)
    expect(personas.filter((persona) => !/^[A-Z][^.]{30,}\.$/.test(persona))).toEqual([])
  })

  it('share few words with one another', () => {
    const pairs = words.flatMap((one, index) => words.slice(0, index).map((other) => jaccard(one, other)))
    expect(Math.max(...pairs)).toBeLessThan(0.35)
    expect(pairs.reduce((sum, pair) => sum + pair, 0) / pairs.length).toBeLessThan(0.1)
  })
})
