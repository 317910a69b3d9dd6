import { baselines } from '../../baselines/index.js'
import { act } from '../../src/agents/act.js'
import type { Agent, AppliedPerturbation, Environment, Model, Played, Task } from '../../src/index.js'
import { createRandom, perturb, play } from '../../src/index.js'

export const control = (name: string, option?: string): Model =>
  baselines.find((one) => one.name === name)!.create(option)

/** The control as on a server, where it receives text alone. */
export const byText = (name: string): Model => {
  const { name: called, settings, complete } = control(name)
  return { name: called, settings, complete }
}

interface Setting {
  readonly conditions?: readonly AppliedPerturbation[]
  readonly agent?: Agent
  readonly temperature?: number
  readonly seed?: number
}

/** Plays tasks of an environment, at most 30 steps each. */
export async function playAll(
  model: Model,
  environment: Environment,
  tasks: readonly Task[],
  { conditions = [], agent = act, temperature = 0, seed = 1 }: Setting = {},
): Promise<readonly Played[]> {
  const seen = perturb(environment, conditions)
  const { normalise } = environment
  const played: Played[] = []
  for (const task of tasks) {
    const world = await seen.begin(task, createRandom(task.id))
    const limits = { temperature, seed, stepLimit: 30, maxTokens: 100 }
    played.push(await play({ world, agent, model, ...(normalise && { normalise }), ...limits }))
  }
  return played
}

export const twoOfEach = ({ tasks }: Environment): readonly Task[] =>
  [...new Set(tasks.map(({ kind }) => kind))].flatMap((kind) => tasks.filter((task) => task.kind === kind).slice(0, 2))

export const successes = (played: readonly Played[]): number =>
  played.filter(({ result }) => result.outcome === 'success').length
