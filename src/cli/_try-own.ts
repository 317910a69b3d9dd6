import type { Agent } from '../core/agent.js'
import { closeWorlds } from '../core/close-worlds.js'
import type { World } from '../core/environment.js'
import { messageOf } from '../core/errors.js'
import { printForm } from '../core/form.js'
import type { Model } from '../core/model.js'
import { createRandom } from '../core/random.js'
import { textOf } from '../core/text.js'
import type { Registry } from '../run/registry.js'
import { count } from '../tables/words.js'

/** What came of trying a definition of a plug-in. */
export interface Tried {
  readonly kind: string
  readonly name: string
  readonly works: boolean
  /** What it did, or what is wrong, in a sentence. */
  readonly result: string
}

/**
 * Tries agents and models of plug-ins on the first task of a plug-in's environment, or of the household. Reports and
 * data filters are only loaded, since they need a run or data.
 */
export async function tryOwn(registry: Registry): Promise<Tried[]> {
  const tried: Tried[] = []
  const [agents, models] = [registry.own('agent'), registry.own('model')]
  if (agents.length + models.length > 0) {
    const [kind = registry.find('environment', 'household')] = registry.own('environment')
    const environment = await kind.open({})
    const world = await environment.begin(environment.tasks[0]!, createRandom('0'))
    await closeWorlds([world])
    const attempt = async (kind: string, name: string, test: () => Promise<string> | string): Promise<void> => {
      const ended = await Promise.resolve()
        .then(test)
        .then(
          (result) => ({ works: true, result }),
          (thrown: unknown) => ({ works: false, result: `does not work. ${messageOf(thrown)}` }),
        )
      tried.push({ kind, name, ...ended })
    }
    for (const agent of agents) await attempt('agent', agent.name, () => tryAgent(agent, world, environment.name))
    const act = registry.find('agent', 'act')
    for (const model of models)
      await attempt('model', model.name, () => tryModel(model.create(), act, world, environment.name))
  }
  const loaded = (kind: string, name: string, use: string): void =>
    void tried.push({ kind, name, works: true, result: `is loaded; ${use}` })
  for (const { name } of registry.own('report')) loaded('report', name, 'render it with shaketable report RUN --plugin')
  for (const { name } of registry.own('filter'))
    loaded('data filter', name, 'use it with shaketable data filter-ind --plugin')
  return tried
}

function tryAgent(agent: Agent, world: World, on: string): string {
  const conversation = agent.begin(world.briefing, textOf(world.opening))
  const [form] = world.briefing.forms
  const action = form === undefined ? 'look' : printForm(form.template, () => 'desk 1')
  const { action: read } = conversation.read(agent.phrase(action))
  if (read !== action)
    throw new Error(`expected it to read the action '${action}' from its own phrasing, got '${String(read)}'`)
  conversation.observe(action, 'Nothing happens.')
  return `works on ${on}; after one action its prompt has ${count(conversation.messages().length, 'message')}`
}

async function tryModel(model: Model, agent: Agent, world: World, on: string): Promise<string> {
  const conversation = agent.begin(world.briefing, textOf(world.opening))
  const one = model.withWorld?.(world, (action) => action) ?? model
  const sampling = { temperature: 0, seed: 0, maxTokens: 100, stop: ['\n'] }
  const { text } = await one.complete(conversation.messages(), sampling)
  return `answers the first prompt of ${on} with '${text.slice(0, 60)}'`
}
