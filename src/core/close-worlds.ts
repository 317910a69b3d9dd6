import { after } from './after.js'
import type { Environment, World } from './environment.js'

/** Closes worlds. One that cannot be closed is left: what was played in it stands. */
export async function closeWorlds(worlds: readonly World[]): Promise<void> {
  for (const world of worlds) {
    try {
      await world.close?.()
    } catch {
      // Its process or server has said what is wrong before, or is gone.
    }
  }
}

/** Does some work with an environment, and then closes every world that was begun in it. */
export async function closingWorlds<Of extends Environment, T>(
  environment: Of,
  work: (environment: Of) => Promise<T>,
): Promise<T> {
  const begun: World[] = []
  const begin: Environment['begin'] = (task, random) =>
    after(environment.begin(task, random), (world) => {
      if (world.close !== undefined) begun.push(world)
      return world
    })
  try {
    // What an environment has is asked for when it is needed, such as its list of tasks.
    return await work(
      Object.defineProperties(
        {},
        { ...Object.getOwnPropertyDescriptors(environment), begin: { value: begin, enumerable: true } },
      ) as Of,
    )
  } finally {
    await closeWorlds(begun)
  }
}
