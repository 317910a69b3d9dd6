import { after } from './after.js'
import type { Environment, World } from './environment.js'

/** Closes worlds. A failure to close is ignored: the episode stands. */
export async function closeWorlds(worlds: readonly World[]): Promise<void> {
  for (const world of worlds) {
    try {
      await world.close?.()
    } catch {
      // The process or server has failed before, or is gone.
    }
  }
}

/** Does some work with an environment, then closes every world that was begun in it. */
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
    // Getters such as the list of tasks stay lazy.
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
