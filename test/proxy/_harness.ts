import type { Agent } from '../../src/core/agent.js'
import type { World } from '../../src/core/environment.js'
import { readForm } from '../../src/core/form.js'
import { toolsOf } from '../../src/agents/form-tools.js'
import type { Completion, Message, Model, ToolDefinition } from '../../src/core/model.js'
import type { AppliedPerturbation } from '../../src/core/perturbation.js'
import type { PerturbedWorld } from '../../src/core/perturb.js'
import { perturbWorld } from '../../src/core/perturb.js'
import { play } from '../../src/play/play.js'
import { createRandom } from '../../src/core/random.js'
import { wireMessages, wireTools } from '../../src/models/request.js'

/** The request to a model, as JSON. */
export function wireBody(messages: readonly Message[], tools: readonly ToolDefinition[] | undefined) {
  return { model: 'm', messages: wireMessages(messages), ...(tools && { tools: wireTools(tools) }) }
}

type Script = readonly Pick<Completion, 'text' | 'toolCalls'>[]

interface Episode {
  readonly begin: () => World | Promise<World>
  readonly agent: Agent
  readonly normalise?: ((action: string) => string) | undefined
}

async function playWith({ begin, agent, normalise }: Episode, complete: Model['complete'], length: number) {
  const model: Model = { name: 'm', settings: {}, complete }
  const world = await begin()
  return play({
    world,
    agent,
    model,
    temperature: 0,
    seed: 0,
    stepLimit: length,
    maxTokens: 100,
    ...(normalise && { normalise }),
  })
}

/**
 * Plays recorded actions perturbed in process, every third in the old wording.
 * @returns the requests, and the replies of the model
 */
export async function playInProcess(
  episode: Episode,
  applied: readonly [AppliedPerturbation, ...AppliedPerturbation[]],
  actions: readonly string[],
  loosely: (action: string) => string = (action) => action,
) {
  const sent: string[] = []
  const script: { text: string; toolCalls?: readonly { name: string; arguments: string }[] }[] = []
  let world: PerturbedWorld
  const begin = async () => (world = perturbWorld(await episode.begin(), applied, createRandom('0')))
  const complete: Model['complete'] = (messages, { tools }) => {
    sent.push(JSON.stringify(wireBody(messages, tools)))
    const action = actions[script.length]!
    const said = script.length % 3 === 2 ? action : loosely(world.fromEnvironment(action))
    const forms = script.length % 3 === 2 ? world.original.briefing.forms : world.briefing.forms
    const call =
      tools &&
      toolsOf(forms).flatMap(({ template, slots, definition }) => {
        const filling = readForm(template, said)
        if (filling === undefined) return []
        const given = definition.parameters.map(({ name }, index) => [name, filling[slots[index]!]!])
        return [{ name: definition.name, arguments: JSON.stringify(Object.fromEntries(given)) }]
      })[0]
    const text = `${episode.agent.phrase(said, `I think of ${said} now.`)}`
    const reply = call === undefined ? { text } : { text: 'So be it.', toolCalls: [call] }
    script.push(reply)
    return reply
  }
  const { trajectory, result } = await playWith({ ...episode, begin }, complete, actions.length)
  return {
    sent,
    script: script as Script,
    observed: trajectory.steps.map(({ original, observation }) => original ?? observation),
    result,
  }
}

/** Plays unperturbed, with each request through `ask`. */
export async function playThrough(
  episode: Episode,
  ask: (body: unknown, turn: number) => Script[number] | Promise<Script[number]>,
  length: number,
) {
  let turn = 0
  const { trajectory, result } = await playWith(
    episode,
    async (messages, { tools }) => ask(wireBody(messages, tools), turn++),
    length,
  )
  if (result.error !== undefined) throw new Error(result.error)
  return trajectory.steps.map(({ observation }) => observation)
}
