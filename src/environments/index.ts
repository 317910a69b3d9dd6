import type { z } from 'zod'
import { ShaketableError, nearMiss, unknownName } from '../core/errors.js'
import { babyai } from './babyai/index.js'
import { pddl } from './games/index.js'
import { household } from './household/index.js'
import type { EnvironmentKind, OpenedEnvironment } from './kind.js'

export type { EnvironmentKind, OpenedEnvironment, RawGame } from './kind.js'

/** All kinds of environment, by the names under which they are asked for. */
export const environmentKinds: readonly EnvironmentKind[] = [household, babyai, pddl]

/** Finds a kind by its name. @throws ShaketableError `usage` with the near miss */
export function findEnvironmentKind(name: string): EnvironmentKind {
  const kind = environmentKinds.find((one) => one.name === name)
  if (kind !== undefined) return kind
  throw new ShaketableError(
    'usage',
    unknownName(
      'environment',
      name,
      environmentKinds.map((one) => one.name),
    ),
  )
}

/**
 * Opens an environment with options as they stand in an experiment file or on the command line.
 * @throws ShaketableError `usage` for an unknown name or option, `bad-input` for files that cannot be used
 */
export async function openEnvironment(
  name: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<OpenedEnvironment> {
  const kind = findEnvironmentKind(name)
  const checked = kind.options.safeParse(options)
  if (checked.success) return kind.open(checked.data)
  throw new ShaketableError('usage', describeIssue(kind, checked.error.issues[0]!))
}

function describeIssue({ name, options }: EnvironmentKind, issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') {
    return `The option '${issue.path.join('.')}' of the environment '${name}' cannot be used: ${issue.message}.`
  }
  const known = 'shape' in options ? Object.keys(options.shape as object) : []
  const key = issue.keys[0]!
  const near = nearMiss(key, known)
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`
  return `The environment '${name}' has no option '${key}'.${hint} Known: ${known.join(', ')}.`
}
