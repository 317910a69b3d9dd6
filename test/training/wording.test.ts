import { describe, expect, it } from 'vitest'
import { openEnvironment } from '../../src/environments/index.js'
import type { Model } from '../../src/index.js'
import { checkWording, paraphrase } from '../../src/training/paraphrase.js'
import { varyWording } from '../../src/training/vary-wording.js'
import { spreadTasks } from '../../src/environments/spread-tasks.js'
import { type Sample, describePerturbations, outcomes } from '../laws/describe.js'

const names = ['desk', 'red ball', 'red ball 1']

it.each<[text: string, wording: string, expected: string | undefined, isAction?: boolean]>([
  ['put two {obj} in {recep}', 'place two {obj} into {recep}', undefined],
  ['put two {obj} in {recep}', 'place {obj} into {recep}', 'its numbers differ'],
  ['put two {obj} in {recep}', 'place two {obj} into it', 'its slots differ'],
  ['put two {obj} in {recep}', 'place two {obj} into {recep} {recep}', 'its slots differ'],
  ['put two {obj} in {recep}', 'Put  two {obj} in {recep}.', 'it is the original'],
  ['go to the red ball 1', 'walk to the red ball 1', undefined],
  ['look at the desk', 'examine the desktop', "it lacks 'desk'"],
  ['look at the desk', `look ${'very '.repeat(60)}well at the desk`, 'it is more than three times as long'],
  ['look at the desk', 'examine the\u0007 desk', 'it has control characters'],
  ['take {obj} from {recep}', 'grab {obj} out of {recep}', undefined, true],
  ['take {obj} from {recep}', 'grab {obj} {recep}', 'no word stands between its items', true],
  ['take {obj} from {recep}', '{obj}, {recep}', 'it has no word of its own', true],
  ['pick {ball} {room}', 'grab {ball} {room}', undefined, true],
])('a wording of a goal, or of an action, %s → %s', (text, wording, expected, isAction = false) => {
  expect(checkWording({ text, isAction, names }, wording)).toBe(expected)
})

it('no two actions get the same words', async () => {
  const model: Model = {
    name: 'm',
    settings: {},
    complete: (messages) => {
      const slots = messages[0]!.content
        .split('\n')
        .at(-1)!
        .matchAll(/\{\w+\}/g)
      return { text: [...slots].map(([slot]) => `jump ${slot}`).join(' at ') }
    },
  }
  const options = { parts: ['actions'], draws: 1, temperature: 0, seed: 0, concurrency: 2 } as const
  const { signal } = new AbortController()
  const found = await paraphrase(await openEnvironment('household', {}), () => ({}), model, { ...options, signal })
  const wordings = Object.values(found.words.actions!).map(([one]) => one!.replace(/\{\w+\}/g, '{}'))
  expect(wordings).toHaveLength(new Set(wordings).size)
  expect(found.counts.actions!.complete).toBe(wordings.length)
  expect(found.refused.map(({ why }) => why)).toContain('another action has these words')
})

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
