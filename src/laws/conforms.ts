import type { Environment, Task, Turn, World } from '../core/environment.js'
import { messageOf } from '../core/errors.js'
import { createRandom } from '../core/random.js'
import { textOf } from '../core/text.js'
import { unknownAction } from './twins.js'

const maxSteps = 200
const maxTried = 5

/**
 * Checks the contract of an unperturbed environment: equal seeds begin equal episodes, concurrent episodes are
 * independent, listed actions are understood, actions that are not understood are refused as `refuse` does, and its
 * solution solves the task. The messages of a remote environment are checked on the way.
 * @returns the first misfit on each task, and whether episodes are in another process or on a server
 */
export async function checkConforms(environment: Environment, tasks: readonly Task[], seed: string) {
  /** The violations, each in a sentence. */
  const misfits: { readonly task: Task; readonly detail: string }[] = []
  let isElsewhere = false
  for (const task of tasks) {
    const open: World[] = []
    const begin = async (): Promise<World> => {
      const world = await environment.begin(task, createRandom(`${seed}/${task.id}`))
      open.push(world)
      return world
    }
    let detail = await findMisfit(begin).catch(messageOf)
    for (const world of open) {
      isElsewhere ||= world.close !== undefined
      try {
        await world.close?.()
      } catch (thrown) {
        detail ??= `its session cannot be closed: ${messageOf(thrown)}`
      }
    }
    if (detail !== undefined) misfits.push({ task, detail })
  }
  return { misfits, isElsewhere }
}

async function findMisfit(begin: () => Promise<World>): Promise<string | undefined> {
  const [one, two] = [await begin(), await begin()]
  const beginning = ({ briefing, opening, names }: World): string => JSON.stringify([briefing, opening, names])
  if (beginning(one) !== beginning(two)) return 'two episodes with the same seed begin differently.'

  const listed = (await one.admissible?.()) ?? []
  const solution = await one.solve?.()
  const action = solution?.[0] ?? listed[0] ?? unknownAction
  const [here, there] = [await one.step(action), await two.step(action)]
  if (textOf(here.observation) !== textOf(there.observation)) {
    return `two episodes with the same seed, both open, answer '${action}' differently: '${shown(here)}' and '${shown(there)}'.`
  }
  if (here.understood === false && action !== unknownAction)
    return `it does not understand '${action}', which it names as possible.`
  for (const tried of listed.slice(0, maxTried)) {
    const world = await begin()
    const mayUnderstand = await world.understands?.(tried)
    const turn = await world.step(tried)
    // AgentBoard counts an action that changes nothing, such as going where the agent is, as valid only after a valid
    // one.
    if (turn.understood === false && mayUnderstand !== true)
      return `it lists '${tried}' as possible, and does not understand it: '${shown(turn)}'.`
  }

  // Each is the first turn of its episode, since an answer may depend on the turn or be drawn.
  const reply = await (await begin()).step(unknownAction)
  const refused = await (await begin()).refuse(unknownAction)
  if (reply.understood) return `it says that it understands '${unknownAction}': '${shown(reply)}'.`
  if (reply.understood === false && shown(reply) !== shown(refused)) {
    return `it answers an action that it does not understand with '${shown(reply)}', but one in an old wording would be refused with '${shown(refused)}'.`
  }

  if (solution === undefined) return undefined
  const third = await begin()
  for (const step of solution.slice(0, maxSteps)) {
    const { ended } = await third.step(step)
    if (ended === 'success') return undefined
    if (ended === 'failure') break
  }
  return solution.length > maxSteps ? undefined : 'the solution that it gives does not solve the task.'
}

function shown({ observation }: Turn): string {
  const text = textOf(observation)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
