import { describe, expect, it } from 'vitest'
import { varyWording } from '../../src/training/vary-wording.js'
import { openEnvironment } from '../../src/environments/index.js'
import { spreadTasks } from '../../src/environments/spread-tasks.js'
import { describePerturbations, outcomes } from '../laws/describe.js'
import type { Sample } from '../laws/describe.js'

async function sample(name: string, count: number, options: Readonly<Record<string, string>> = {}): Promise<Sample> {
  const environment = await openEnvironment(name, { split: 'train', ...options })
  return {
    label: [name, ...Object.values(options)].join(' '),
    environment,
    tasks: spreadTasks(environment.tasks).slice(0, count),
  }
}

const samples = [
  await sample('household', 8),
  await sample('household', 6, { generation: 'new' }),
  await sample('babyai', 8),
  await sample('pddl', 8),
]

describe('a wording drawn for each episode', () => {
  for (const one of samples.slice(0, 2)) describePerturbations([varyWording], one, /./)

  // There `toggle and go through {door}` may keep the old words of `go through {door}`.
  it.each(samples.slice(2).map((one) => [one.label, one] as const))('keeps the laws in %s', async (_, one) => {
    expect(await outcomes(one, [{ perturbation: varyWording }])).toEqual(['holds'])
  })
})
