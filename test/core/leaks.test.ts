import { describe, expect, it } from 'vitest'
import { findForm } from '../../src/core/mentions.js'
import type { AppliedPerturbation, Environment, Part, World } from '../../src/index.js'
import { createNameFinder, createRandom, describeLeaks, parts, perturb, textOf } from '../../src/index.js'
import agentrefine2 from '../../perturbations/agentrefine-2.js'
import agentrefine3 from '../../perturbations/agentrefine-3.js'
import agentrefine4 from '../../perturbations/agentrefine-4.js'
import { createToy } from '../toy-environment.js'
import { inProse } from '../text-hooks.js'
import { ownPerturbation } from '../own-perturbation.js'

async function begin(applied: readonly AppliedPerturbation[], environment: Environment = createToy()): Promise<World> {
  return perturb(environment, applied).begin(environment.tasks[0]!, createRandom('seed'))
}

const without = (...left: Part[]): Part[] => parts.filter((part) => !left.includes(part))

const finder = createNameFinder(['drawer 1', 'mug 1'])
it.each([
  ['go to {recep}', 'go to drawer 1', 1],
  ['go to {recep}', 'Go to drawer 1, then go to drawer 12.', 2],
  ['go to {recep}', 'go to {recep}, go to {place}, go to <recep>, go to [a place], go to (place)', 5],
  ['go to {recep}', 'go to sleep, go to the drawer 1, ago to drawer 1, go to', 0],
  ['take {obj} from {recep}', 'take mug 1 from drawer 1; take {obj} from {recep}; take mug 7 from sofa3', 3],
  ['take {obj} from {recep}', 'You take the mug 1 from the drawer 1. take mug 1', 0],
  ['toggle {obj}/{recep}', 'toggle {obj}/{recep} or toggle mug 1', 2],
  ['look', 'look, looking, Look! overlook', 2],
  ['{obj} please', 'mug 1 please, mug 7 please, mugs please', 2],
  ['look', 'over-look, look-out, look - and look', 0],
  ['look', 'look at pen. You look and see. Say \'look\' or "look".\n- look\nActions: look, help', 4],
  ['turn left', 'you turn left and go on', 1],
  ['clean {obj}', 'pour-to-clean {obj}, clean {obj}', 1],
  ['take {obj}', '-take mug 1, take mug 1-', 2],
])('mentions of an action form %s in %j', (template, text, count) => {
  expect(findForm(template, text, finder.at, true)).toHaveLength(count)
})

describe('a leak count of 0', () => {
  it.each<[string, AppliedPerturbation, number, string?]>([
    [
      'a form and an example',
      { perturbation: agentrefine3, scope: without('instruction', 'examples') },
      2,
      "'take {obj} from {recep}' 1 × in the examples and 1 × in the instruction",
    ],
    ['the names in an example', { perturbation: agentrefine4, scope: without('examples') }, 13],
    [
      'the names in the room',
      { perturbation: agentrefine4, scope: without('observations') },
      3,
      "'drawer 1' 1 × in observations; 'drawer 10' 1 × in observations; 'sinkbasin 1' 1 × in observations",
    ],
    ['everything', { perturbation: agentrefine4, scope: [] }, 17],
  ])('is not reported if the scope leaves out %s; the words are listed', async (_, applied, leaks, told) => {
    const { leaks: counted, leaked = [] } = (await begin([applied])).dose!()
    expect(counted).toBe(leaks)
    expect(leaked.reduce((sum, { times }) => sum + times, 0)).toBe(leaks)
    if (told !== undefined) expect(describeLeaks(leaked)).toBe(told)
  })

  it.each<[string, (world: World) => Partial<World['briefing']>]>([
    ['system prompt', () => ({ system: 'Say go to drawer 1.' })],
    ['goal', () => ({ goal: 'Go to drawer 1' })],
    ['list of help', ({ briefing }) => ({ help: [...briefing.help, 'do not go to drawer 1'] })],
    ['example', ({ briefing }) => ({ examples: [{ ...briefing.examples[0]!, opening: ['> go to bed 77'] }] })],
  ])('is not reported if the %s quotes one', async (_, change) => {
    const toy = createToy()
    const planted: Environment = {
      ...toy,
      async begin(task, random) {
        const world = await toy.begin(task, random)
        return { ...world, briefing: { ...world.briefing, ...change(world) } }
      },
    }
    expect((await begin([{ perturbation: agentrefine2 }], planted)).dose!().leaks).toBe(1)
  })

  it('is not reported if a lens restores an old form; a name at the start of a sentence is respelled', async () => {
    const putBack = ownPerturbation('own', () => ({
      form: (template) => template.replace('go to', 'walk to'),
      name: (name) => name.replace(' ', '-'),
      text: inProse((text) => text.replace('You see', 'go to sofa 1. Drawer 1 is old. You see')),
    }))
    const world = await begin([{ perturbation: putBack }])
    expect(textOf(world.opening)).toContain('go to sofa-1. Drawer-1 is old. You see a sinkbasin-1')
    expect(textOf(world.briefing.examples[0]!.opening)).toContain('go to sofa-1. Drawer-1 is old. You see a sofa-1')
    // The form, in the room and in the example.
    expect(world.dose!().leaks).toBe(2)
  })
})
