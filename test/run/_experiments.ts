import { completeExperiment } from '../../src/run/experiment.js'
import type { GivenExperiment } from '../../src/run/experiment-schema.js'
import { prepareGrid } from '../../src/run/prepare-grid.js'

type Sources = Parameters<typeof completeExperiment>[0]

/** An experiment of flags, and of what a file `grid.yaml` gives. */
export function complete(flags: GivenExperiment, file?: GivenExperiment, more: Partial<Sources> = {}) {
  const where = (path: readonly PropertyKey[]) => `grid.yaml: ${path.map(String).join('.')}`
  return completeExperiment({ flags, ...(file && { file: { given: file, where } }), ...more })
}

/** The grid of an experiment, and its notes. */
export async function prepare(flags: GivenExperiment, file?: GivenExperiment, more?: Partial<Sources>) {
  const { experiment, where } = complete(flags, file, more)
  return prepareGrid(experiment, { where, registry: more?.registry })
}
