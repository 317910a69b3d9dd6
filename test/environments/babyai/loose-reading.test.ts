import { describe, expect, it } from 'vitest'
import { perturbWorld } from '../../../src/core/perturb.js'
import { definePerturbation, renameItems, rewordActions } from '../../../src/core/perturbation.js'
import type { Lens } from '../../../src/core/perturbation.js'
import { createRandom } from '../../../src/core/random.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { told } from '../../told-world.js'

const environment = await openEnvironment('babyai')

async function shaken(lens: Lens) {
  const perturbation = definePerturbation({
    name: 'probe',
    summary: '',
    source: '',
    promise: 'invariant',
    open: () => lens,
  })
  const random = createRandom('loose')
  return perturbWorld(await environment.begin(environment.find('2'), random), [{ perturbation }], random)
}

describe('an action in other letters, under a perturbation', () => {
  const reworded = { 'go to {obj}': 'walk up to {obj}' }

  it('is accepted in the new wording as the unperturbed game accepts it in the old', async () => {
    const plain = await environment.begin(environment.find('2'), createRandom('loose'))
    const command = told(plain)
      .admissible()
      .find((one) => one.startsWith('go to '))!
    const said = `  ${command.toUpperCase()} `
    expect(told(plain).understands(said)).toBe(true)
    const world = await shaken(rewordActions(reworded))
    const turn = await world.step(said.replace('GO TO', 'Walk Up To'))
    expect(turn).toMatchObject({ understood: true, command })
  })

  it('is refused in the old wording, and told to be memorised', async () => {
    const world = await shaken(rewordActions(reworded))
    const command = told(world.original)
      .admissible()
      .find((one) => one.startsWith('go to '))!
    for (const said of [command, command.toUpperCase(), ` ${command}\t`]) {
      expect(await world.step(said)).toMatchObject({ understood: false, memorised: true, command: undefined })
    }
  })

  it('is refused with the old spelling of a name', async () => {
    const world = await shaken(renameItems((name) => name.replace(/ (\d+)$/, '-$1')))
    const [command] = told(world.original)
      .admissible()
      .filter((one) => one.startsWith('go to '))
    expect(told(world).understands(command!.toUpperCase())).toBe(false)
    expect(told(world).understands(command!.replace(/ (\d+)$/, '-$1').toUpperCase())).toBe(true)
  })
})
