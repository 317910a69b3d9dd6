import { closeWorlds } from '../core/close-worlds.js'
import type { EvaluationText, FilteredEnvironment } from '../core/training.js'
import { createRandom } from '../core/random.js'
import type { Registry } from '../run/registry.js'
import type { EnvironmentFlags } from '../run/experiment-flags.js'
import { optionsFromFlags } from '../run/experiment-flags.js'

/**
 * What the evaluation tasks say at their beginning, goal and first observation, of those environments that can be
 * played here. The others are known to filters by name only.
 * @throws ShaketableError `usage` or `bad-input` for options that cannot be used
 */
export async function readEvaluationTexts(
  environments: readonly FilteredEnvironment[],
  flags: EnvironmentFlags,
  registry: Registry,
): Promise<readonly EvaluationText[]> {
  const played = environments.flatMap(({ name, also }) =>
    registry
      .list('environment')
      .filter((kind) => [name, ...also].includes(kind.name))
      .map((kind) => ({ name, kind: kind.name })),
  )
  const kinds = played.map(({ kind }) => kind)
  const texts: EvaluationText[] = []
  for (const { name, kind } of played) {
    const environment = await registry.find('environment', kind).open(optionsFromFlags(kind, flags, kinds, registry))
    for (const task of environment.tasks) {
      const world = await environment.begin(task, createRandom('0').fork('environment'))
      await closeWorlds([world])
      for (const text of [task.goal, world.originalOpening]) texts.push({ environment: name, text })
    }
  }
  return texts
}
