import { createOracle } from '../../baselines/oracle.js'
import { findAgent } from '../../src/agents/index.js'
import { type Collected, type CollectInTurnOptions, collectInTurn } from '../../src/training/collect.js'
import { openEnvironment } from '../../src/environments/index.js'
import { spreadTasks } from '../../src/environments/spread-tasks.js'

export const household = await openEnvironment('household', { split: 'train' })

/** Collects on the first few training tasks of the household, of every kind, by default with the oracle. */
export async function collectSome(
  options: Partial<CollectInTurnOptions> &
    Pick<Parameters<typeof collectInTurn>[0][number], 'conditions'> & {
      readonly tasks?: number
      readonly layout?: string
    } = {},
): Promise<readonly Collected[]> {
  const { tasks = 6, layout = 'act', conditions, ...rest } = options
  const all: Collected[] = []
  const source = {
    environment: household,
    tasks: spreadTasks(household.tasks).slice(0, tasks),
    ...(conditions && { conditions }),
  }
  const collected = collectInTurn([source], {
    ...{ policy: createOracle(), agent: findAgent(layout), seed: 0, errors: 0, varyWording: false },
    ...{ temperature: 0, stepLimit: 40, failures: false, ...rest },
  })
  for await (const one of collected) all.push(one)
  return all
}
