import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perturbations as all } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { createRandom } from '../../src/index.js'
import { checkConforms } from '../../src/laws/conforms.js'
import { parseColumn } from '../../src/run/columns.js'
import { sharedData } from '../shared-data.js'
import type { Sample } from './describe.js'
import { describeEnvironment, describeNoLeaks, describePerturbations, outcomes } from './describe.js'

/** Families have a test of their own. */
const perturbations = all.filter(({ environment, name }) => environment !== undefined || name === 'placebo')

/**
 * The perturbations that change something here: of the household's, the one that joins a name and its number.
 */
const changing = /^babyai-|^agentrefine-4$/

/**
 * Only every nth task, from the first on; all of them are checked by `shaketable validate --env babyai --tasks
 * 112`.
 */
async function sample(label: string, every: number, options: Readonly<Record<string, string>>): Promise<Sample> {
  const environment = await openEnvironment('babyai', options)
  return { label, environment, tasks: environment.tasks.filter((_, index) => index % every === 0) }
}

const samples = [
  await sample('the benchmark’s levels', 28, {}),
  await sample('other levels, without faults', 233, { split: 'train', rules: 'fixed' }),
]
for (const one of samples) describeEnvironment(one)
describePerturbations(perturbations, samples, changing)
describeNoLeaks(perturbations, samples)

it('conforms where an action that changes nothing is first, which AgentBoard does not count as valid', async () => {
  const { environment, tasks } = await sample('the benchmark’s levels', 1, {})
  const task = tasks.find(({ id }) => id === '43')!
  const world = await environment.begin(task, createRandom('0'))
  expect(await world.step('go to blue locked door 1')).toMatchObject({ understood: false })
  expect(await checkConforms(environment, [task], '0')).toMatchObject({ misfits: [] })
})

describe('columns over BabyAI', () => {
  it.each(['babyai-1+babyai-2+babyai-3+babyai-4+babyai-5', 'babyai-5+agentrefine-4', 'call-syntax+decoy-actions'])(
    '%s keeps the laws',
    async (text) => {
      for (const { environment, tasks, label } of samples) {
        const { applied } = parseColumn(text, all)
        expect(await outcomes({ environment, tasks: tasks.slice(0, 2), label }, applied)).toEqual(['holds'])
      }
    },
  )
})

describe.skipIf(sharedData === undefined)('as AgentBoard prompts and labels it', async () => {
  const prompt = join(sharedData ?? '', 'agentboard_prompts', 'babyai_vanilla_prompt.json')
  const labels = join(sharedData ?? '', 'agentboard_labels', 'babyai_test.jsonl')
  const real = sharedData === undefined ? [] : [await sample('with its prompt file', 37, { prompt, labels })]
  for (const one of real) describeEnvironment(one)
  describePerturbations(perturbations, real, changing)
  describeNoLeaks(perturbations, real)
})
