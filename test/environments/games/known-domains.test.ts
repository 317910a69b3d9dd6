import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { parseDomain } from '../../../src/environments/pddl/domain.js'
import { parseProblem } from '../../../src/environments/pddl/problem.js'
import { compileTask } from '../../../src/environments/pddl/task.js'
import { readText } from '../../../src/files/read-text.js'
import { shortest } from '../pddl/planner/_every-state.js'
import { syncWorld } from '../../sync-world.js'

const folder = fileURLToPath(new URL('../../fixtures/pddl/', import.meta.url))
const file = (name: string): string => join(folder, name)

const open = (name: string, more: Readonly<Record<string, string>> = {}) =>
  openEnvironment('pddl', { domain: file(`${name}.pddl`), problem: file(`${name}-1.pddl`), ...more })

/** Domains that are often used to teach planning, each with its shortest solution's length and one of its texts. */
const known = [
  ['ferry', 6, 'At blue south At red north Moored north Room-aboard'],
  ['hanoi', 7, 'On big peg1 On middle big On small middle'],
  ['logistics', 11, 'Part-of airport1 town1'],
  ['briefcase', 6, 'Case-at home Inside paycheck'],
  ['garden', 7, 'Beside beans roses Beside peas beans'],
  ['sokoban', 9, 'Here c00'],
  ['lift', 11, 'To carl second'],
] as const

describe('well-known domains', () => {
  it.each(known)('%s is played, and solved in %i actions, the minimum', async (name, length, said) => {
    const environment = await open(name)
    const [task] = environment.tasks
    const world = await environment.begin(task!, createRandom('0'))
    expect([task!.id, task!.kind]).toEqual([`${name}/${name}-1`, name])
    expect(textOf(world.opening)).toContain(said)
    const actions = syncWorld(world).solve()!
    expect(actions).toHaveLength(length)
    let progress = 0
    for (const [index, action] of actions.entries()) {
      const offered = syncWorld(world).admissible()
      expect(offered).toContain(action)
      expect(offered.filter((one) => !syncWorld(world).understands(one))).toEqual([])
      const turn = await world.step(action)
      expect(turn).toMatchObject({ understood: true, ended: index === length - 1 && 'success' })
      expect(turn.progress).toBeGreaterThanOrEqual(progress)
      progress = turn.progress
    }
    expect(progress).toBe(1)
    const read = (which: string): string => readText('The file', file(which), '')
    const compiled = compileTask(
      parseProblem(read(`${name}-1.pddl`), parseDomain(read(`${name}.pddl`), name), `${name}-1`),
    )
    expect(shortest(compiled, 20_000)).toBe(length)
  })

  it('ferry is the example of the documentation', () => {
    const page = readText('The page', fileURLToPath(new URL('../../../docs/environments.md', import.meta.url)), '')
    const blocks = [...page.matchAll(/^```(?:lisp|json) \[[^\n]*\n([^]*?)^```$/gm)].map(([, block]) => block)
    const files = ['ferry.pddl', 'ferry-1.pddl', 'ferry-texts.json'].map((name) => readText('The file', file(name), ''))
    expect(blocks).toEqual(files)
  })
})
