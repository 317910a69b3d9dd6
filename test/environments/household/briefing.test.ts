import { describe, expect, it } from 'vitest'
import type { Environment, Task, Turn, World } from '../../../src/core/environment.js'
import { readForm } from '../../../src/core/form.js'
import { createNameFinder } from '../../../src/core/names.js'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { advertisedButRefused } from '../../../src/environments/advertised.js'
import { examplesOf, recordedExamples } from '../../../src/environments/household/examples.js'
import { allForms } from '../../../src/environments/household/forms.js'
import { taskKinds } from '../../../src/environments/household/scenes/goal.js'
import type { Generation } from '../../../src/environments/household/text/domain.js'
import { generations } from '../../../src/environments/household/text/domain.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { syncWorld } from '../../sync-world.js'

const random = createRandom('briefing')

const opened = new Map<string, Promise<Environment & { find(id: string): Task }>>()
/** Opens each environment once for all tests. */
const open = (generation: Generation, split = 'valid-unseen') => {
  const key = `${generation} ${split}`
  const environment = opened.get(key) ?? openEnvironment('household', { generation, split })
  opened.set(key, environment)
  return environment
}

/** A few tasks of every kind. */
const someTasks = ({ tasks }: Environment) =>
  taskKinds.flatMap((kind) => tasks.filter((task) => task.kind === kind).slice(0, 2))

describe.each(generations)('our own briefing, in the %s generation', (generation) => {
  it.each(taskKinds)('shows for %s an episode that plays exactly so in the engine', async (kind) => {
    const environment = await open(generation, 'train')
    const task = environment.find(recordedExamples()[kind].task)
    const world = (await environment.begin(task, random)) as World
    const [example] = examplesOf(kind, generation)
    expect(textOf(example!.opening)).toBe(`Your task is to: ${task.goal}\n${textOf(world.opening)}`)
    const played = example!.exchanges.map(({ action }) => {
      const turn = world.step(action) as Turn
      expect(turn.understood).toBe(true)
      return { action, observation: turn.observation, ended: turn.ended }
    })
    expect(played.map(({ action, observation }) => ({ action, observation }))).toEqual(example!.exchanges)
    expect(played.map(({ ended }) => ended).filter((ended) => ended !== false)).toEqual(['success'])
    expect(played.at(-1)!.ended).toBe('success')
  })

  it('advertises only what the engine accepts', async () => {
    const environment = await open(generation)
    expect(await advertisedButRefused(environment, someTasks(environment), random)).toEqual([])
  })

  it('has a form for every command that is ever accepted', async () => {
    const environment = await open(generation)
    const forms = allForms(generation)
    for (const task of someTasks(environment)) {
      const world = (await environment.begin(task, random)) as World
      const isName = createNameFinder(world.names).has
      const check = (): void => {
        for (const command of syncWorld(world).admissible()) {
          const fitting = forms.filter(({ template }) => readForm(template, command, isName) !== undefined)
          expect(fitting, command).toHaveLength(1)
        }
      }
      check()
      for (const command of syncWorld(world).solve()!) {
        expect(syncWorld(world).understands(command)).toBe(true)
        const turn = world.step(command) as Turn
        check()
        if (turn.ended !== false) expect(turn).toMatchObject({ ended: 'success', progress: 1 })
      }
    }
  })

  it('quotes the forms as data and explains each', async () => {
    const environment = await open(generation)
    const { briefing } = (await environment.begin(environment.tasks[0]!, random)) as World
    const quoted = briefing.instruction.flatMap((piece) =>
      typeof piece === 'object' && 'form' in piece ? [piece.form] : [],
    )
    expect(quoted).toContain(generation === 'old' ? 'put {obj} in/on {recep}' : 'move {obj} to {recep}')
    expect(quoted).toHaveLength(12)
    expect(briefing.help).toEqual(['check valid actions', 'inventory'])
    expect(textOf(briefing.instruction)).toMatch(/\n- 'go to \{recep\}': walk to a place\n/)
    expect(textOf(briefing.instruction).endsWith('\n')).toBe(true)
  })
})

describe('the check of advertised actions', () => {
  it('reports a form that matches no command', async () => {
    const environment = await open('old')
    const misled: Environment = {
      ...environment,
      async begin(task, stream) {
        const world = await environment.begin(task, stream)
        const instruction = [
          ...world.briefing.instruction,
          { form: 'toggle {obj}' },
          { form: 'clean {obj} using {recep}' },
        ]
        return { ...world, briefing: { ...world.briefing, instruction } }
      },
    }
    const refused = await advertisedButRefused(misled, someTasks(environment), random)
    expect(refused).toEqual(['toggle {obj}', 'clean {obj} using {recep}'])
  })
})

describe('help in the new generation', () => {
  it('contains the forms that it names as data, to the byte', async () => {
    const environment = await open('new')
    const world = (await environment.begin(environment.tasks[0]!, random)) as World
    const { observation, original, understood } = world.step('help') as Turn
    expect(understood).toBe(true)
    expect(textOf(observation)).toBe(original)
    expect(original.startsWith('Available commands:\n  look: ')).toBe(true)
    expect(observation.filter((piece) => typeof piece === 'object')).toEqual([
      { form: 'look' },
      { form: 'inventory' },
      { form: 'go to {recep}', fill: { recep: '(receptacle)' } },
      { form: 'open {recep}', fill: { recep: '(receptacle)' } },
      { form: 'close {recep}', fill: { recep: '(receptacle)' } },
      { form: 'take {obj} from {recep}', fill: { obj: '(object)', recep: '(receptacle)' } },
      { form: 'move {obj} to {recep}', fill: { obj: '(object)', recep: '(receptacle)' } },
      { form: 'examine {item}', fill: { item: '(something)' } },
      { form: 'use {obj}', fill: { obj: '(object)' } },
      { form: 'heat {obj} with {recep}', fill: { obj: '(object)', recep: '(receptacle)' } },
      { form: 'clean {obj} with {recep}', fill: { obj: '(object)', recep: '(receptacle)' } },
      { form: 'cool {obj} with {recep}', fill: { obj: '(object)', recep: '(receptacle)' } },
      { form: 'slice {obj} with {tool}', fill: { obj: '(object)', tool: '(object)' } },
    ])
  })
})
