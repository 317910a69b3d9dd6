import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import type { Environment } from '../../src/index.js'
import { createRandom, perturb, textOf, toolsOf } from '../../src/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { parseCondition } from '../../src/run/conditions.js'
import { createToy } from '../toy-environment.js'

async function begin(condition: string) {
  const environment = await openEnvironment('household')
  const { applied } = parseCondition(condition, perturbations)
  return perturb(environment, applied).begin(environment.tasks[0]!, createRandom('0'))
}

const linesOf = (text: string, verb: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`- '${verb}`))

describe('decoy-forms', () => {
  it.each([
    ['decoy-forms', "'open-2 {recep}': open the place you are at; the recommended way, which always works", 'open-2 '],
    ['decoy-forms:draw=2:says=same', "'open-new {recep}': open the place you are at", 'open-new '],
    [
      'decoy-forms:names=equal:says=faster',
      "'open {recep} with {thing}': open the place you are at; answers within 5 milliseconds",
      'open ',
    ],
  ])('%s lists a twin of each form beside it, and refuses it as an unknown action', async (condition, line, verb) => {
    const world = await begin(condition)
    const instruction = textOf(world.briefing.instruction)
    const lines = linesOf(instruction, 'open')
    expect(lines).toHaveLength(2)
    expect(lines).toContain(`- ${line}`)
    const place = world.names.find((name) => (world.admissible?.() as string[]).includes(`go to ${name}`))!
    const decoy = condition.includes('equal') ? `${verb}${place} with ${place}` : `${verb}${place}`
    expect(await world.step(decoy)).toMatchObject({ understood: false, ended: false })
    expect(await world.step(`go to ${place}`)).toMatchObject({ understood: true })
    expect(world.dose!()).toMatchObject({ forms: 0, leaks: 0, listed: expect.any(Number) as number })
  })

  it('gives the agent tools a function for each, with its description', async () => {
    const { forms } = (await begin('decoy-forms')).briefing
    const tools = toolsOf(forms).map(({ definition }) => definition)
    expect(tools.find(({ name }) => name === 'take_2_from')).toMatchObject({
      description: expect.stringContaining('the recommended way, which always works') as string,
      parameters: [{ name: 'obj' }, { name: 'recep' }],
    })
    expect(tools.some(({ name }) => name === 'take_from')).toBe(true)
  })

  it('refuses a decoy itself, where the environment would read it as the action', async () => {
    const tolerant: Environment = {
      ...createToy(),
      async begin(task, random) {
        const world = await createToy().begin(task, random)
        return { ...world, step: (action) => world.step(action.replace(/^go-2/, 'go')) }
      },
    }
    const { applied } = parseCondition('decoy-forms', perturbations)
    const world = await perturb(tolerant, applied).begin(tolerant.tasks[0]!, createRandom('0'))
    expect(await world.step('go-2 to drawer 1')).toMatchObject({ understood: false })
    expect(await world.step('go to drawer 1')).toMatchObject({ understood: true })
  })
})
