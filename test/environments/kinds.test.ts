import { describe, expect, it, vi } from 'vitest'
import { environmentKinds, findEnvironmentKind, openEnvironment } from '../../src/environments/index.js'
import { perturbations } from '../../perturbations/index.js'
import { createRandom, textOf } from '../../src/index.js'
import { checkLaws } from '../../src/laws/index.js'
import { roomPerturbations, threeRooms } from './three-rooms.js'

/** The options that environments with external data or servers require. */
const elsewhere: Readonly<Record<string, string>> = {
  scienceworld:
    "The environment 'scienceworld' needs ScienceWorld's engine. It is in the Python package 'scienceworld': 'pip download scienceworld --no-deps && python3 -m zipfile -e scienceworld-*.whl .' writes it to scienceworld/scienceworld.jar. Name it by --set scienceworld.jar=scienceworld/scienceworld.jar or in SCIENCEWORLD_JAR.",
  process: "The environment 'process' needs the command that starts it; add --set process.command='python3 my_env.py'.",
}

it.each(Object.entries(elsewhere))('the environment %s reports what it needs', async (name, message) => {
  vi.stubEnv('SCIENCEWORLD_JAR', '')
  await expect(openEnvironment(name)).rejects.toMatchObject({ code: 'usage', message })
})

const here = environmentKinds.filter(({ name }) => !Object.hasOwn(elsewhere, name))

describe.each(here.map(({ name }) => name))('the environment %s', (name) => {
  it('opens without any options and has distinct tasks', async () => {
    const environment = await openEnvironment(name)
    expect(environment.name).toBe(name)
    const { tasks } = environment
    expect(tasks.length).toBeGreaterThan(0)
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length)
    expect(environment.tasks).toBe(tasks)
    expect(environment.find(tasks[0]!.id)).toEqual(tasks[0])
    expect(JSON.stringify(environment.settings)).not.toContain('/')
  })
})

it('suggests the intended environment', () => {
  expect(() => findEnvironmentKind('houshold')).toThrowError(
    "Unknown environment 'houshold'. Did you mean 'household'?",
  )
})

describe('the environment in docs/environments.md', async () => {
  const environment = await threeRooms.open()

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
