import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { createRandom, textOf } from '../../src/index.js'
import { checkLaws } from '../../src/laws/index.js'
import { roomPerturbations, threeRooms } from './three-rooms.js'

const environment = await threeRooms.open()

describe('the environment in docs/environments.md', () => {
  it.each(environment.tasks)('is played and solved from the $id', async (task) => {
    const world = await environment.begin(task, createRandom('0'))
    expect(world.briefing.goal).toBe('go into the cellar')
    expect(textOf(world.briefing.instruction)).toContain("- 'take {thing}': pick up a thing that lies here\n")
    expect(await world.step('jump')).toMatchObject({
      original: 'Nobody knows what you mean.',
      understood: false,
      progress: 0,
      ended: false,
    })
    const turns = []
    for (const action of (await world.solve!())!) turns.push(await world.step(action))
    expect(turns.every(({ understood }) => understood)).toBe(true)
    expect(turns.at(-1)).toMatchObject({ original: 'You are in the cellar.', progress: 1, ended: 'success' })
  })

  /** Those that need words, objects or another condition. */
  const needsMore = [
    ...['synonyms', 'item-synonyms', 'swapped-verbs', 'goal-paraphrase', 'observation-paraphrase'],
    ...['misinformation', 'distractor-objects', 'length-matched'],
  ]
  const conditions = [
    ...perturbations
      .filter((one) => one.environment === undefined && !needsMore.includes(one.name))
      .map((one) => [one]),
    ...roomPerturbations.map((one) => [one]),
    roomPerturbations,
  ].map((condition) => [condition.map(({ name }) => name).join('+'), condition] as const)
  it.each(conditions)('keeps every law under %s', async (_, condition) => {
    for (const task of environment.tasks) {
      const applied = condition.map((perturbation) => ({ perturbation }))
      const findings = await checkLaws({ environment, task, applied, seed: 'rooms' })
      expect(findings.filter(({ outcome }) => outcome === 'fails')).toEqual([])
      if (condition === roomPerturbations)
        expect(new Set(findings.map(({ outcome }) => outcome))).toEqual(new Set(['holds']))
    }
  })
})
