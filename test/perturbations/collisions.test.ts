import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { createTranslator } from '../../src/core/translate.js'
import { openEnvironment } from '../../src/environments/index.js'
import type { OpenedEnvironment } from '../../src/environments/index.js'
import type { Task, World } from '../../src/index.js'
import { createRandom } from '../../src/index.js'
import { sharedData } from '../shared-data.js'
import { syncWorld } from '../sync-world.js'

/**
 * A loose variant of an action that an environment tolerates: any reading of the variant would also apply to the
 * action itself.
 */
const loosely: Readonly<Record<string, (action: string) => string>> = {
  babyai: (action) => ` ${action.toUpperCase()}\t`,
  jericho: (action) => ` ${action.toUpperCase()}  `,
  pddl: (action) => `So ${action.replace(/\.? *$/, '').toUpperCase()} now.`,
}

/** The wording of an episode's actions under each perturbation. */
function translatorsOf(kind: string, { briefing, names }: World) {
  const examples = briefing.examples.map((example) => example.names)
  return perturbations
    .filter(({ name }) => name.startsWith(`${kind}-`))
    .map(({ name, open }) => {
      const lens = open({ briefing, names, random: createRandom('collisions'), intensity: 1, draw: 1, options: {} })
      return { name, translator: createTranslator(lens, briefing.forms, names, examples) }
    })
}

/**
 * Follows a task's solution and returns which new wordings, of all possible actions on the way, the environment itself
 * would accept as any action, now or at some time, and which would become another action through the perturbation.
 */
async function collisionsIn(environment: OpenedEnvironment, kind: string, task: Task) {
  const world = await environment.begin(task, createRandom('collisions'))
  const { briefing, names } = world
  const templates = briefing.forms.map(({ template }) => template)
  const worded = translatorsOf(kind, world)
  const tried = new Set<string>()
  const found: string[] = []
  const look = (): void => {
    for (const command of syncWorld(world).admissible()) {
      for (const { name, translator } of worded) {
        const action = translator.command(command)
        if (action === command || tried.has(`${name} ${action}`)) continue
        tried.add(`${name} ${action}`)
        const said = loosely[kind]!(action)
        const taken = world.read!(said, templates, names, true)
        if (taken !== undefined || syncWorld(world).understands(said))
          found.push(`${name}: '${said}' is ${JSON.stringify(taken)}`)
        const { refused, command: back } = translator.toEnvironment(action, world.read)
        if (refused || back !== command) found.push(`${name}: '${action}' of '${command}' comes to '${back}'`)
      }
    }
  }
  for (const command of syncWorld(world).solve() ?? []) {
    look()
    if ((await world.step(command)).ended !== false) break
  }
  look()
  return { found, tried: tried.size }
}

/** @param every checks only every nth task, if there are too many of the same kind */
async function expectNone(kind: string, options: Readonly<Record<string, string>>, every = 1): Promise<void> {
  const environment = await openEnvironment(kind, options)
  for (const task of environment.tasks.filter((_, index) => index % every === 0)) {
    const { found, tried } = await collisionsIn(environment, kind, task)
    expect(found.map((one) => `${task.id}: ${one}`)).toEqual([])
    expect(tried).toBeGreaterThan(4)
  }
}

describe('a new wording is not an action of the unperturbed environment, in any task', () => {
  it.each([
    ['babyai', {}, 1],
    ['babyai', { split: 'train' }, 9],
    ['jericho', {}, 3],
    ['pddl', {}, 1],
    ['pddl', { split: 'train' }, 9],
  ] as const)('of %s with %j', async (kind, options, every) => {
    await expectNone(kind, options, every)
  })

  it.skipIf(sharedData === undefined)('of AgentBoard’s games, in the words of its prompts too', async () => {
    const data = join(sharedData ?? '', 'pddl')
    await expectNone('pddl', { data })
    await expectNone(
      'pddl',
      { data, prompt: join(sharedData ?? '', 'agentboard_prompts', 'pddl_vanilla_prompt.json') },
      3,
    )
  })
})
