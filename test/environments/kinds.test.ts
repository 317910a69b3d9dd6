import { describe, expect, it, vi } from 'vitest'
import { environmentKinds, findEnvironmentKind, openEnvironment } from '../../src/environments/index.js'
import { perturbations } from '../../perturbations/index.js'
import { checkLaws } from '../../src/laws/index.js'
import { describeEnvironment } from '../laws/describe.js'
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

it.each(here)('the environment $name opens without any options and has distinct tasks', async ({ name }) => {
  const environment = await openEnvironment(name)
  const { tasks } = environment
  expect([environment.name, tasks.length > 0]).toEqual([name, true])
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length)
  expect(environment.tasks).toBe(tasks)
  expect(environment.find(tasks[0]!.id)).toEqual(tasks[0])
  expect(JSON.stringify(environment.settings)).not.toContain('/')
})

it('suggests the intended environment', () => {
  expect(() => findEnvironmentKind('houshold')).toThrowError(
    "Unknown environment 'houshold'. Did you mean 'household'?",
  )
})

describe('the environment in docs/environments.md', async () => {
  const environment = await threeRooms.open()

  describeEnvironment({ environment, tasks: environment.tasks, label: 'three rooms' })

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
