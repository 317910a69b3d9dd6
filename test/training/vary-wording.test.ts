import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { varyWording } from '../../src/training/vary-wording.js'
import { openEnvironment } from '../../src/environments/index.js'
import { spreadTasks } from '../../src/environments/spread-tasks.js'
import { createRandom } from '../../src/index.js'
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

  it.each([
    ['household', 0, { 'agentrefine-2': 5 }],
    ['babyai', 2, { 'babyai-1': 14 }],
    ['pddl', 3, { 'pddl-5': 19, 'pddl-2': 8, 'pddl-1': 3 }],
  ])(
    'matches wordings of perturbations only by chance, in %s as often as docs/training-data.md states',
    async (_, at, expected) => {
      const { environment, tasks } = samples[at]!
      const episodes = 400
      const met = new Map<string, number>()
      for (let episode = 0; episode < episodes; episode++) {
        const { briefing, names } = await environment.begin(tasks[episode % 8] ?? tasks[0]!, createRandom('0'))
        const scene = {
          briefing,
          names,
          random: createRandom(`episode ${String(episode)}`),
          intensity: 1,
          draw: 1,
          options: {},
        }
        const drawn = varyWording.open(scene)
        for (const one of perturbations.filter(({ name }) => /^(?:agentrefine|alfworld|babyai|pddl)-/.test(name))) {
          const { form } = one.open(scene)
          if (form === undefined) continue
          const same = briefing.forms.some(
            ({ template }) => form(template) !== template && form(template) === drawn.form!(template),
          )
          if (same) met.set(one.name, (met.get(one.name) ?? 0) + 1)
        }
      }
      const percents = [...met].map(([name, count]) => [name, Math.round((100 * count) / episodes)])
      expect(Object.fromEntries(percents)).toEqual(expected)
    },
  )
})
