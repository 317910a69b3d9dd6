import { closeWorlds } from '../core/close-worlds.js'
import { ShaketableError } from '../core/errors.js'
import { createRandom } from '../core/random.js'
import type { EvaluationText, FilteredEnvironment } from '../training/data-filter.js'
import type { EnvironmentKind, OpenedEnvironment } from '../environments/index.js'
import type { EnvironmentFlags } from '../run/experiment-flags.js'
import { settingsFor } from '../run/experiment-flags.js'
import type { Registry } from '../run/registry.js'

/** The evaluation tasks of an environment. */
interface EvaluationTasks {
  /** Its name in the filter. */
  readonly environment: string
  /** Goals and first observations. */
  readonly texts: readonly string[]
}

/**
 * The evaluation tasks of those environments that can be played here. Filters know the others by name only, such as one
 * whose engine the user has to bring.
 * @throws ShaketableError `usage` or `bad-input` for options that cannot be used
 */
export async function readEvaluation(
  environments: readonly FilteredEnvironment[],
  flags: EnvironmentFlags,
  registry: Registry,
): Promise<readonly EvaluationTasks[]> {
  const played = environments.flatMap(({ name, also }) =>
    registry
      .list('environment')
      .filter((kind) => [name, ...also].includes(kind.name))
      .map((kind) => ({ name, kind: kind.name })),
  )
  const kinds = played.map(({ kind }) => kind)
  const read: EvaluationTasks[] = []
  for (const { name, kind } of played) {
    const options = settingsFor(kind, flags, kinds)
    const environment = await openOrNone(registry.find('environment', kind), options)
    if (environment === undefined) continue
    const texts: string[] = []
    for (const task of environment.tasks) {
      const world = await environment.begin(task, createRandom('0').fork('environment'))
      await closeWorlds([world])
      texts.push(task.goal, world.originalOpening)
    }
    read.push({ environment: name, texts })
  }
  return read
}

/** The texts of evaluation tasks, for a filter. */
export function textsOf(evaluation: readonly EvaluationTasks[]): readonly EvaluationText[] {
  return evaluation.flatMap(({ environment, texts }) => texts.map((text) => ({ environment, text })))
}

/** Opens an environment; undefined for one that needs options and got none. */
async function openOrNone(
  kind: EnvironmentKind,
  options: Readonly<Record<string, string>>,
): Promise<OpenedEnvironment | undefined> {
  try {
    return await kind.open(options)
  } catch (thrown) {
    const isBare = Object.keys(options).length === 0 && thrown instanceof ShaketableError && thrown.code === 'usage'
    if (isBare) return undefined
    throw thrown
  }
}
