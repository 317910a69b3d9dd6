import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../src/core/episode.js'
import { createRandom } from '../../../src/core/random.js'
import { beginScript } from '../../../src/environments/scripted/game.js'
import { readPlayable } from '../../../src/environments/scripted/read-playable.js'
import { drawScript } from '../../../src/training/synthesis/draw-script.js'
import { ownPersonas } from '../../../src/training/synthesis/read-personas.js'
import { createDuplicateFinder } from '../../../src/training/synthesis/similarity.js'
import { readScript } from '../../../src/training/verify/script.js'

const random = createRandom('a thousand scripts')
const scripts = ownPersonas().map((persona) => drawScript(persona, random))

describe('drawn scripts', () => {
  it('are the same for the same seed, and differ from one another', () => {
    expect(hashOf(JSON.stringify(scripts), 16)).toMatchInlineSnapshot(`"0424555351a65024"`)
    const twinOf = createDuplicateFinder()
    expect(scripts.filter((script, at) => twinOf(String(at), script) !== undefined).length).toBeLessThanOrEqual(5)
  })

  it('can all be solved in 4 to 20 steps, and are read for verification without a problem', () => {
    for (const script of scripts) {
      const steps = beginScript(readPlayable(script)).solve()?.length
      expect(steps).toBeGreaterThanOrEqual(4)
      expect(steps).toBeLessThanOrEqual(20)
      const { actions, problems } = readScript(script)
      expect(problems).toEqual([])
      for (const { template, slots } of actions) {
        const action = slots.reduce((text, { name, values }) => text.replace(`{${name}}`, values![0]!), template)
        expect(actions.filter(({ pattern }) => pattern!.match(action, 'all')).map((one) => one.template)).toEqual([
          template,
        ])
      }
    }
  })
})
