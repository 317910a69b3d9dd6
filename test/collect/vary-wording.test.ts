import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { drawWording } from '../../src/collect/draw-wording.js'
import { varyWording } from '../../src/collect/vary-wording.js'
import { openEnvironment } from '../../src/environments/index.js'
import { allForms } from '../../src/environments/household/forms.js'
import { spreadTasks } from '../../src/environments/spread-tasks.js'
import type { Environment } from '../../src/index.js'
import { createRandom } from '../../src/index.js'
import { describeNoLeaks, outcomes } from '../laws/describe.js'
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
  await sample('household', 6),
  await sample('household', 6, { generation: 'new' }),
  await sample('babyai', 6),
  await sample('pddl', 8),
]

describe('a wording that is drawn for each episode', () => {
  it.each(samples.map((one) => [one.label, one] as const))('keeps the laws in %s', async (_, one) => {
    expect(await outcomes(one, [{ perturbation: varyWording }])).toEqual(['holds'])
  })
  describeNoLeaks([varyWording], samples.slice(0, 2))

  it('changes the forms of action and nothing else', async () => {
    const { environment, tasks } = samples[0]!
    const { briefing, names } = await environment.begin(tasks[0]!, createRandom('0'))
    const lens = varyWording.open({ briefing, names, random: createRandom('0'), intensity: 1 })
    expect(Object.keys(lens)).toEqual(['form'])
  })

  it('is another one in most episodes, and words of one kind are worded alike', () => {
    const wordings = Array.from({ length: 500 }, (_, seed) => {
      const draw = drawWording(createRandom(`episode ${String(seed)}`))
      return allForms('old').map(({ template }) => draw(template))
    })
    expect(new Set(wordings.map((one) => one.join())).size).toBe(500)
    for (const forms of wordings) {
      for (const template of ['look', 'inventory', 'check valid actions']) expect(forms).toContain(template)
    }
  })

  it('knows nothing of the perturbations, and seldom says what one of them says', async () => {
    const { environment, tasks } = samples[0]! as { environment: Environment; tasks: Sample['tasks'] }
    const { briefing, names } = await environment.begin(tasks[0]!, createRandom('0'))
    const episodes = 400
    const equal = new Map<string, number>()
    for (let seed = 0; seed < episodes; seed++) {
      const drawn = varyWording.open({ briefing, names, random: createRandom(`episode ${String(seed)}`), intensity: 1 })
      for (const one of perturbations) {
        const lens = one.open({ briefing, names, random: createRandom('0'), intensity: 1 })
        const changed = briefing.forms.filter(({ template }) => (lens.form?.(template) ?? template) !== template)
        const same = changed.some(({ template }) => lens.form!(template) === drawn.form!(template))
        if (same) equal.set(one.name, (equal.get(one.name) ?? 0) + 1)
      }
    }
    const shares = [...equal].map(([name, count]) => [name, count / episodes] as const)
    for (const [, share] of shares) expect(share).toBeLessThan(0.1)
  })
})
