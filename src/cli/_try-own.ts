import type { Agent } from '../core/agent.js'
import { closeWorlds } from '../core/close-worlds.js'
import type { World } from '../core/environment.js'
import { messageOf } from '../core/errors.js'
import { printForm } from '../core/form.js'
import type { Model } from '../core/model.js'
import { createRandom } from '../core/random.js'
import { textOf } from '../core/text.js'
import type { OpenedEnvironment } from '../environments/index.js'
import type { Registry } from '../run/registry.js'
import { count } from '../tables/words.js'

interface Scene {
  readonly environment: OpenedEnvironment
  readonly world: World
  readonly opening: string
}

/** The first task of a plug-in's environment, or of the household. */
async function beginAny(registry: Registry): Promise<Scene> {
  const [kind] = [...registry.own('environment'), registry.find('environment', 'household')]
  const environment = await kind!.open({})
  const world = await environment.begin(environment.tasks[0]!, createRandom('0'))
  await closeWorlds([world])
  return { environment, world, opening: textOf(world.opening) }
}

/** What came of trying a definition of a plug-in. */
export interface Tried {
  readonly kind: string
  readonly name: string
  readonly works: boolean
  /** What it did, or what is wrong, in a sentence. */
  readonly result: string
}

/**
 * Tries agents and models of plug-ins on the first task of an environment. Reports and data filters are only loaded,
 * since they need a run or data.
 */
export async function tryOwn(registry: Registry): Promise<Tried[]> {
  const tried: Tried[] = []
  const take = async (kind: string, name: string, test: () => Promise<string> | string): Promise<void> => {
    try {
      tried.push({ kind, name, works: true, result: await test() })
    } catch (thrown) {
      tried.push({ kind, name, works: false, result: `does not work. ${messageOf(thrown)}` })
    }
  }
  const tryAgent = (agent: Agent, { environment, world, opening }: Scene): string => {
    const conversation = agent.begin(world.briefing, opening)
    const [example] = world.briefing.forms.map(({ template }) => printForm(template, () => 'desk 1'))
    const action = example ?? 'look'
    const { action: read } = conversation.read(agent.phrase(action))
    if (read !== action) {
      throw new Error(`expected it to read the action '${action}' from its own phrasing, got '${String(read)}'`)
    }
    conversation.observe(action, 'Nothing happens.')
    const { length } = conversation.messages()
    return `works on ${environment.name}; after one action its prompt has ${count(length, 'message')}`
  }
  const tryModel = async (model: Model, { environment, world, opening }: Scene): Promise<string> => {
    const conversation = registry.find('agent', 'act').begin(world.briefing, opening)
    const one = model.withWorld?.(world, (action) => action) ?? model
    const sampling = { temperature: 0, seed: 0, maxTokens: 100, stop: ['\n'] }
    const { text } = await one.complete(conversation.messages(), sampling)
    return `answers the first prompt of ${environment.name} with '${text.slice(0, 60)}'`
  }
  const [agents, models] = [registry.own('agent'), registry.own('model')]
  if (agents.length + models.length > 0) {
    const scene = await beginAny(registry)
    for (const agent of agents) await take('agent', agent.name, () => tryAgent(agent, scene))
    for (const one of models) await take('model', one.name, () => tryModel(one.create(), scene))
  }
  for (const { name } of registry.own('report')) {
    await take('report', name, () => 'is loaded; render it with shaketable report RUN --plugin')
  }
  for (const { name } of registry.own('filter')) {
    await take('data filter', name, () => 'is loaded; use it with shaketable data filter-ind --plugin')
  }
  return tried
}
