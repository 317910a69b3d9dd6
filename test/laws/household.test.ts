import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perturbations as all } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import type { Environment, Task } from '../../src/index.js'
import { parseColumn } from '../../src/run/columns.js'
import { sharedData } from '../shared-data.js'
import type { Sample } from './describe.js'
import { describeEnvironment, describePerturbations, outcomes } from './describe.js'

/** Families have a test of their own. */
const perturbations = all.filter(({ environment, name }) => environment !== undefined || name === 'placebo')

/** The perturbations that change something here. */
const household = /^(agentrefine|alfworld)-/

/** The first task of each kind. */
function oneOfEach({ tasks }: Environment): readonly Task[] {
  return [...new Map([...tasks].reverse().map((task) => [task.kind, task])).values()]
}

async function sample(label: string, options: Readonly<Record<string, string>>): Promise<Sample> {
  const environment = await openEnvironment('household', options)
  return { label, environment, tasks: oneOfEach(environment) }
}

const samples = [
  await sample('generated tasks, old generation', {}),
  await sample('generated tasks, new generation', { generation: 'new', split: 'train' }),
]
for (const one of samples) describeEnvironment(one)
describePerturbations(perturbations, samples, household)

describe('columns over the household', () => {
  it.each([
    'agentrefine-1+agentrefine-2+agentrefine-3+agentrefine-4',
    'alfworld-2024+agentrefine-2',
    'agentrefine-4:intensity=0.5',
  ])('%s keeps the laws', async (text) => {
    for (const { environment, tasks, label } of samples) {
      const { applied } = parseColumn(text, perturbations)
      expect(await outcomes({ environment, tasks: tasks.slice(0, 2), label }, applied)).toEqual(['holds'])
    }
  })
})

describe.skipIf(sharedData === undefined)('over the real games', async () => {
  const data = join(sharedData ?? '', 'alfworld')
  const prompt = join(sharedData ?? '', 'agentboard_prompts', 'alfworld_base.json')
  const real =
    sharedData === undefined
      ? []
      : [
          await sample('real games, old generation, as AgentBoard prompts', { data, generation: 'old', prompt }),
          await sample('real games, new generation', { data, generation: 'new', split: 'valid-seen' }),
        ]
  for (const one of real) describeEnvironment(one)
  describePerturbations(perturbations, real, household)
})
