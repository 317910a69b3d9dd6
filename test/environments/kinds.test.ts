import { describe, expect, it, vi } from 'vitest'
import { environmentKinds, findEnvironmentKind, openEnvironment } from '../../src/environments/index.js'

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
