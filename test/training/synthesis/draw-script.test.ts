import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { readScript } from '../../../src/training/verify/script.js'
import { beginScript } from '../../../src/environments/scripted/game.js'
import { readPlayable } from '../../../src/environments/scripted/read-playable.js'
import { composeScript, drawScript } from '../../../src/training/synthesis/draw-script.js'
import { ownPersonas } from '../../../src/training/synthesis/read-personas.js'
import { settings } from '../../../src/training/synthesis/settings.js'
import { createDuplicateFinder } from '../../../src/training/synthesis/similarity.js'

const personas = ownPersonas()

interface Drawn {
  readonly Environment: Readonly<Record<string, unknown>>
  readonly 'Completion Conditions': readonly string[]
  readonly 'Available Actions': Readonly<
    Record<string, { readonly parameters: Readonly<Record<string, readonly string[]>>; readonly observation: string }>
  >
  readonly Goal: string
}

const random = createRandom('a thousand scripts')
const scripts = Array.from(
  { length: 1000 },
  (_, index) => drawScript(personas[index % personas.length]!, random) as Drawn,
)
const forms = scripts.map((script) => Object.keys(script['Available Actions']))

describe('a thousand drawn scripts', () => {
  it('can all be played and solved in 4 to 20 steps', () => {
    const steps = scripts.map((script) => beginScript(readPlayable(script)).solve()?.length ?? Infinity)
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(4)
    expect(Math.max(...steps)).toBeLessThanOrEqual(20)
    expect(new Set(steps).size).toBeGreaterThan(8)
  }, 180_000)

  it('are read for verification without a problem, each action by one form', () => {
    for (const script of scripts) {
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

  it('differ from one another', () => {
    const twinOf = createDuplicateFinder()
    expect(scripts.filter((script, at) => twinOf(String(at), script) !== undefined).length).toBeLessThanOrEqual(50)
    expect(new Set(forms.flat().map((form) => form.replace(/\{\w+\}/g, '{}'))).size).toBeGreaterThan(250)
  })
})

describe('a composed script', () => {
  it.each(settings())('of the $name is won by its solution, with its last action and without an error', (setting) => {
    for (let draw = 0; draw < 20; draw++) {
      const { script, solution } = composeScript(setting, createRandom(`${setting.name} ${String(draw)}`))
      const game = beginScript(readPlayable(script))
      const answers = solution.map((action) => game.step(action))
      expect(answers.filter(({ error }) => error !== undefined)).toEqual([])
      expect(answers.map(({ won }) => won).indexOf(true)).toBe(solution.length - 1)
    }
  })
})

describe('drawScript', () => {
  it('numbers all names in about half of the worlds, and none in the others', () => {
    const shares = scripts.map(({ Environment: places }) => {
      const names = Object.keys(places)
      return names.filter((name) => / [1-4]$/.test(name)).length / names.length
    })
    expect(shares.every((share) => share === 0 || share === 1)).toBe(true)
    const numbered = shares.filter((share) => share === 1).length / shares.length
    expect(numbered).toBeGreaterThan(0.4)
    expect(numbered).toBeLessThan(0.6)
  })
})
