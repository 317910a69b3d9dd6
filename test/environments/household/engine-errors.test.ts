import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import type { GameSource } from '../../../src/environments/household/engine/game-file.js'
import { compileGame } from '../../../src/environments/household/engine/engine.js'
import { smallSource } from './small-game.js'

describe('compiling a game', () => {
  it('plays any mutation of its texts or refuses it in one sentence', () => {
    const part = fc.constantFrom('pddlDomain', 'pddlProblem')
    const inserted = fc.constantFrom('', '\n', '\u{1f600}', ...' ( ) ?x " { } [ ] # | not - and 0 ; \\'.split(' '), ' ')
    const change = fc.record({ part, at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(2), inserted })
    let played = 0
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
        const file: Record<string, unknown> = { ...smallSource('new') }
        for (const { part: key, at, cut, inserted: added } of changes) {
          const text = file[key] as string
          const from = Math.floor(at * text.length)
          file[key] = text.slice(0, from) + added + text.slice(from + cut)
        }
        try {
          const engine = compileGame(file as unknown as GameSource, 'g').start()
          for (let step = 0; step < 8; step++) {
            const admissible = engine.admissible()
            engine.step(admissible[(step * 7) % Math.max(admissible.length, 1)] ?? 'look')
          }
          played++
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(ShaketableError)
          expect((thrown as ShaketableError).message).toMatch(/^g\b[^\n]{20,900}$/)
        }
      }),
      { numRuns: 1500, seed: 20260102 },
    )
    expect(played).toBeGreaterThan(100)
  })
})
