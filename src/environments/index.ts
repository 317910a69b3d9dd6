import type { EnvironmentKind, OpenedEnvironment } from '../define/environment.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import { babyai } from './babyai/environment.js'
import { pddl } from './games/environment.js'
import { hotpotqa } from './hotpotqa/index.js'
import { household } from './household/environment.js'
import { jericho } from './jericho/environment.js'
import { processEnvironment } from './process/index.js'
import { scienceworld } from './scienceworld/index.js'
import { scripted } from './scripted/index.js'

export type { EnvironmentKind, OpenedEnvironment } from '../define/environment.js'

/** All kinds of environment. */
export const environmentKinds: readonly EnvironmentKind[] = [
  household,
  babyai,
  pddl,
  scienceworld,
  jericho,
  hotpotqa,
  scripted,
  processEnvironment,
]

/** The kind with this name. @throws ShaketableError `usage` with the near miss */
export function findEnvironmentKind(name: string): EnvironmentKind {
  const kind = environmentKinds.find((environmentKind) => environmentKind.name === name)
  if (kind !== undefined) return kind
  const names = environmentKinds.map((environmentKind) => environmentKind.name)
  throw new ShaketableError('usage', unknownName('environment', name, names))
}

/**
 * Opens an environment with the options of an experiment file or the command line.
 * @throws ShaketableError `usage` for an unknown name or option, `bad-input` for files that cannot be used
 */
export async function openEnvironment(
  name: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<OpenedEnvironment> {
  return findEnvironmentKind(name).open(options)
}
